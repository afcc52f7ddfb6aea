#include "panels/analyses/graph/graph_diagram.h"
#include "panels/analyses/graph/graph_panel.h"
#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/shown_tokens.h"

#include <QLabel>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::panels {
namespace {

using Kind = features::GraphNode::Kind;

constexpr std::size_t kMostNamedCarriers = 6;
constexpr std::size_t kMostMoved = 4;
constexpr double kLeastPart = 0.005;  // of an edge, to be told

double meanOf(const std::vector<double>& values)
{
    return values.empty()
               ? 0
               : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

QString GraphPanel::titleOf(Side side) const
{
    const ShownGraph& shown = m_shown[indexOf(side)];
    if (!shown.found)
        return {};
    const features::Graph& graph = shown.graph();
    const auto count = std::ranges::count(shown.view.nodes, Kind::Feature, &figures::ViewNode::kind);
    return tr("%1 · errors carry %2 · unexplained %3 · %4 features")
        .arg(sideTitle(explorer(), side), formatPercent(1 - graph.replacement, 0),
             formatNumber(meanOf(graph.fvu), 2))
        .arg(count);
}

QString GraphPanel::headsWords(Side side) const
{
    const ShownGraph& shown = m_shown[indexOf(side)];
    const control::GraphChoice& choice = explorer().document().side(side).graph;
    const std::vector<int> sources = shown.nodesWith(choice.sources);
    const std::vector<int> targets = shown.nodesWith(choice.targets);
    if (sources.empty() || targets.empty())
        return {};
    const QString ends =
        tr("%1 → %2").arg(nodeWords(shown, sources.front()), nodeWords(shown, targets.front()));
    const control::AnalysisState& now = analyses().state(service::AnalysisKind::EdgeHeads, side);
    const features::EdgeHeads* const found = edgeHeads(side);
    if (!found)
        return now.problem.isEmpty() ? tr("%1: looking for its heads…").arg(ends)
                                     : QStringLiteral("%1: %2").arg(ends, now.problem);
    const double share = explorer().document().analyses.share;
    const std::vector<HeadId> heads =
        control::chosenHeads(*now.finding->result, explorer().document().analyses);
    double total = 0;
    for (const double load : found->loads)
        total += std::abs(load);
    QStringList names;
    for (std::size_t index = 0; index < std::min(heads.size(), kMostNamedCarriers); ++index) {
        const double load = found->loads[static_cast<std::size_t>(found->shape.indexOf(heads[index]))];
        names << QStringLiteral("%1 %2").arg(QString::fromStdString(toString(heads[index])),
                                             formatPercent(load / total, 0));
    }
    if (heads.size() > kMostNamedCarriers)
        names << tr("%1 more").arg(heads.size() - kMostNamedCarriers);
    const QString count = heads.size() == 1 ? tr("1 head") : tr("%1 heads").arg(heads.size());
    const QString carriers =
        heads.empty()
            ? tr("no head carries it")
            : tr("%1 for %2: %3").arg(count, formatPercent(share, 0), names.join(QStringLiteral(", ")));
    const double whole = std::max(std::abs(found->edge), 1e-12);
    QString words = tr("%1: %2; %3").arg(ends, formatNumber(found->edge, 2), carriers);
    if (std::abs(found->noHead) >= kLeastPart * whole)
        words += tr("; no head %1").arg(formatPercent(found->noHead / whole, 0));
    if (std::abs(found->chains) >= kLeastPart * whole)
        words += tr("; two heads or more %1").arg(formatPercent(found->chains / whole, 0));
    return words;
}

QString GraphPanel::factsOf(Side side, int node) const
{
    const ShownGraph& shown = m_shown[indexOf(side)];
    const figures::ViewNode& drawn = shown.view.nodes[static_cast<std::size_t>(node)];
    const features::GraphNode& first = shown.firstOf(node);
    double all = 0;
    for (const features::GraphNode& other : shown.graph().nodes)
        all += other.influence;
    QStringList facts = {sideTitle(explorer(), side)};
    if (drawn.kind == Kind::Feature && !drawn.isGroup)
        facts << tr("activation %1").arg(formatNumber(first.activation, 2));
    if (drawn.kind == Kind::Logit)
        facts << tr("logit %1").arg(formatNumber(first.activation, 2))
              << tr("probability %1").arg(formatPercent(first.probability));
    else if (all > 0)
        facts << tr("%1 of the influence").arg(formatPercent(drawn.influence / all));
    return facts.join(QStringLiteral(" · "));
}

/// "80 % of the edge: Demo, dense 11 heads · Demo, sparse 2 heads · 5.5× fewer heads".
QString GraphPanel::factorOfHeads() const
{
    QStringList sides;
    std::array<int, 2> counts = {};
    for (const Side side : kSides)
        if (const features::EdgeHeads* const found = edgeHeads(side)) {
            const int count = features::headsForShare(*found, explorer().document().analyses.share);
            counts[indexOf(side)] = count;
            sides << tr("%1 %2").arg(sideTitle(explorer(), side),
                                     count == 1 ? tr("1 head") : tr("%1 heads").arg(count));
        }
    if (sides.isEmpty())
        return {};
    const QString words =
        tr("%1 of the edge: %2")
            .arg(formatPercent(explorer().document().analyses.share, 0), sides.join(QStringLiteral(" · ")));
    const QString factor = factorWords(counts[0], counts[1], tr("heads"));
    return factor.isEmpty() ? words : QStringLiteral("%1 · %2").arg(words, factor);
}

/// The features that the current head moves.
QString GraphPanel::movedWords() const
{
    if (!m_carrier || !m_shown[indexOf(m_carrier->side)].found)
        return {};
    const ShownGraph& shown = m_shown[indexOf(m_carrier->side)];
    const QString head = QString::fromStdString(toString(m_carrier->head));
    const auto carried = carriedBy(*m_carrier);
    if (carried.empty())
        return tr("%1: %2 carries none of the strongest edges.")
            .arg(sideTitle(explorer(), m_carrier->side), head);
    QStringList moved;
    for (std::size_t index = 0; index < std::min(carried.size(), kMostMoved); ++index)
        moved << tr("%1 → %2 (%3 of %4)")
                     .arg(nodeWords(shown, carried[index].first.source),
                          nodeWords(shown, carried[index].first.target),
                          formatNumber(carried[index].second, 2),
                          formatNumber(carried[index].first.weight, 2));
    if (carried.size() > kMostMoved)
        moved << tr("%1 more").arg(carried.size() - kMostMoved);
    return tr("%1: %2 moves %3")
        .arg(sideTitle(explorer(), m_carrier->side), head, moved.join(QStringLiteral(", ")));
}

void GraphPanel::showReading()
{
    QString text;
    for (const Side side : kSides) {
        const GraphDiagram& diagram = *m_diagrams[indexOf(side)];
        const ShownGraph& shown = m_shown[indexOf(side)];
        if (const auto node = diagram.pointedNode())
            text = tr("%1 · %2").arg(nodeWords(shown, *node), factsOf(side, *node));
        else if (const auto edge = diagram.pointedEdge())
            text = tr("%1: %2 → %3 adds %4")
                       .arg(sideTitle(explorer(), side), nodeWords(shown, edge->source),
                            nodeWords(shown, edge->target), formatNumber(edge->weight, 3));
    }
    if (text.isEmpty())
        text = movedWords();
    m_reading->setText(
        text.isEmpty()
            ? tr("Point at a node or an edge to read it; click a tile in the grids to see the features "
                 "that its head moves.")
            : text);
}

}  // namespace hs::panels
