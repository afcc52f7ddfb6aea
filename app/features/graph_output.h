#pragma once

#include "engine/load/open_model.h"
#include "features/graph/edge_heads.h"
#include "features/graph/graph_json.h"

#include <string>
#include <string_view>

namespace hs::app {

/// A graph and its edges as tables and JSON, with the texts of tokens.
class GraphOutput {
public:
    GraphOutput(const features::Graph& graph, const features::GraphRequest& request,
                const engine::Workspace& workspace);

    /// The node that a word names: "L3F120@5", "token@5", "logit". Throws Failure.
    features::NodeId node(const std::string& word) const;

    Json graphJson() const;
    std::string graphTable() const;
    Json headsJson(const features::NodeId& source, const features::NodeId& target,
                   const features::EdgeHeads& heads, double share) const;
    std::string headsTable(const features::NodeId& source, const features::NodeId& target,
                           const features::EdgeHeads& heads, double share) const;

private:
    std::string tokenAt(int position) const;
    std::string nameOf(const features::NodeId& node) const;
    std::string edgesOf(std::size_t target) const;

    const features::Graph& m_graph;
    const features::GraphRequest& m_request;
    const engine::Workspace& m_workspace;
};

}  // namespace hs::app
