#include "service/graph_trees.h"

#include "service/result_trees.h"

#include <algorithm>

namespace hs::service {
namespace {

using remote::arrayOf;
using remote::readArray;
using remote::Tree;

constexpr int kMostNodes = 1 << 20;
constexpr int kMostGraphEdges = 1 << 26;
constexpr int kMostPlaces = 1 << 24;  // more tokens than any prompt has
constexpr int kLastFeature = 1 << 30;
constexpr int kNodeKinds = static_cast<int>(features::GraphNode::Kind::Logit) + 1;

std::size_t sizeFrom(const JsonReader& reader, int most)
{
    return static_cast<std::size_t>(reader["count"].integer(0, most));
}

void requireBelow(const JsonReader& reader, std::int64_t value, std::int64_t limit)
{
    if (value < 0 || value >= limit)
        reader.bad("names a node, a layer or a token that the graph does not have");
}

Tree nodesTree(const std::vector<features::GraphNode>& nodes)
{
    std::vector<std::int32_t> places;   // [node, 3]
    std::vector<std::int64_t> indices;  // [node]
    std::vector<double> numbers;        // [node, 4]
    for (const features::GraphNode& node : nodes) {
        places.insert(places.end(), {static_cast<int>(node.kind), node.layer, node.position});
        indices.push_back(node.index);
        numbers.insert(numbers.end(), {node.activation, node.probability, node.influence, node.rank});
    }
    return {{"count", nodes.size()},
            {"places", arrayOf(places)},
            {"indices", arrayOf(indices)},
            {"numbers", arrayOf(numbers)}};
}

std::vector<features::GraphNode> nodesOfGraph(const JsonReader& reader, int layers, std::int64_t tokens)
{
    const std::size_t count = sizeFrom(reader, kMostNodes);
    const auto places = readArray<std::int32_t>(reader["places"], 3 * count);
    const auto indices = readArray<std::int64_t>(reader["indices"], count);
    const auto numbers = readArray<double>(reader["numbers"], 4 * count);
    std::vector<features::GraphNode> nodes(count);
    for (std::size_t at = 0; at < count; ++at) {
        requireBelow(reader, places[3 * at], kNodeKinds);
        requireBelow(reader, places[3 * at + 1], layers + 1);
        requireBelow(reader, places[3 * at + 2], tokens);
        requireBelow(reader, indices[at], kLastFeature);
        nodes[at] = {static_cast<features::GraphNode::Kind>(places[3 * at]),
                     places[3 * at + 1],
                     places[3 * at + 2],
                     indices[at],
                     numbers[4 * at],
                     numbers[4 * at + 1],
                     numbers[4 * at + 2],
                     numbers[4 * at + 3]};
    }
    return nodes;
}

Tree edgesTree(const std::vector<features::GraphEdge>& edges)
{
    std::vector<std::int32_t> ends;  // [edge, 2]
    std::vector<double> weights;     // [edge]
    for (const features::GraphEdge& edge : edges) {
        ends.insert(ends.end(), {edge.target, edge.source});
        weights.push_back(edge.weight);
    }
    return {{"count", edges.size()}, {"ends", arrayOf(ends)}, {"weights", arrayOf(weights)}};
}

std::vector<features::GraphEdge> edgesOfGraph(const JsonReader& reader, std::size_t nodes)
{
    const std::size_t count = sizeFrom(reader, kMostGraphEdges);
    const auto ends = readArray<std::int32_t>(reader["ends"], 2 * count);
    const auto weights = readArray<double>(reader["weights"], count);
    std::vector<features::GraphEdge> edges(count);
    for (std::size_t at = 0; at < count; ++at) {
        requireBelow(reader, ends[2 * at], static_cast<std::int64_t>(nodes));
        requireBelow(reader, ends[2 * at + 1], static_cast<std::int64_t>(nodes));
        edges[at] = {ends[2 * at], ends[2 * at + 1], weights[at]};
    }
    return edges;
}

Tree graphTree(const features::Graph& graph)
{
    return {{"tokenCount", graph.tokens.size()},
            {"tokens", arrayOf(graph.tokens)},
            {"layers", graph.layers},
            {"place", wordOf(graph.place)},
            {"fvu", arrayOf(graph.fvu)},
            {"nodes", nodesTree(graph.nodes)},
            {"edges", edgesTree(graph.edges)},
            {"allNodes", graph.allNodes},
            {"allEdges", graph.allEdges},
            {"scores", arrayOf(std::vector{graph.replacement, graph.completeness, graph.constants})},
            {"rests", arrayOf(graph.rests)}};
}

features::Graph graphFrom(const JsonReader& reader, const HeadShape& heads)
{
    features::Graph graph;
    const auto tokens = static_cast<std::size_t>(reader["tokenCount"].integer(0, kMostPlaces));
    graph.tokens = readArray<std::int64_t>(reader["tokens"], tokens);
    graph.layers = reader["layers"].integer(heads.layers, heads.layers);
    graph.place = reader["place"].word<features::Place>();
    graph.fvu = readArray<double>(reader["fvu"], static_cast<std::size_t>(graph.layers));
    graph.nodes = nodesOfGraph(reader["nodes"], graph.layers, static_cast<std::int64_t>(tokens));
    graph.edges = edgesOfGraph(reader["edges"], graph.nodes.size());
    graph.allNodes = reader["allNodes"].integer(0, kLastFeature);
    graph.allEdges = static_cast<std::int64_t>(reader["allEdges"].number(0, 1e15));
    const auto scores = readArray<double>(reader["scores"], 3);
    graph.replacement = scores[0];
    graph.completeness = scores[1];
    graph.constants = scores[2];
    graph.rests = readArray<double>(reader["rests"], graph.nodes.size());
    return graph;
}

Tree tokensTree(const std::vector<features::FeatureToken>& tokens)
{
    Tree tree = Tree::array();
    for (const features::FeatureToken& token : tokens)
        tree.push_back({token.text, token.value, token.context, token.begin});
    return tree;
}

std::vector<features::FeatureToken> featureTokensFrom(const JsonReader& reader)
{
    std::vector<features::FeatureToken> tokens;
    for (const JsonReader& token : reader.items()) {
        std::string context = token[2].text();
        const int begin = token[3].integer(0, static_cast<int>(context.size()));
        tokens.push_back(
            {token[0].text(), token[1].number(), std::move(context), static_cast<std::size_t>(begin)});
    }
    return tokens;
}

std::vector<features::FeatureTexts> textsFrom(const JsonReader& reader, int layers)
{
    std::vector<features::FeatureTexts> texts;
    for (const JsonReader& entry : reader.items()) {
        features::FeatureTexts& one = texts.emplace_back();
        one.feature = {entry["layer"].integer(0, layers - 1), entry["index"].integer(0, kLastFeature)};
        one.label = entry["label"].text();
        if (entry["frequency"])
            one.frequency = entry["frequency"].number(0, 1);
        one.firesOn = featureTokensFrom(entry["firesOn"]);
        one.promotes = featureTokensFrom(entry["promotes"]);
        one.suppresses = featureTokensFrom(entry["suppresses"]);
    }
    std::ranges::sort(texts, {}, &features::FeatureTexts::feature);
    return texts;
}

}  // namespace

Tree treeOf(const std::vector<features::NodeId>& nodes)
{
    Tree tree = Tree::array();
    for (const features::NodeId& node : nodes)
        tree.push_back({wordOf(node.kind), node.layer, node.position, node.index});
    return tree;
}

std::vector<features::NodeId> nodesFrom(const JsonReader& reader)
{
    std::vector<features::NodeId> nodes;
    for (const JsonReader& node : reader.items())
        nodes.push_back({node[0].word<features::GraphNode::Kind>(), node[1].integer(0, kMostPlaces),
                         node[2].integer(0, kMostPlaces), node[3].integer(0, kLastFeature)});
    return nodes;
}

Tree treeOf(const std::map<FeatureId, std::string>& labels)
{
    Tree tree = Tree::object();
    for (const auto& [feature, label] : labels)
        tree[toString(feature)] = label;
    return tree;
}

std::map<FeatureId, std::string> labelsFrom(const JsonReader& reader)
{
    if (!reader.json().is_object())
        reader.refuse("a list of features such as {\"L3F120\": \"large\"}");
    std::map<FeatureId, std::string> labels;
    for (const auto& [text, label] : reader.json().items()) {
        const std::optional<FeatureId> feature = parseFeatureId(text);
        if (!feature)
            reader.refuse("made of features such as \"L3F120\"");
        labels[*feature] = reader[text.c_str()].text();
    }
    return labels;
}

Tree treeOf(const FeatureGraph& found)
{
    Tree texts = Tree::array();
    for (const features::FeatureTexts& entry : found.texts) {
        texts.push_back({{"layer", entry.feature.layer},
                         {"index", entry.feature.index},
                         {"label", entry.label},
                         {"firesOn", tokensTree(entry.firesOn)},
                         {"promotes", tokensTree(entry.promotes)},
                         {"suppresses", tokensTree(entry.suppresses)}});
        if (entry.frequency)
            texts.back()["frequency"] = *entry.frequency;
    }
    Tree carried = Tree::array();
    for (const CarriedEdge& edge : found.carried)
        carried.push_back({{"edge", edge.edge}, {"loads", arrayOf(edge.loads)}});
    return {{"graph", graphTree(found.graph)}, {"heads", toTree(found.shape)},
            {"coders", found.coders},          {"notes", found.notes},
            {"texts", std::move(texts)},       {"carried", std::move(carried)}};
}

FeatureGraph featureGraphFrom(const JsonReader& reader, const HeadShape& heads)
{
    FeatureGraph found;
    found.shape = headShapeFrom(reader["heads"]);
    if (found.shape != heads)
        reader.bad("is of another model");
    found.graph = graphFrom(reader["graph"], heads);
    found.coders = reader["coders"].text();
    for (const JsonReader& note : reader["notes"].items())
        found.notes.push_back(note.text());
    found.texts = textsFrom(reader["texts"], heads.layers);
    for (const JsonReader& edge : reader["carried"].items()) {
        requireBelow(edge, static_cast<std::int64_t>(0), static_cast<std::int64_t>(found.graph.edges.size()));
        found.carried.push_back({edge["edge"].integer(0, static_cast<int>(found.graph.edges.size()) - 1),
                                 readArray<double>(edge["loads"], static_cast<std::size_t>(heads.total()))});
    }
    return found;
}

Tree treeOf(const features::EdgeHeads& found)
{
    std::vector<double> cuts;         // [layer, 4]
    std::vector<std::int32_t> cells;  // [cell, 4]
    std::vector<double> loads;        // [cell]
    for (const features::EdgeHeads::Cut& cut : found.cuts)
        cuts.insert(cuts.end(), {cut.heads, cut.bypass, cut.later, cut.earlier});
    for (const features::CellLoad& cell : found.cells) {
        cells.insert(cells.end(), {cell.head.layer, cell.head.head, cell.cell.query, cell.cell.key});
        loads.push_back(cell.load);
    }
    return {{"heads", toTree(found.shape)},
            {"cutCount", found.cuts.size()},
            {"cuts", arrayOf(cuts)},
            {"loads", arrayOf(found.loads)},
            {"direct", arrayOf(found.direct)},
            {"cells", {{"count", loads.size()}, {"places", arrayOf(cells)}, {"loads", arrayOf(loads)}}},
            {"numbers", arrayOf(std::vector{found.edge, found.noHead, found.chains})}};
}

features::EdgeHeads edgeHeadsFrom(const JsonReader& reader, const HeadShape& heads)
{
    features::EdgeHeads found;
    found.shape = headShapeFrom(reader["heads"]);
    if (found.shape != heads)
        reader.bad("is of another model");
    const auto cuts = static_cast<std::size_t>(reader["cutCount"].integer(0, heads.layers));
    const auto parts = readArray<double>(reader["cuts"], 4 * cuts);
    for (std::size_t layer = 0; layer < cuts; ++layer)
        found.cuts.push_back(
            {parts[4 * layer], parts[4 * layer + 1], parts[4 * layer + 2], parts[4 * layer + 3]});
    const auto total = static_cast<std::size_t>(heads.total());
    found.loads = readArray<double>(reader["loads"], total);
    found.direct = readArray<double>(reader["direct"], total);
    const std::size_t cells = sizeFrom(reader["cells"], kMostGraphEdges);
    const auto places = readArray<std::int32_t>(reader["cells"]["places"], 4 * cells);
    const auto loads = readArray<double>(reader["cells"]["loads"], cells);
    for (std::size_t at = 0; at < cells; ++at) {
        requireBelow(reader, places[4 * at], heads.layers);
        requireBelow(reader, places[4 * at + 1], heads.heads);
        requireBelow(reader, places[4 * at + 2], kMostPlaces);
        requireBelow(reader, places[4 * at + 3], kMostPlaces);
        found.cells.push_back(
            {{places[4 * at], places[4 * at + 1]}, {places[4 * at + 2], places[4 * at + 3]}, loads[at]});
    }
    const auto numbers = readArray<double>(reader["numbers"], 3);
    found.edge = numbers[0];
    found.noHead = numbers[1];
    found.chains = numbers[2];
    return found;
}

}  // namespace hs::service
