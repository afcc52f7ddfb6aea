#pragma once

#include "base/json.h"
#include "features/graph/graph.h"
#include "features/graph/supernodes.h"

#include <functional>
#include <map>
#include <string>

namespace hs::features {

/// What a graph's file says besides the graph. Texts are UTF-8.
struct GraphLabels {
    std::string slug;  // the file's name in a viewer
    std::string scan;  // the transcoders, or the model
    std::string prompt;
    std::vector<std::string> tokens;                         // [position] of the prompt
    std::function<std::string(std::int64_t)> tokenText;      // of a token of the vocabulary
    std::function<std::string(const NodeId&)> featureLabel;  // may be empty
    GraphOptions options;
    std::vector<Supernode> supernodes;
};

/// The graph in the form that circuit-tracer's page and Neuronpedia read. What they do not know, positions, constants
/// and what pruning left out, is under the key "headscope".
Json toJson(const Graph& graph, const GraphLabels& labels);

/// A graph read back.
struct GraphFile {
    Graph graph;
    std::string prompt;
    std::vector<std::string> tokens;
    std::map<NodeId, std::string> labels;  // of features that have one
    std::vector<Supernode> supernodes;
    std::vector<std::string> notes;  // what could not be understood
};

/// Reads what `toJson` wrote, or another program in the same form; the JSON is untrusted.
Result<GraphFile> readGraph(const Json& json, const std::string& source);

}  // namespace hs::features
