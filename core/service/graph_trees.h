#pragma once

#include "remote/tree.h"
#include "service/feature_graph.h"

#include <map>

namespace hs::service {

// Graphs of features as trees, for another machine. Reading throws Failure: what came from there is not trusted.

remote::Tree treeOf(const std::vector<features::NodeId>& nodes);
std::vector<features::NodeId> nodesFrom(const JsonReader& reader);

remote::Tree treeOf(const std::map<FeatureId, std::string>& labels);
std::map<FeatureId, std::string> labelsFrom(const JsonReader& reader);

remote::Tree treeOf(const FeatureGraph& found);
FeatureGraph featureGraphFrom(const JsonReader& reader, const HeadShape& heads);

remote::Tree treeOf(const features::EdgeHeads& found);
features::EdgeHeads edgeHeadsFrom(const JsonReader& reader, const HeadShape& heads);

}  // namespace hs::service
