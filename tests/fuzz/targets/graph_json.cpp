#include "fuzz/target.h"

#include "base/failure.h"
#include "features/graph/graph_json.h"

namespace hs::fuzz {
namespace {

void check(std::string_view input)
{
    const auto json = guarded([&] { return parseJson(input, "graph.json"); });
    if (!json)
        return requireRefusal(json.error());
    const Result<features::GraphFile> file = features::readGraph(*json, "graph.json");
    if (!file)
        return requireRefusal(file.error());
    const auto nodes = static_cast<int>(file->graph.nodes.size());
    require(file->graph.rests.size() == file->graph.nodes.size(), "each node has a rest");
    for (const features::GraphEdge& edge : file->graph.edges) {
        require(edge.source >= 0 && edge.source < nodes && edge.target >= 0 && edge.target < nodes,
                "edges join nodes");
        const auto kind = file->graph.nodes[static_cast<std::size_t>(edge.target)].kind;
        require(kind == features::GraphNode::Kind::Feature || kind == features::GraphNode::Kind::Logit,
                "only features and logits are led to");
    }
    const Json written = toJson(file->graph, {});
    require(static_cast<bool>(features::readGraph(written, "graph.json")) || file->graph.layers == 0 ||
                file->graph.fvu.empty(),
            "what was read can be written and read again");
}

const Target kTarget("graph_json", check);

}  // namespace
}  // namespace hs::fuzz
