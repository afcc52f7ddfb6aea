#include "panels/analyses/flow/token_flow_panel.h"

#include "panels/analyses/flow/token_flow_diagram.h"
#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/side_title.h"
#include "panels/widgets/turning_box.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::panels {
namespace {

constexpr int kThresholdSteps = 100;  // of the threshold
constexpr int kThresholdWidth = 140;
constexpr std::size_t kMostNamedPaths = 4;  // heads or tokens named in a reading

/// A diagram has one place for a pin: the last of the tokens that cover it, which has seen the others.
std::optional<int> pinPlace(const std::optional<text::TokenSpan>& span)
{
    return span ? std::optional(span->last) : std::nullopt;
}

QString grouped(std::size_t number)
{
    return QLocale().toString(static_cast<qulonglong>(number));
}

}  // namespace

TokenFlowPanel::TokenFlowPanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::Flow, parent),
      m_reading(newQuietLabel(this, QStringLiteral("flowReading")))
{
    setObjectName(QStringLiteral("flowPanel"));
    for (const Side side : kSides) {
        m_titles[indexOf(side)] = new SideTitle(side);
        m_diagrams[indexOf(side)] = new FlowDiagram(side);
    }
    addFields();
    setContent(newContent(), tr("Type a prompt to see which tokens can reach which."));
    for (const FlowDiagram* const diagram : m_diagrams)
        actions().addPicture(
            *diagram, diagram == m_diagrams[0] ? tr("left flow") : tr("right flow"),
            [diagram](QPainter& painter, const QPalette& inks) { diagram->draw(painter, inks); });
    connectParts();
    refresh();
}

void TokenFlowPanel::addFields()
{
    auto* const field = new QWidget(this);
    m_threshold = new QSlider(Qt::Horizontal, field);
    m_threshold->setObjectName(QStringLiteral("flowThreshold"));
    m_threshold->setAccessibleName(tr("Least weight of an edge"));
    m_threshold->setRange(1, kThresholdSteps);
    m_threshold->setPageStep(kThresholdSteps / 10);
    m_threshold->setFixedWidth(kThresholdWidth);
    m_thresholdValue = new QLabel(field);
    m_thresholdValue->setObjectName(QStringLiteral("flowThresholdValue"));
    m_thresholdValue->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.00")));
    auto* const row = new QHBoxLayout(field);
    row->setContentsMargins({});
    row->addWidget(m_threshold);
    row->addWidget(m_thresholdValue);
    field->setFocusProxy(m_threshold);
    addField(tr("&Weight at least"), field);
    m_rollout = new QCheckBox(tr("&Rollout"), this);
    m_rollout->setObjectName(QStringLiteral("flowRollout"));
    m_rollout->setToolTip(
        tr("Shade the tokens below by how much of them stands in the pinned token above, or in the last "
           "one: heads averaged, mixed half and half with the residual stream, and "
           "multiplied over the layers"));
    addControl(m_rollout);
}

QWidget* TokenFlowPanel::newContent()
{
    auto* const parts = new TurningBox(16);
    for (const Side side : kSides) {
        m_diagrams[indexOf(side)]->setObjectName(QStringLiteral("flowDiagram%1").arg(indexOf(side)));
        parts->addPart(m_titles[indexOf(side)], m_diagrams[indexOf(side)]);
    }
    auto* const content = new QWidget(this);
    auto* const column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(parts, 1);
    column->addWidget(m_reading);
    return content;
}

void TokenFlowPanel::connectParts()
{
    connect(m_threshold, &QSlider::valueChanged, this, [this](int value) {
        if (!m_isShowing)
            explorer().edit(
                tr("Change flow threshold"),
                [value](control::Document& document) {
                    document.analyses.flowThreshold = static_cast<double>(value) / kThresholdSteps;
                },
                QStringLiteral("flow-threshold"));
    });
    connect(m_rollout, &QCheckBox::clicked, this, [this](bool isChecked) {
        explorer().edit(
            isChecked ? tr("Show rollout") : tr("Hide rollout"),
            [isChecked](control::Document& document) { document.analyses.hasRollout = isChecked; });
    });
    for (const Side side : kSides)
        connectDiagram(side);
}

