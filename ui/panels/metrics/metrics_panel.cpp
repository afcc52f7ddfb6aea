#include "panels/metrics/metrics_panel.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "panels/metrics/metrics_model.h"
#include "panels/metrics/metrics_order.h"
#include "panels/metrics/metrics_table.h"
#include "panels/metrics/metrics_text.h"
#include "panels/widgets/metric_names.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"

#include <QAction>
#include <QButtonGroup>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kMargin = 8;
constexpr int kCountFrom = 480;  // width from which there is room for the count

}  // namespace

MetricsPanel::MetricsPanel(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_model(new MetricsModel(this)),
      m_order(new MetricsOrder(m_model, this)), m_table(new MetricsTable(m_model, m_order, this)),
      m_filter(new QLineEdit(this)), m_problem(newQuietLabel(this, QStringLiteral("metricsFilterProblem"))),
      m_count(newQuietLabel(this, QStringLiteral("metricsCount")))
{
    setObjectName(QStringLiteral("metricsPanel"));
    makeActions();
    auto* const layout = new QVBoxLayout(this);
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    layout->setContentsMargins(kMargin, 4, kMargin, 4);
    layout->setSpacing(4);
    layout->addLayout(newToolbar());
    layout->addWidget(m_problem);
    layout->addWidget(m_table, 1);
    connectParts();
    refresh();
}

void MetricsPanel::makeActions()
{
    const auto action = [this](const QString& name, const QString& text, auto run) {
        auto* const made = new QAction(text, this);
        made->setObjectName(name);
        connect(made, &QAction::triggered, this, run);
        return made;
    };
    m_orderAction = action(QStringLiteral("metricsOrderGrids"), {}, [this] {
        if (const stats::Metric* metric = m_table->sortedMetric())
            orderGrids(nameOf(*metric), m_order->sortOrder() == Qt::AscendingOrder);
    });
    m_matrixAction =
        action(QStringLiteral("metricsBackToMatrix"), tr("Back to the matrix"), [this] { backToMatrix(); });
    m_copyAction = action(QStringLiteral("metricsCopy"), tr("Copy rows"), [this] { copy(); });
    m_copyAction->setShortcut(QKeySequence::Copy);
    m_copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_table->addAction(m_copyAction);
    m_exportAction =
        action(QStringLiteral("metricsExport"), tr("Export as CSV…"), [this] { chooseExportFile(); });
}

QLayout* MetricsPanel::newToolbar()
{
    m_filter->setObjectName(QStringLiteral("metricsFilter"));
    m_filter->setAccessibleName(tr("Filter of heads"));
    m_filter->setPlaceholderText(tr("Filter: density < 0.02 & L5H*"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(72);
    m_count->setWordWrap(false);
    auto* const line = new QHBoxLayout;
    line->setSpacing(4);
    line->addWidget(m_filter, 1);
    line->addWidget(m_count);
    m_choice = new QButtonGroup(this);
    const std::array<std::pair<Choice, QString>, 3> choices = {
        {{LeftOnly, tr("Left")}, {Both, tr("Both")}, {RightOnly, tr("Right")}}};
    for (const auto& [choice, text] : choices) {
        auto* const button = new QToolButton(this);
        button->setObjectName(QStringLiteral("metricsChoice%1").arg(choice));
        button->setText(text);
        button->setAccessibleName(tr("Columns: %1").arg(text));
        button->setCheckable(true);
        button->setAutoRaise(true);
        m_choice->addButton(button, choice);
        line->addWidget(button);
    }
    m_choice->button(Both)->setChecked(true);
    line->addWidget(newMenuButton());
    return line;
}

QPushButton* MetricsPanel::newMenuButton()
{
    auto* const button = new QPushButton(tr("Table"), this);
    button->setObjectName(QStringLiteral("metricsMenu"));
    button->setAccessibleName(tr("What to do with the table"));
    button->setFlat(true);
    auto* const menu = new QMenu(button);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        menu->addActions({m_orderAction, m_matrixAction});
        menu->addSeparator();
        menu->addActions({m_copyAction, m_exportAction});
        menu->addSeparator();
        m_table->addColumnActions(*menu->addMenu(tr("Columns")));
    });
    button->setMenu(menu);
    return button;
}

void MetricsPanel::connectParts()
{
    connect(m_filter, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_explorer.edit(
            tr("Filter heads"), [&text](control::Document& document) { document.filter = text; },
            QStringLiteral("filter"));
    });
    connect(m_choice, &QButtonGroup::idClicked, this, &MetricsPanel::updateSides);
    connect(m_table, &MetricsTable::headsSelected, this,
            [this] { m_explorer.select(m_table->selectedHeads()); });
    connect(m_table, &MetricsTable::openRequested, this, [this](HeadId head) {
        m_explorer.setCurrent(m_explorer.activeSide(), head);
        Q_EMIT openRequested(head);
    });
    connect(m_table, &MetricsTable::orderRequested, this,
            [this](const QString& metric) { orderGrids(metric, false); });
    connect(m_table, &MetricsTable::sortingChanged, this, &MetricsPanel::updateActions);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &MetricsPanel::refresh);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &MetricsPanel::refresh);
    connect(&m_explorer, &control::Explorer::selectionChanged, this,
            [this] { m_table->selectHeads(m_explorer.selection()); });
}

