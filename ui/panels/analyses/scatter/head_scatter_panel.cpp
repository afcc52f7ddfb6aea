#include "panels/analyses/scatter/head_scatter_panel.h"

#include "panels/analyses/scatter/cell_scatter.h"
#include "panels/analyses/scatter/correlation_matrix.h"
#include "panels/analyses/scatter/scatter_tables.h"
#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/side_title.h"
#include "panels/widgets/turning_box.h"

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace hs::panels {

HeadScatterPanel::HeadScatterPanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::Scatter, parent),
      m_problem(newQuietLabel(this, QStringLiteral("scatterProblem"))), m_plot(new CellScatter),
      m_reading(newQuietLabel(this, QStringLiteral("scatterReading")))
{
    setObjectName(QStringLiteral("scatterPanel"));
    for (const Side side : kSides) {
        m_titles[indexOf(side)] = new SideTitle(side);
        m_matrices[indexOf(side)] = new CorrelationMatrix;
    }
    addFields();
    addRow(m_problem);
    setContent(newContent(), tr("Type a prompt to see which heads look alike."));
    addPlot(*m_plot, tr("scatter plot"));
    for (const CorrelationMatrix* const matrix : m_matrices)
        actions().addPicture(
            *matrix, matrix == m_matrices[0] ? tr("left correlations") : tr("right correlations"),
            [matrix](QPainter& painter, const QPalette& inks) { matrix->draw(painter, inks); });
    connectParts();
    refresh();
}

void HeadScatterPanel::addFields()
{
    m_heads = new QLineEdit(this);
    m_heads->setObjectName(QStringLiteral("scatterHeads"));
    m_heads->setAccessibleName(tr("Heads to compare with one another"));
    m_heads->setPlaceholderText(tr("the first ones shown; or L0H0, L2H*, L4-6H1"));
    m_heads->setMinimumWidth(fontMetrics().horizontalAdvance(m_heads->placeholderText()) + 24);
    m_heads->setClearButtonEnabled(true);
    addField(tr("&Heads"), m_heads);
    m_follows = new QToolButton(this);
    m_follows->setObjectName(QStringLiteral("scatterFollows"));
    m_follows->setText(tr("Follow selection"));
    m_follows->setToolTip(tr("Compares the tiles that are selected, where they are two or more."));
    m_follows->setCheckable(true);
    m_follows->setChecked(true);
    m_follows->setAutoRaise(true);
    addControl(m_follows);
}

QWidget* HeadScatterPanel::newContent()
{
    auto* const parts = new TurningBox(16);
    for (const Side side : kSides) {
        m_matrices[indexOf(side)]->setObjectName(QStringLiteral("scatterMatrix%1").arg(indexOf(side)));
        parts->addPart(m_titles[indexOf(side)], m_matrices[indexOf(side)]);
    }
    m_plot->setObjectName(QStringLiteral("scatterPlot"));
    parts->addPart(m_plot);
    auto* const content = new QWidget(this);
    auto* const column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(parts, 1);
    column->addWidget(m_reading);
    return content;
}

void HeadScatterPanel::connectParts()
{
    connect(m_heads, &QLineEdit::returnPressed, this, &HeadScatterPanel::takeTyped);
    connect(m_heads, &QLineEdit::editingFinished, this, &HeadScatterPanel::takeTyped, Qt::QueuedConnection);
    connect(m_follows, &QToolButton::toggled, this, &HeadScatterPanel::takeSelection);
    connect(&explorer(), &control::Explorer::selectionChanged, this, &HeadScatterPanel::takeSelection);
    for (const Side side : kSides)
        connectMatrix(side);
    connect(m_plot, &CellScatter::pointedChanged, this, &HeadScatterPanel::showReading);
    connect(m_plot, &CellScatter::cellPicked, this,
            [this](CellId cell) { pinCell(explorer(), m_plot->pointed()->side, cell); });
}