void TokenFlowPanel::connectDiagram(Side side)
{
    FlowDiagram* const diagram = m_diagrams[indexOf(side)];
    connect(diagram, &FlowDiagram::pointed, this, [this, side] { pointAt(side); });
    connect(diagram, &FlowDiagram::linePicked, this, [this, side](const FlowLine& line) {
        std::vector<HeadId> heads;
        for (const stats::FlowEdge& edge : line.edges)
            heads.push_back(edge.head);
        pickHeads(explorer(), side, heads);
        pinCell(explorer(), side, line.cell);
    });
    connect(diagram, &FlowDiagram::endPicked, this, [this, side](FlowEnd end) {
        const std::optional<int> token =
            explorer().asPin(side, end.isTop ? control::Axis::Query : control::Axis::Key, end.token);
        explorer().edit(tr("Pin token"), [&](control::Document& document) {
            std::optional<int>& pin = end.isTop ? document.query : document.key;
            pin = pin == token ? std::nullopt : token;
        });
    });
}

/// Highlights the cell under the pointer in the grids.
void TokenFlowPanel::pointAt(Side side)
{
    control::Hover hover;
    if (const FlowLine* const line = m_diagrams[indexOf(side)]->pointedLine())
        hover = {side, std::nullopt, line->cell.query, line->cell.key};
    explorer().setHover(hover);
    showReading();
}

void TokenFlowPanel::showDocument()
{
    m_isShowing = true;
    const double threshold = explorer().document().analyses.flowThreshold;
    m_threshold->setValue(static_cast<int>(std::lround(threshold * kThresholdSteps)));
    m_thresholdValue->setText(formatNumber(threshold, 2));
    m_rollout->setChecked(explorer().document().analyses.hasRollout);
    m_isShowing = false;
}

std::shared_ptr<const stats::TokenFlow> TokenFlowPanel::flow(Side side) const
{
    const stats::TokenFlow* const found = this->found<stats::TokenFlow>(side);
    return found ? std::shared_ptr<const stats::TokenFlow>(state(side).finding->result, found) : nullptr;
}

void TokenFlowPanel::showResult()
{
    for (const Side side : kSides) {
        FlowDiagram& diagram = *m_diagrams[indexOf(side)];
        const auto now = flow(side);
        if (now != m_flows[indexOf(side)]) {
            m_flows[indexOf(side)] = now;
            m_tokens[indexOf(side)] = tokenLabels(explorer(), side);
            diagram.setFlow(now, m_tokens[indexOf(side)].queries);
        }
        diagram.setDimmed(state(side).isOutdated);
        const control::CellSpan pinned = explorer().pinned(side);
        diagram.setMarks(pinPlace(pinned.key), pinPlace(pinned.query));
        m_titles[indexOf(side)]->setText(titleOf(side));
        m_titles[indexOf(side)]->parentWidget()->setVisible(now != nullptr);
    }
    showReading();
}

QString TokenFlowPanel::titleOf(Side side) const
{
    const auto& shown = m_flows[indexOf(side)];
    if (!shown)
        return {};
    const FlowDiagram& diagram = *m_diagrams[indexOf(side)];
    const QString title =
        shown->edges.size() == 1
            ? tr("%1 · 1 edge").arg(sideTitle(explorer(), side))
            : tr("%1 · %2 edges").arg(sideTitle(explorer(), side), grouped(shown->edges.size()));
    return diagram.lines().size() == diagram.lineCount()
               ? title
               : tr("%1, the strongest %2 of %3 lines drawn")
                     .arg(title, grouped(diagram.lines().size()), grouped(diagram.lineCount()));
}

QString TokenFlowPanel::lineReading(const FlowLine& line, const AxisLabels& tokens) const
{
    QStringList heads;
    for (std::size_t index = 0; index < std::min(line.edges.size(), kMostNamedPaths); ++index)
        heads << QStringLiteral("%1 %2").arg(QString::fromStdString(toString(line.edges[index].head)),
                                             formatNumber(line.edges[index].weight));
    if (line.edges.size() > kMostNamedPaths)
        heads << tr("%1 more").arg(line.edges.size() - kMostNamedPaths);
    return tr("%1 through %2").arg(cellWords(tokens, line.cell), heads.join(QStringLiteral(", ")));
}

QString TokenFlowPanel::endReading(Side side, const FlowEnd& end) const
{
    const QStringList& tokens = m_tokens[indexOf(side)].queries;
    const std::vector<int> far = m_diagrams[indexOf(side)]->reach().farTokens();
    QStringList names;
    for (const int token : far)
        if (token != end.token && static_cast<std::size_t>(names.size()) < kMostNamedPaths)
            names << tokenWords(tokens, token);
    const std::size_t others = far.size() - 1;
    if (others == 0)
        return (end.isTop ? tr("%1 is reached by no other token") : tr("%1 reaches no other token"))
            .arg(tokenWords(tokens, end.token));
    if (others > kMostNamedPaths)
        names << tr("%1 more").arg(others - kMostNamedPaths);
    return (end.isTop ? tr("%1 is reached by %2") : tr("%1 reaches %2"))
        .arg(tokenWords(tokens, end.token), names.join(QStringLiteral(", ")));
}

