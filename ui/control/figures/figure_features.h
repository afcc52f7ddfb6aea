#pragma once

#include "control/figures/figure_sources.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::control {

/// A side's graph, as figures show it.
struct SideFeatures {
    Side side = Side::Left;
    service::FeatureGraph found;
    std::vector<features::Supernode> groups;  // the user's, or by likeness; those have no names
};

/// Whether every side shown has transcoders.
bool haveFeatures(const FigureSources& sources);

/// The graph of a side, with the groups that the user made; without any, with groups by likeness.
SideFeatures featuresOf(const FigureSources& sources, Side side);

/// What carries the influence of one token's embedding and features to the prediction, in the way of the attribution
/// figure; none if nothing of another token reaches it.
std::optional<figures::AttributionFigure> featureAttribution(const FigureSources& sources);

/// "reconstruction: 0.12 of the MLPs' outputs unexplained (FVU); errors carry 9 %": how far to trust a graph.
QString trustWords(const features::Graph& graph);

}  // namespace hs::control
