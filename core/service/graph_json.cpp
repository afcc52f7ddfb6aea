#include "service/graph_json.h"

namespace hs::service {

Json jsonOf(const FeatureGraph& found)
{
    Json nodes = Json::array();
    for (const features::GraphNode& node : found.graph.nodes) {
        Json entry = {{"kind", wordOf(node.kind)},     {"layer", node.layer},
                      {"position", node.position},     {"index", node.index},
                      {"activation", node.activation}, {"probability", node.probability},
                      {"influence", node.influence},   {"rank", node.rank}};
        const bool isFeature = node.kind == features::GraphNode::Kind::Feature;
        const auto* const texts =
            isFeature ? found.textsOf({node.layer, static_cast<int>(node.index)}) : nullptr;
        if (texts && !texts->label.empty())
            entry["label"] = texts->label;
        nodes.push_back(std::move(entry));
    }
    Json edges = Json::array();
    for (const features::GraphEdge& edge : found.graph.edges)
        edges.push_back({{"source", edge.source}, {"target", edge.target}, {"weight", edge.weight}});
    return {{"transcoders", found.coders},
            {"tokens", found.graph.tokens},
            {"place", wordOf(found.graph.place)},
            {"fvu", found.graph.fvu},
            {"replacement", found.graph.replacement},
            {"completeness", found.graph.completeness},
            {"constants", found.graph.constants},
            {"nodes", std::move(nodes)},
            {"edges", std::move(edges)}};
}

Json jsonOf(const features::EdgeHeads& found)
{
    Json heads = Json::array();
    for (int index = 0; index < found.shape.total(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        heads.push_back({{"head", toString(found.shape.at(index))},
                         {"load", found.loads[at]},
                         {"direct", found.direct[at]}});
    }
    Json cells = Json::array();
    for (const features::CellLoad& cell : found.cells)
        cells.push_back({{"head", toString(cell.head)},
                         {"query", cell.cell.query},
                         {"key", cell.cell.key},
                         {"load", cell.load}});
    return {{"edge", found.edge},
            {"noHead", found.noHead},
            {"chains", found.chains},
            {"heads", std::move(heads)},
            {"cells", std::move(cells)}};
}

}  // namespace hs::service