QString TokenFlowPanel::reading(Side side) const
{
    const FlowDiagram& diagram = *m_diagrams[indexOf(side)];
    if (const FlowLine* const line = diagram.pointedLine())
        return tr("%1: %2").arg(sideTitle(explorer(), side), lineReading(*line, m_tokens[indexOf(side)]));
    if (const auto end = diagram.pointedEnd())
        return tr("%1: %2").arg(sideTitle(explorer(), side), endReading(side, *end));
    return {};
}

QString TokenFlowPanel::rolloutReading(Side side) const
{
    const FlowDiagram& diagram = *m_diagrams[indexOf(side)];
    const std::span<const double> shares = diagram.rolloutShares();
    if (shares.empty())
        return {};
    std::vector<int> order(shares.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(),
                             [&](int token) { return shares[static_cast<std::size_t>(token)]; });
    order.resize(std::min(order.size(), kMostNamedPaths));
    const QStringList& tokens = m_tokens[indexOf(side)].queries;
    QStringList names;
    for (const int token : order)
        names << QStringLiteral("%1 %2").arg(tokenWords(tokens, token),
                                             formatPercent(shares[static_cast<std::size_t>(token)]));
    return tr("%1: rollout of %2 is %3")
        .arg(sideTitle(explorer(), side), tokenWords(tokens, diagram.rolloutQuery()),
             names.join(QStringLiteral(", ")));
}

/// How many ways lead from the pinned key to the pinned query.
QString TokenFlowPanel::wayReading() const
{
    QString start;
    QString end;
    QStringList sides;
    for (const Side side : kSides) {
        const auto& shown = m_flows[indexOf(side)];
        const control::CellSpan pinned = explorer().pinned(side);
        const int key = pinPlace(pinned.key).value_or(-1);
        const int query = pinPlace(pinned.query).value_or(-1);
        if (!shown || std::min(key, query) < 0 || std::max(key, query) >= shown->tokens)
            continue;
        if (sides.empty()) {
            start = tokenWords(m_tokens[indexOf(side)].keys, key);
            end = tokenWords(m_tokens[indexOf(side)].queries, query);
        }
        const double ways = shown->ways[static_cast<std::size_t>(query * shown->tokens + key)];
        const QString count =
            ways < 1e6 ? QLocale().toString(ways, 'f', 0) : QLocale().toString(ways, 'g', 2);
        sides << (ways == 1 ? tr("%1: 1 way").arg(sideTitle(explorer(), side))
                            : tr("%1: %2 ways").arg(sideTitle(explorer(), side), count));
    }
    return sides.empty() ? QString()
                         : tr("From %1 up to %2, %3").arg(start, end, sides.join(QStringLiteral(" · ")));
}

void TokenFlowPanel::showReading()
{
    QStringList lines;
    for (const Side side : kSides)
        if (const QString pointed = reading(side); !pointed.isEmpty())
            lines = {pointed, rolloutReading(side)};
    if (lines.isEmpty())
        lines = {wayReading(), rolloutReading(Side::Left), rolloutReading(Side::Right)};
    lines.removeAll(QString());
    m_reading->setText(lines.isEmpty()
                           ? tr("Point at a line to read its heads, at a token below to see what it "
                                "reaches, at one above to see what reaches it.")
                           : lines.join(QLatin1Char('\n')));
}

figures::DataTable TokenFlowPanel::table() const
{
    return flowTable({m_flows[0].get(), m_flows[1].get()});
}

figures::DataTable flowTable(const std::array<const stats::TokenFlow*, 2>& sides)
{
    figures::DataTable table{
        {{"side", {}}, {"layer", {}}, {"head", {}}, {"query", {}}, {"key", {}}, {"weight", {}}}};
    for (const Side side : kSides)
        if (const stats::TokenFlow* const flow = sides[indexOf(side)])
            for (const stats::FlowEdge& edge : flow->edges) {
                std::size_t at = 0;
                for (const double value :
                     {static_cast<double>(indexOf(side)), static_cast<double>(edge.head.layer),
                      static_cast<double>(edge.head.head), static_cast<double>(edge.query),
                      static_cast<double>(edge.key), static_cast<double>(edge.weight)})
                    table.columns[at++].values.push_back(value);
            }
    return table;
}

}  // namespace hs::panels
