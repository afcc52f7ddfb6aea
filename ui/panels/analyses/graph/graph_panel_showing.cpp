#include "control/document/feature_words.h"
#include "panels/analyses/graph/feature_card.h"
#include "panels/analyses/graph/graph_diagram.h"
#include "panels/analyses/graph/graph_panel.h"
#include "panels/analyses/token_words.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/side_title.h"

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

using Kind = features::GraphNode::Kind;

constexpr std::size_t kMostCardEdges = 24;
constexpr double kLeastMoved = 0.05;  // share of an edge that a head must carry to be said to move it

}  // namespace

void GraphPanel::showResult()
{
    for (const Side side : kSides) {
        showGraph(side);
        m_diagrams[indexOf(side)]->setDimmed(state(side).isOutdated);
        m_titles[indexOf(side)]->setText(titleOf(side));
        m_titles[indexOf(side)]->parentWidget()->setVisible(m_shown[indexOf(side)].found != nullptr);
    }
    showMarks();
    showCard();
    showShades();
    showReading();
}

void GraphPanel::showGraph(Side side)
{
    const control::GraphChoice& choice = explorer().document().side(side).graph;
    const auto& finding = state(side).finding;
    const auto* const found = this->found<service::FeatureGraph>(side);
    Key key{found ? finding->result : nullptr, explorer().document().analyses.graphShare, choice.groups,
            choice.labels};
    if (m_keys[indexOf(side)] == key)
        return;
    const control::SideState& shown = explorer().state(side);
    m_shown[indexOf(side)] =
        shownGraph(found ? std::shared_ptr<const service::FeatureGraph>(finding->result, found) : nullptr,
                   key.share, choice, textLabels(explorer(), side),
                   [&shown](std::int64_t id) { return predictedLabel(shown, id); });
    m_keys[indexOf(side)] = std::move(key);
    m_diagrams[indexOf(side)]->setGraph(m_shown[indexOf(side)]);
}

std::optional<std::pair<Side, int>> GraphPanel::described() const
{
    for (const Side side : kSides) {
        const std::vector<int> nodes =
            m_shown[indexOf(side)].nodesWith(explorer().document().side(side).graph.picked);
        if (!nodes.empty())
            return std::pair(side, nodes.front());
    }
    return std::nullopt;
}

const features::EdgeHeads* GraphPanel::edgeHeads(Side side) const
{
    const auto& now = analyses().state(service::AnalysisKind::EdgeHeads, side);
    return now.finding && !now.isOutdated ? std::get_if<features::EdgeHeads>(now.finding->result.get())
                                          : nullptr;
}

std::vector<std::pair<figures::ViewEdge, double>> GraphPanel::carriedBy(const Carrier& carrier) const
{
    std::vector<std::pair<figures::ViewEdge, double>> carried;
    const ShownGraph& shown = m_shown[indexOf(carrier.side)];
    if (!shown.found || !shown.found->shape.contains(carrier.head))
        return carried;
    const auto head = static_cast<std::size_t>(shown.found->shape.indexOf(carrier.head));
    for (const service::CarriedEdge& edge : shown.found->carried) {
        const features::GraphEdge& own = shown.graph().edges[static_cast<std::size_t>(edge.edge)];
        const auto source = shown.view.nodeOf(own.source);
        const auto target = shown.view.nodeOf(own.target);
        if (source && target && std::abs(edge.loads[head]) >= kLeastMoved * std::abs(own.weight))
            carried.push_back({{*source, *target, own.weight}, edge.loads[head]});
    }
    std::ranges::stable_sort(carried, std::ranges::greater(),
                             [](const auto& one) { return std::abs(one.second); });
    return carried;
}

void GraphPanel::showMarks()
{
    for (const Side side : kSides) {
        const ShownGraph& shown = m_shown[indexOf(side)];
        const control::GraphChoice& choice = explorer().document().side(side).graph;
        std::vector<figures::ViewEdge> edges;
        if (m_carrier && m_carrier->side == side)
            for (const auto& [edge, load] : carriedBy(*m_carrier))
                edges.push_back(edge);
        std::vector<int> nodes = shown.nodesWith(choice.picked);
        if (nodes.empty() && !m_carrier) {  // the counterpart of what is picked in the other graph
            nodes = shown.nodesWith(choice.sources);
            const std::vector<int> targets = shown.nodesWith(choice.targets);
            if (!nodes.empty() && !targets.empty())
                edges.push_back({nodes.front(), targets.front(), 0});
            nodes.insert(nodes.end(), targets.begin(), targets.end());
        }
        m_diagrams[indexOf(side)]->setMarks(nodes, std::move(edges));
    }
}

