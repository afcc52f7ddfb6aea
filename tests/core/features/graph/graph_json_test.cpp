#include "features/graph/graph_json.h"

#include "core/features/graph/graph_sample.h"
#include "features/graph/graph_ids.h"

#include <set>

using namespace hs;
using namespace hs::test;
using Kind = features::GraphNode::Kind;

namespace {

struct Sample {
    features::Graph graph;
    features::GraphLabels labels;
};

Sample sample()
{
    features::GraphRequest request = wholeGraph(openGolden("gpt2"), madeKinds()[1], false);
    request.options.nodeShare = 0.9;
    Sample made{value(features::makeGraph(request)), {}};
    made.labels.slug = "sample";
    made.labels.scan = "made";
    made.labels.prompt = "a prompt";
    made.labels.tokens.assign(made.graph.tokens.size(), " a");
    made.labels.tokenText = [](std::int64_t token) { return "t" + std::to_string(token); };
    made.labels.featureLabel = [](const features::NodeId& id) { return id.index == 3 ? "three" : ""; };
    made.labels.supernodes = features::groupFeatures(made.graph, 0.3);
    return made;
}

}  // namespace

TEST_CASE("a graph reads back from its JSON as it was written")
{
    const Sample made = sample();
    const Json json = toJson(made.graph, made.labels);
    const features::GraphFile file = value(features::readGraph(json, "sample.json"));
    REQUIRE(file.notes.empty());
    REQUIRE(file.prompt == "a prompt");
    REQUIRE(file.tokens == made.labels.tokens);
    REQUIRE((file.supernodes == made.labels.supernodes));
    REQUIRE(file.graph.edges.size() == made.graph.edges.size());
    features::GraphLabels labels = made.labels;
    labels.featureLabel = [&](const features::NodeId& id) {
        const auto label = file.labels.find(id);
        return label == file.labels.end() ? std::string() : label->second;
    };
    REQUIRE(toJson(file.graph, labels) == json);
}

TEST_CASE("ids of a graph's file do not collide, and links join nodes that are there")
{
    const Sample made = sample();
    const Json json = toJson(made.graph, made.labels);
    for (const char* const key : {"slug", "scan", "transcoder_list", "prompt_tokens", "prompt"})
        REQUIRE(json["metadata"].contains(key));  // circuit-tracer reads no file without them
    std::set<std::string> ids;
    for (const Json& node : json["nodes"]) {
        REQUIRE(ids.insert(node["node_id"]).second);
        REQUIRE(node["layer"].is_string());
        if (node["feature_type"] == "logit")
            REQUIRE(node["clerp"].get<std::string>().find("\" (p=0.") != std::string::npos);
        if (node["feature_type"] == "mlp reconstruction error")
            REQUIRE(node["node_id"].get<std::string>().find("_-1_") != std::string::npos);
    }
    for (const Json& link : json["links"]) {
        REQUIRE(ids.count(link["source"]) == 1);
        REQUIRE(ids.count(link["target"]) == 1);
    }
}

TEST_CASE("two numbers are told apart from their pair")
{
    for (const auto& [layer, feature] : {std::pair(0, 0), std::pair(3, 120), std::pair(31, 2'500'000)})
        REQUIRE((features::unpaired(features::paired(layer, feature)) ==
                 std::pair<std::int64_t, std::int64_t>(layer, feature)));
    REQUIRE_FALSE(features::unpaired(-1));
}

TEST_CASE(
    "of a file in which an error and a feature share an id, links lead to the feature, and this is said")
{
    const Json json = Json::parse(R"({"metadata": {"prompt": "x", "prompt_tokens": ["x", "y"]}, "qParams": {},
        "nodes": [
        {"node_id": "0_1_1", "feature": 2, "layer": "0", "ctx_idx": 1, "feature_type": "cross layer transcoder"},
        {"node_id": "0_1_1", "feature": -1, "layer": "1", "ctx_idx": 1, "feature_type": "mlp reconstruction error"},
        {"node_id": "E_7_0", "feature": 0, "layer": "E", "ctx_idx": 0, "feature_type": "embedding"},
        {"node_id": "3_9_1", "feature": 9, "layer": "3", "ctx_idx": 1, "feature_type": "logit", "token_prob": 0.5}],
        "links": [{"source": "E_7_0", "target": "0_1_1", "weight": 1}, {"source": "0_1_1", "target": "3_9_1", "weight": 2},
                  {"source": "lost", "target": "3_9_1", "weight": 2}]})");
    const features::GraphFile file = value(features::readGraph(json, "old.json"));
    REQUIRE(file.graph.nodes[0].index == 1);
    REQUIRE(file.graph.tokens == std::vector<std::int64_t>{7, 0});
    REQUIRE((file.graph.edges == std::vector<features::GraphEdge>{{0, 2, 1}, {3, 0, 2}, {3, 1, 2}}));
    REQUIRE(file.notes.size() == 2);
}
