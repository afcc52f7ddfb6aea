#pragma once

#include "features/graph/graph.h"

#include <optional>
#include <string>
#include <utility>

namespace hs::features {

/// A node's id in files of graphs: "3_120_5" is feature 120 of layer 3 at position 5, "3_-1_5" the error there,
/// "E_17_5" token 17, "9_17_5" its logit in a model of eight layers; "P_5" and "C" are ours. No two nodes share one.
std::string fileIdOf(const NodeId& node, int layers);

/// Two numbers as one, as files hold a feature and its layer.
std::int64_t paired(std::int64_t layer, std::int64_t feature);
/// The two numbers; none where they would not fit.
std::optional<std::pair<std::int64_t, std::int64_t>> unpaired(std::int64_t number);

}  // namespace hs::features