void GraphPanel::showCard()
{
    setSummary(factorOfHeads());
    const auto picked = described();
    if (!picked)
        return m_card->setContent(std::nullopt, {});
    const auto [side, node] = *picked;
    const ShownGraph& shown = m_shown[indexOf(side)];
    const figures::ViewNode& drawn = shown.view.nodes[static_cast<std::size_t>(node)];
    CardContent content;
    content.node = node;
    content.words = nodeWords(shown, node);
    content.facts = factsOf(side, node);
    content.canSwitch = drawn.kind == Kind::Feature;
    content.isOff = content.canSwitch && areOff(explorer().document().side(side).graph, shown.idsOf(node));
    if (drawn.kind == Kind::Feature && !drawn.isGroup) {
        const features::GraphNode& first = shown.firstOf(node);
        const FeatureId feature{first.layer, static_cast<int>(first.index)};
        content.hasLabel = true;
        content.label = control::featureLabel(*shown.found, explorer().document().side(side).graph, feature);
        if (const features::FeatureTexts* const texts = shown.found->textsOf(feature))
            content.description = descriptionOf(*texts);
    }
    QStringList heads;
    for (const Side one : kSides)
        if (const QString words = headsWords(one); !words.isEmpty())
            heads << QStringLiteral("%1: %2").arg(sideTitle(explorer(), one), words);
    content.heads = heads.join(QLatin1Char('\n'));
    std::vector<CardEdge> edges;
    for (const figures::ViewEdge& edge : shown.view.edges) {
        if (edges.size() == kMostCardEdges)
            break;
        if (edge.source == node || edge.target == node)
            edges.push_back({edge, edge.source == node,
                             nodeWords(shown, edge.source == node ? edge.target : edge.source)});
    }
    m_card->setContent(content, edges);
}

void GraphPanel::showShades()
{
    std::vector<double> shades;
    if (const auto picked = described()) {
        const auto [side, node] = *picked;
        const ShownGraph& shown = m_shown[indexOf(side)];
        if (shown.view.nodes[static_cast<std::size_t>(node)].kind == Kind::Feature) {
            std::vector<double> own(shown.graph().tokens.size(), 0);
            for (const int member : shown.view.nodes[static_cast<std::size_t>(node)].members) {
                const features::GraphNode& feature = shown.graph().nodes[static_cast<std::size_t>(member)];
                const std::vector<double> values =
                    shown.activationsOf({feature.layer, static_cast<int>(feature.index)});
                for (std::size_t position = 0; position < own.size(); ++position)
                    own[position] = std::max(own[position], values[position]);
            }
            if (const auto run = tokenRun(explorer()))
                shades.assign(run->textTokens().size(), 0);
            for (std::size_t position = 0; position < own.size(); ++position)
                if (const auto place = explorer().asReadPosition(side, static_cast<int>(position));
                    place && static_cast<std::size_t>(*place) < shades.size())
                    shades[static_cast<std::size_t>(*place)] = own[position];
        }
    }
    explorer().setTokenShades(std::move(shades));
}

SideHeads GraphPanel::rankedHeads() const
{
    SideHeads heads;
    for (const Side side : kSides)
        if (edgeHeads(side))
            for (const control::RankedHead& ranked :
                 control::ranking(*analyses().state(service::AnalysisKind::EdgeHeads, side).finding->result))
                heads[indexOf(side)].push_back(ranked.head);
    return heads;
}

SideHeads GraphPanel::theseHeads() const
{
    SideHeads heads;
    for (const Side side : kSides)
        if (edgeHeads(side))
            heads[indexOf(side)] = control::chosenHeads(
                *analyses().state(service::AnalysisKind::EdgeHeads, side).finding->result,
                explorer().document().analyses);
    return heads;
}

figures::DataTable GraphPanel::table() const
{
    std::array<const features::Graph*, 2> sides = {};
    for (const Side side : kSides)
        if (m_shown[indexOf(side)].found)
            sides[indexOf(side)] = &m_shown[indexOf(side)].graph();
    return graphTable(sides);
}

figures::DataTable graphTable(const std::array<const features::Graph*, 2>& sides)
{
    figures::DataTable table;
    for (const char* const name :
         {"side", "source_kind", "source_layer", "source_position", "source_index", "target_kind",
          "target_layer", "target_position", "target_index", "weight"})
        table.columns.push_back({name, {}});
    for (const Side side : kSides)
        if (const features::Graph* const graph = sides[indexOf(side)])
            for (const features::GraphEdge& edge : graph->edges) {
                std::size_t column = 0;
                const auto add = [&](double value) { table.columns[column++].values.push_back(value); };
                add(static_cast<double>(indexOf(side)));
                for (const int end : {edge.source, edge.target}) {
                    const features::GraphNode& node = graph->nodes[static_cast<std::size_t>(end)];
                    add(static_cast<double>(node.kind));
                    add(node.layer);
                    add(node.position);
                    add(static_cast<double>(node.index));
                }
                add(edge.weight);
            }
    return table;
}

}  // namespace hs::panels