void MetricsPanel::refresh()
{
    MetricsModel::Heads ablated;
    for (const Side side : kSides)
        for (const auto& [head, kind] : m_explorer.document().side(side).ablations)
            ablated[indexOf(side)].insert(head);
    m_model->setTitles({sideTitle(m_explorer, Side::Left), sideTitle(m_explorer, Side::Right)});
    m_model->setAblated(ablated);
    const std::array runs = {m_explorer.state(Side::Left).run, m_explorer.state(Side::Right).run};
    if (runs != m_runs || m_filtered != m_explorer.document().filter) {
        m_runs = runs;
        m_filtered = m_explorer.document().filter;
        m_table->setFollowing(true);
        m_model->setRuns(runs);
        refreshFilter();
        m_table->setFollowing(false);
        m_table->selectHeads(m_explorer.selection());
    }
    updateSides();
    updateActions();
}

void MetricsPanel::refreshFilter()
{
    const QString& filter = m_explorer.document().filter;
    if (m_filter->text() != filter)
        m_filter->setText(filter);
    showText(*m_problem, m_explorer.filterProblem());
    std::set<HeadId> matching = m_explorer.matchingHeads(Side::Left);
    matching.merge(m_explorer.matchingHeads(Side::Right));
    m_order->setMatching(std::move(matching));
    const int all = m_model->rowCount();
    const int shown = m_order->rowCount();
    m_count->setText(shown < all ? tr("%1 of %2 heads").arg(shown).arg(all)
                     : all == 1  ? tr("1 head")
                                 : tr("%1 heads").arg(all));
}

void MetricsPanel::updateSides()
{
    std::set<Side> sides;
    for (const Side side : kSides)
        if (m_choice->checkedId() != (side == Side::Left ? RightOnly : LeftOnly) &&
            m_explorer.state(side).run)
            sides.insert(side);
    m_table->setSides(sides);
}

void MetricsPanel::updateActions()
{
    const stats::Metric* const metric = m_table->sortedMetric();
    m_orderAction->setEnabled(metric != nullptr);
    m_orderAction->setText(metric ? tr("Order grids by %1").arg(metricTitle(*metric))
                                  : tr("Order grids by this metric"));
    const auto& sides = m_explorer.document().sides;
    m_matrixAction->setEnabled(std::any_of(sides.begin(), sides.end(), [](const control::SideSetup& side) {
        return side.grid.form == control::GridChoice::Form::List;
    }));
    m_exportAction->setEnabled(m_order->rowCount() > 0);
}

void MetricsPanel::orderGrids(const QString& metric, bool isAscending)
{
    m_explorer.edit(tr("Order grids"), [&](control::Document& document) {
        for (control::SideSetup& side : document.sides) {
            side.grid.form = control::GridChoice::Form::List;
            side.grid.order = metric;
            side.grid.isAscending = isAscending;
        }
    });
}

void MetricsPanel::backToMatrix()
{
    m_explorer.edit(tr("Back to the matrix"), [](control::Document& document) {
        for (control::SideSetup& side : document.sides)
            side.grid.form = control::GridChoice::Form::Matrix;
    });
}

void MetricsPanel::copy()
{
    const std::vector<int> rows = m_table->selectedRows();
    if (!rows.empty())
        QGuiApplication::clipboard()->setText(
            metricsText(*m_model, *m_order, rows, m_table->shownColumns(), QLatin1Char('\t')));
}

void MetricsPanel::chooseExportFile()
{
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export metrics"), QStringLiteral("metrics.csv"), tr("Comma-separated values (*.csv)"));
    if (!file.isEmpty())
        exportCsv(file);
}

void MetricsPanel::exportCsv(const QString& file)
{
    std::vector<int> rows;
    for (int row = 0; row < m_order->rowCount(); ++row)
        rows.push_back(row);
    const QByteArray text =
        metricsText(*m_model, *m_order, rows, m_table->shownColumns(), QLatin1Char(',')).toUtf8();
    const auto written = guarded([&] {
        const std::filesystem::path path = file.toStdString();
        writeFile(path, {text.constData(), static_cast<std::size_t>(text.size())});
        return path;
    });
    if (!written)
        Q_EMIT m_explorer.messageRaised({control::Message::Kind::Error,
                                         QString::fromStdString(written.error().message),
                                         QString::fromStdString(written.error().detail)});
}

void MetricsPanel::resizeEvent(QResizeEvent* event)
{
    m_count->setVisible(width() >= kCountFrom);
    QWidget::resizeEvent(event);
}

}  // namespace hs::panels