void HeadScatterPanel::connectMatrix(Side side)
{
    CorrelationMatrix* const matrix = m_matrices[indexOf(side)];
    connect(matrix, &CorrelationMatrix::pairPicked, this, [this](HeadId row, HeadId column) {
        m_picked = Pair{row, column};
        showPair();
    });
    connect(matrix, &CorrelationMatrix::headPicked, this,
            [this, side](HeadId head, Qt::KeyboardModifiers modifiers) {
                pickHeads(explorer(), side, {head}, modifiers);
            });
    connect(matrix, &CorrelationMatrix::pointedChanged, this, &HeadScatterPanel::showReading);
}

void HeadScatterPanel::setHeads(std::vector<HeadId> heads)
{
    const auto total = heads.size();
    m_typingProblem =
        total > kMostHeads
            ? tr("The first %1 of %2 heads are compared; name fewer to choose.").arg(kMostHeads).arg(total)
            : QString();
    heads.resize(std::min(total, kMostHeads));
    explorer().edit(
        tr("Choose heads to compare"),
        [&heads](control::Document& document) { document.analyses.scatterHeads = std::move(heads); },
        QStringLiteral("scatter-heads"));
    showText(*m_problem, m_typingProblem);
}

void HeadScatterPanel::takeTyped()
{
    if (m_heads->text() == m_shownHeads)
        return;
    const auto heads = headsIn(m_heads->text(), shapesOf(explorer()));
    m_typingProblem = heads ? QString() : QString::fromStdString(heads.error().message);
    showText(*m_problem, m_typingProblem);
    if (!heads)
        return;
    m_follows->setChecked(heads->empty());
    setHeads(*heads);
}

/// Compares the selected tiles, unless heads were typed.
void HeadScatterPanel::takeSelection()
{
    const std::set<HeadId>& selection = explorer().selection();
    if (isVisible() && m_follows->isChecked() && selection.size() >= 2)
        setHeads({selection.begin(), selection.end()});
}

void HeadScatterPanel::showEvent(QShowEvent* event)
{
    AnalysisFrame::showEvent(event);
    takeSelection();
}

void HeadScatterPanel::showDocument()
{
    const QString text = headsText(explorer().document().analyses.scatterHeads);
    if (text == m_shownHeads)
        return;
    m_shownHeads = text;
    m_heads->setText(text);
    m_heads->setCursorPosition(0);
    m_typingProblem.clear();
    showText(*m_problem, m_typingProblem);
}

std::shared_ptr<const stats::HeadScatter> HeadScatterPanel::scatter(Side side) const
{
    const stats::HeadScatter* const found = this->found<stats::HeadScatter>(side);
    return found ? std::shared_ptr<const stats::HeadScatter>(state(side).finding->result, found) : nullptr;
}

QString HeadScatterPanel::titleOf(Side side) const
{
    const auto& shown = m_scatters[indexOf(side)];
    const auto clusters = shown ? clusterPlaces(*shown, clusteredOrder(*shown)).size() : 0;
    const QString title = sideTitle(explorer(), side);
    return !shown          ? QString()
           : clusters == 0 ? tr("%1 · none alike").arg(title)
           : clusters == 1 ? tr("%1 · 1 cluster").arg(title)
                           : tr("%1 · %2 clusters").arg(title).arg(clusters);
}

void HeadScatterPanel::showResult()
{
    bool isDimmed = false;
    for (const Side side : kSides) {
        const auto now = scatter(side);
        if (now != m_scatters[indexOf(side)]) {
            m_scatters[indexOf(side)] = now;
            m_tokens[indexOf(side)] = tokenLabels(explorer(), side);
        }
        m_titles[indexOf(side)]->setText(titleOf(side));
        m_titles[indexOf(side)]->parentWidget()->setVisible(now != nullptr);
        m_matrices[indexOf(side)]->setScatter(now);
        m_matrices[indexOf(side)]->setDimmed(state(side).isOutdated);
        isDimmed = isDimmed || state(side).isOutdated;
    }
    m_plot->setDimmed(isDimmed);
    showPair();
}

