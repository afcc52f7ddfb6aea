#pragma once

#include "base/side.h"
#include "control/document/document.h"
#include "figures/parts/graph_view.h"
#include "service/feature_graph.h"

#include <QStringList>

#include <array>
#include <functional>
#include <memory>
#include <optional>

namespace hs::panels {

/// One side's graph as the panel shows it.
struct ShownGraph {
    std::shared_ptr<const service::FeatureGraph> found;  // null: there is none
    figures::GraphView view;
    QStringList names;   // [node of the view] of features and logits; empty for other kinds
    QStringList tokens;  // labels
    QStringList logits;  // [node of the graph] the token of a logit; empty for other kinds

    const features::Graph& graph() const { return found->graph; }
    /// The graph's first node of a node of the view.
    const features::GraphNode& firstOf(int node) const;
    /// The ids of the members of a node of the view.
    std::vector<features::NodeId> idsOf(int node) const;
    /// The nodes of the view that hold any of these.
    std::vector<int> nodesWith(const std::vector<features::NodeId>& ids) const;
    /// Where a feature fires, and how strongly, as far as the graph knows. [token]
    std::vector<double> activationsOf(FeatureId feature) const;
};

/// The graph of a result under the user's choices. `logitText` gives the text of a vocabulary entry.
ShownGraph shownGraph(std::shared_ptr<const service::FeatureGraph> found, double share,
                      const control::GraphChoice& choice, const QStringList& tokens,
                      const std::function<QString(std::int64_t)>& logitText);

/// "large · L1F40 at ·large 5", "error of layer 2 at …", "·large 5", "output small".
QString nodeWords(const ShownGraph& shown, int node);

/// The edge that stands for a node: its strongest one to another token, or else from one, or else any.
std::optional<figures::ViewEdge> edgeFor(const figures::GraphView& view, int node);

/// The strongest edge of another model's graph that leads between the same tokens, to the same logit if it is one.
std::optional<figures::ViewEdge> counterpart(const ShownGraph& from, const figures::ViewEdge& edge,
                                             const ShownGraph& to);

}  // namespace hs::panels
