#pragma once

#include "base/feature_scale.h"
#include "features/graph/supernodes.h"

#include <QString>

#include <map>
#include <string>
#include <vector>

namespace hs::control {

/// What the user decides about the features of a side.
struct GraphChoice {
    QString coders;                         // folder of transcoders; empty: the one beside the model
    std::vector<features::NodeId> picked;   // nodes that stand out; the first one is described
    std::vector<features::NodeId> sources;  // ends of the edge whose heads are asked for
    std::vector<features::NodeId> targets;
    std::vector<features::Supernode> groups;  // drawn as one node each
    std::vector<FeatureScale> scales;         // of features in the run
    std::map<FeatureId, std::string> labels;  // given here; an empty one is none

    friend bool operator==(const GraphChoice&, const GraphChoice&) = default;
};

}  // namespace hs::control
