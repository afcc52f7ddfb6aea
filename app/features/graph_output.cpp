#include "app/features/graph_output.h"

#include "app/support/text_table.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "base/feature_id.h"
#include "base/text_format.h"
#include "features/graph/graph_ids.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <numeric>

namespace hs::app {
namespace {

using features::NodeId;
using NodeKind = features::GraphNode::Kind;

constexpr std::size_t kNodesShown = 20;
constexpr std::size_t kEdgesShown = 12;
constexpr std::size_t kHeadsShown = 20;
constexpr std::size_t kCellsWritten = 1000;

std::string signedNumber(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%+.4f", value);
    return text;
}

std::string percent(double share)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
    return text;
}

[[noreturn]] void refuseNode(const std::string& word)
{
    fail(ErrorCode::BadRequest,
         "\"" + word +
             "\" is no node; write L3F120@5, L3error@5, token@5, position@5, constant, "
             "logit or logit=TEXT.");
}

int numberIn(std::string_view text, const std::string& word)
{
    int number = -1;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size() || number < 0)
        refuseNode(word);
    return number;
}

}  // namespace

GraphOutput::GraphOutput(const features::Graph& graph, const features::GraphRequest& request,
                         const engine::Workspace& workspace)
    : m_graph(graph), m_request(request), m_workspace(workspace)
{
}

std::string GraphOutput::tokenAt(int position) const
{
    return tokenText(m_workspace.tokenizer.get(), m_graph.tokens[static_cast<std::size_t>(position)]);
}

features::NodeId GraphOutput::node(const std::string& word) const
{
    if (word == "constant")
        return {NodeKind::Constant};
    if (word.starts_with("logit")) {
        const auto logit = std::ranges::find(m_graph.nodes, NodeKind::Logit, &features::GraphNode::kind);
        NodeId id = idOf(*logit);
        if (word.starts_with("logit="))
            id.index = wantedToken(m_workspace, word.substr(6));
        else if (word != "logit")
            refuseNode(word);
        return id;
    }
    const std::size_t at = word.find('@');
    if (at == std::string::npos)
        refuseNode(word);
    const int position = numberIn(std::string_view(word).substr(at + 1), word);
    if (position >= static_cast<int>(m_graph.tokens.size()))
        fail(ErrorCode::BadRequest, "The prompt has no position " + std::to_string(position) +
                                        "; the last one is " + std::to_string(m_graph.tokens.size() - 1) +
                                        ".");
    const std::string what = word.substr(0, at);
    if (what == "token")
        return {NodeKind::Token, 0, position, m_graph.tokens[static_cast<std::size_t>(position)]};
    if (what == "position")
        return {NodeKind::Position, 0, position};
    if (const std::optional<FeatureId> feature = parseFeatureId(what))
        return {NodeKind::Feature, feature->layer, position, feature->index};
    if (what.starts_with('L') && what.ends_with("error"))
        return {NodeKind::Error, numberIn(std::string_view(what).substr(1, what.size() - 6), word), position};
    refuseNode(word);
}

/// "L3F120 at 5 \" large\"".
std::string GraphOutput::nameOf(const NodeId& node) const
{
    if (node.kind == NodeKind::Constant)
        return "constant";
    if (node.kind == NodeKind::Logit)
        return "logit of \"" + tokenText(m_workspace.tokenizer.get(), node.index) + "\"" +
               (m_graph.versus ? " minus \"" + tokenText(m_workspace.tokenizer.get(), *m_graph.versus) + "\""
                               : "");
    const std::string where = " at " + std::to_string(node.position) + " \"" + tokenAt(node.position) + "\"";
    if (node.kind == NodeKind::Feature)
        return toString(FeatureId{node.layer, static_cast<int>(node.index)}) + where;
    if (node.kind == NodeKind::Error)
        return "L" + std::to_string(node.layer) + " error" + where;
    return std::string(wordOf(node.kind)) + where;
}

Json GraphOutput::graphJson() const
{
    const text::Tokenizer* const tokenizer = m_workspace.tokenizer.get();
    features::GraphLabels labels;
    labels.slug = m_workspace.model->facts().name;
    labels.scan = m_request.coders->facts().name;
    for (const std::int64_t token : m_graph.tokens) {
        labels.tokens.push_back(tokenText(tokenizer, token));
        labels.prompt += labels.tokens.back();
    }
    labels.tokenText = [tokenizer](std::int64_t token) { return tokenText(tokenizer, token); };
    labels.options = m_request.options;
    labels.supernodes = features::groupFeatures(m_graph);
    int number = 0;
    for (features::Supernode& supernode : labels.supernodes)
        supernode.name = "group " + std::to_string(++number);
    return features::toJson(m_graph, labels);
}

/// The strongest edges that lead to a node.
std::string GraphOutput::edgesOf(std::size_t target) const
{
    std::vector<features::GraphEdge> edges;
    double sum = m_graph.rests[target];
    for (const features::GraphEdge& edge : m_graph.edges)
        if (edge.target == static_cast<int>(target)) {
            edges.push_back(edge);
            sum += edge.weight;
        }
    std::ranges::stable_sort(edges, std::greater<>(),
                             [](const features::GraphEdge& e) { return std::abs(e.weight); });
    TextTable table;
    table.add("to " + nameOf(idOf(m_graph.nodes[target])), {"edge"});
    for (std::size_t at = 0; at < std::min(edges.size(), kEdgesShown); ++at) {
        table.add(nameOf(idOf(m_graph.nodes[static_cast<std::size_t>(edges[at].source)])),
                  {signedNumber(edges[at].weight)});
        sum -= edges[at].weight;
    }
    table.add("everything else", {signedNumber(sum)});
    return table.text();
}

