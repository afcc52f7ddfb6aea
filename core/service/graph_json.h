#pragma once

#include "base/json.h"
#include "service/feature_graph.h"

namespace hs::service {

/// Everything a graph holds, with the labels of its features.
Json jsonOf(const FeatureGraph& found);
/// What each head, and each cell of one, carries of an edge.
Json jsonOf(const features::EdgeHeads& found);

}  // namespace hs::service
