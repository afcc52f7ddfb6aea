#include "features/graph/graph.h"

#include "base/json.h"
#include "features/coders/transcoders.h"
#include "support/models.h"

#include <cmath>
#include <map>

using namespace hs;
using namespace hs::test;
using features::NodeId;
using Kind = features::GraphNode::Kind;

namespace {

std::filesystem::path goldenGraphs()
{
    return std::filesystem::path(HS_SOURCE_DIR) / "tests" / "golden" / "graphs";
}

NodeId idIn(const Json& node)
{
    return {*fromWord<Kind>(node[0].get<std::string>()), node[1], node[2], node[3]};
}

}  // namespace

// Graphs by autograd through transformers' own models; see tests/golden/make_graphs.py.
TEST_CASE("graphs equal, edge by edge, those that autograd finds in transformers")
{
    int graphs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(goldenGraphs())) {
        const std::string name = entry.path().filename().string();
        INFO(name);
        const Json expected = readJsonFile(entry.path() / "graph.json");
        features::GraphRequest request;
        request.run.model = openGolden(name);
        request.run.tokens = expected["tokens"].get<std::vector<std::int64_t>>();
        if (!expected["gate_bias"].is_null())
            request.run.gate = engine::ScoreGate{expected["gate_bias"]};
        request.coders = value(features::openTranscoders(entry.path(), request.run.model->spec()));
        request.options.logits = 3;
        request.options.logitShare = 1;
        request.options.nodeShare = 1;
        request.options.edgeShare = 1;
        const features::Graph graph = value(features::makeGraph(request));

        std::map<NodeId, std::map<NodeId, double>> rows;
        std::map<NodeId, features::GraphNode> nodes;
        for (const features::GraphNode& node : graph.nodes)
            nodes[idOf(node)] = node;
        for (const features::GraphEdge& edge : graph.edges)
            rows[idOf(graph.nodes[static_cast<std::size_t>(edge.target)])]
                [idOf(graph.nodes[static_cast<std::size_t>(edge.source)])] = edge.weight;
        int compared = 0;
        for (const Json& row : expected["rows"]) {
            const Json& target = expected["nodes"][row["target"].get<std::size_t>()];
            INFO(target.dump());
            const auto found = rows.find(idIn(target));
            if (found == rows.end()) {
                // It leads to nothing: an edge from it to a row that is there would be missed below.
                REQUIRE(target[0] == "feature");
                continue;
            }
            REQUIRE(nodes[idIn(target)].activation ==
                    Approx(target[4].get<double>()).epsilon(1e-4).margin(1e-5));
            double largest = 0.01;
            for (const Json& edge : row["edges"])
                largest = std::max(largest, std::abs(edge[1].get<double>()));
            double constant = row["total"];
            for (const Json& edge : row["edges"]) {
                const double weight = edge[1];
                constant -= weight;
                const auto source = found->second.find(idIn(expected["nodes"][edge[0].get<std::size_t>()]));
                INFO(expected["nodes"][edge[0].get<std::size_t>()].dump() << " " << weight);
                REQUIRE((source != found->second.end() || std::abs(weight) < 1e-4 * largest));
                if (source != found->second.end())
                    REQUIRE(std::abs(source->second - weight) < 1e-4 * largest);
                ++compared;
            }
            REQUIRE(std::abs(found->second[{Kind::Constant}] - constant) < 2e-4 * largest);
        }
        REQUIRE(compared > 150);
        ++graphs;
    }
    REQUIRE(graphs == 3);
}
