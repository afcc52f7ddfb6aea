#pragma once

#include "control/document/graph_choice.h"
#include "figures/parts/graph_view.h"
#include "service/feature_graph.h"

#include <QStringList>

namespace hs::control {

/// What the user calls a feature, here or beside the transcoders; empty if it has no label.
QString featureLabel(const service::FeatureGraph& found, const GraphChoice& choice, FeatureId feature);

/// What features are called together, given as nodes of the graph: the first label that one of them has, otherwise the
/// token that the most influential one fires on, or "→ small", what it promotes; empty if nothing is known of it.
QString featureName(const service::FeatureGraph& found, const GraphChoice& choice,
                    const std::vector<int>& nodes);

/// Names the features and groups of a view that have no name; those of which nothing is known after their tokens.
void nameFeatures(figures::GraphView& view, const service::FeatureGraph& found, const GraphChoice& choice,
                  const QStringList& tokens);

}  // namespace hs::control