std::string GraphOutput::graphTable() const
{
    const double fvu = std::accumulate(m_graph.fvu.begin(), m_graph.fvu.end(), 0.0) /
                       static_cast<double>(std::max<std::size_t>(m_graph.fvu.size(), 1));
    std::string text = formatCount(static_cast<std::int64_t>(m_graph.nodes.size())) + " nodes of " +
                       formatCount(m_graph.allNodes) + " and " +
                       formatCount(static_cast<std::int64_t>(m_graph.edges.size())) + " edges of " +
                       formatCount(m_graph.allEdges) + " are kept. Replacement score " +
                       percent(m_graph.replacement) + ", completeness " + percent(m_graph.completeness) +
                       ", constants " + percent(m_graph.constants) + "; the transcoders leave " +
                       percent(fvu) + " of the MLPs' outputs on this prompt.\n\n";
    std::vector<features::GraphNode> nodes;
    for (const features::GraphNode& node : m_graph.nodes)
        if (node.kind != NodeKind::Logit && node.kind != NodeKind::Constant)
            nodes.push_back(node);
    std::ranges::stable_sort(nodes, std::greater<>(), &features::GraphNode::influence);
    TextTable table;
    table.add("node", {"influence", "activation"});
    for (std::size_t at = 0; at < std::min(nodes.size(), kNodesShown); ++at)
        table.add(nameOf(idOf(nodes[at])),
                  {percent(nodes[at].influence),
                   nodes[at].kind == NodeKind::Feature ? shortNumber(nodes[at].activation) : std::string()});
    text += table.text();
    for (std::size_t node = 0; node < m_graph.nodes.size(); ++node)
        if (m_graph.nodes[node].kind == NodeKind::Logit) {
            text += "\n" + edgesOf(node);
            break;
        }
    return text;
}

Json GraphOutput::headsJson(const NodeId& source, const NodeId& target, const features::EdgeHeads& heads,
                            double share) const
{
    Json json = {{"source", features::fileIdOf(source, m_graph.layers)},
                 {"target", features::fileIdOf(target, m_graph.layers)},
                 {"edge", heads.edge},
                 {"no_head", heads.noHead},
                 {"chains", heads.chains},
                 {"share", share},
                 {"heads_for_share", features::headsForShare(heads, share)},
                 {"cells_for_share", features::cellsForShare(heads, share)},
                 {"heads", Json::array()},
                 {"cells", Json::array()},
                 {"cuts", Json::array()}};
    for (const HeadId head : heads.shape.all()) {
        const auto at = static_cast<std::size_t>(heads.shape.indexOf(head));
        json["heads"].push_back({{"layer", head.layer},
                                 {"head", head.head},
                                 {"load", heads.loads[at]},
                                 {"direct", heads.direct[at]}});
    }
    for (std::size_t at = 0; at < std::min(heads.cells.size(), kCellsWritten); ++at) {
        const features::CellLoad& cell = heads.cells[at];
        json["cells"].push_back({{"layer", cell.head.layer},
                                 {"head", cell.head.head},
                                 {"query", cell.cell.query},
                                 {"key", cell.cell.key},
                                 {"load", cell.load}});
    }
    for (const features::EdgeHeads::Cut& cut : heads.cuts)
        json["cuts"].push_back(
            {{"heads", cut.heads}, {"bypass", cut.bypass}, {"later", cut.later}, {"earlier", cut.earlier}});
    return json;
}

std::string GraphOutput::headsTable(const NodeId& source, const NodeId& target,
                                    const features::EdgeHeads& heads, double share) const
{
    double direct = 0;
    for (const double load : heads.direct)
        direct += load;
    std::string text = nameOf(source) + " → " + nameOf(target) + ": edge " + signedNumber(heads.edge) + ", " +
                       percent(share) + " by " + formatCount(features::headsForShare(heads, share)) +
                       " heads and " + formatCount(features::cellsForShare(heads, share)) +
                       " cells. Through one head " + signedNumber(direct) + ", through two or more " +
                       signedNumber(heads.chains) + ", through none " + signedNumber(heads.noHead) + ".\n\n";
    std::vector<HeadId> order = heads.shape.all();
    const auto loadOf = [&](HeadId head) {
        return heads.loads[static_cast<std::size_t>(heads.shape.indexOf(head))];
    };
    std::ranges::stable_sort(order, std::greater<>(), [&](HeadId head) { return std::abs(loadOf(head)); });
    TextTable table;
    table.add("head", {"load", "alone", "largest cell"});
    for (std::size_t at = 0; at < std::min(order.size(), kHeadsShown) && loadOf(order[at]) != 0; ++at) {
        const auto cell = std::ranges::find(heads.cells, order[at], &features::CellLoad::head);
        table.add(toString(order[at]),
                  {signedNumber(loadOf(order[at])),
                   signedNumber(heads.direct[static_cast<std::size_t>(heads.shape.indexOf(order[at]))]),
                   cell == heads.cells.end()
                       ? std::string()
                       : std::to_string(cell->cell.query) + " ← " + std::to_string(cell->cell.key)});
    }
    text += table.text() + "\n";
    TextTable cuts;
    cuts.add("layer", {"heads", "bypass", "later", "earlier"});
    for (std::size_t layer = 0; layer < heads.cuts.size(); ++layer) {
        const features::EdgeHeads::Cut& cut = heads.cuts[layer];
        cuts.add(std::to_string(layer), {signedNumber(cut.heads), signedNumber(cut.bypass),
                                         signedNumber(cut.later), signedNumber(cut.earlier)});
    }
    return text + cuts.text();
}

}  // namespace hs::app