std::optional<HeadScatterPanel::Pair> HeadScatterPanel::pair() const
{
    const auto has = [](const stats::HeadScatter& shown, HeadId head) {
        return std::find(shown.heads.begin(), shown.heads.end(), head) != shown.heads.end();
    };
    for (const auto& shown : m_scatters)
        if (shown && m_picked && has(*shown, m_picked->row) && has(*shown, m_picked->column))
            return m_picked;
    for (const auto& shown : m_scatters)
        if (const auto alike = shown ? mostAlike(*shown) : std::nullopt)
            return Pair{alike->first, alike->second};
    return std::nullopt;
}

void HeadScatterPanel::showPair()
{
    const std::optional<Pair> now = pair();
    std::array<ScatterPoints, 2> points;
    for (const Side side : kSides) {
        m_matrices[indexOf(side)]->setPair(now ? std::optional(now->row) : std::nullopt,
                                           now ? std::optional(now->column) : std::nullopt);
        if (const auto& shown = m_scatters[indexOf(side)]; shown && now)
            points[indexOf(side)] = pointsOf(*shown, now->column, now->row, sideTitle(explorer(), side));
    }
    const auto name = [](HeadId head) { return QString::fromStdString(toString(head)); };
    m_plot->setPoints(std::move(points), now ? name(now->column) : QString(),
                      now ? name(now->row) : QString());
    showReading();
}

QString HeadScatterPanel::matrixReading(Side side) const
{
    const CorrelationMatrix& matrix = *m_matrices[indexOf(side)];
    const auto place = matrix.pointed();
    if (!place)
        return {};
    const double correlation = matrix.correlationAt(*place);
    const QString heads =
        tr("%1: %2 and %3")
            .arg(sideTitle(explorer(), side), QString::fromStdString(toString(matrix.headAt(place->row))),
                 QString::fromStdString(toString(matrix.headAt(place->column))));
    return std::isnan(correlation) ? tr("%1, one of them the same everywhere").arg(heads)
                                   : tr("%1, r = %2").arg(heads, formatNumber(correlation, 2));
}

QString HeadScatterPanel::pointReading() const
{
    const auto pointed = m_plot->pointed();
    const auto now = pair();
    if (!pointed || !now)
        return {};
    const ScatterPoint& point = m_plot->points(pointed->side)[pointed->index];
    const AxisLabels& tokens = m_tokens[indexOf(pointed->side)];
    return tr("%1: query %2 ← key %3, %4 %5, %6 %7")
        .arg(sideTitle(explorer(), pointed->side), tokenWords(tokens.queries, point.cell.query),
             tokenWords(tokens.keys, point.cell.key), QString::fromStdString(toString(now->column)),
             formatNumber(point.across), QString::fromStdString(toString(now->row)), formatNumber(point.up));
}

bool HeadScatterPanel::hasConstant() const
{
    return std::any_of(m_scatters.begin(), m_scatters.end(), [](const auto& shown) {
        return shown && std::any_of(shown->correlations.begin(), shown->correlations.end(),
                                    [](double correlation) { return std::isnan(correlation); });
    });
}

void HeadScatterPanel::showReading()
{
    QString text = pointReading();
    for (const Side side : kSides)
        if (text.isEmpty())
            text = matrixReading(side);
    if (text.isEmpty())
        text = hasConstant()
                   ? tr("Click a cell of a matrix to plot its two heads; grey: one is the same everywhere.")
                   : tr("Click a cell of a matrix to plot its two heads; point at a dot to read it.");
    m_reading->setText(text);
}

SideHeads HeadScatterPanel::theseHeads() const
{
    SideHeads heads;
    for (const Side side : kSides)
        if (const auto& shown = m_scatters[indexOf(side)])
            heads[indexOf(side)] = shown->heads;
    return heads;
}

figures::DataTable HeadScatterPanel::table() const
{
    return scatterTable({m_scatters[0].get(), m_scatters[1].get()});
}

}  // namespace hs::panels
