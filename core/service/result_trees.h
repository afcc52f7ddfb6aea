#pragma once

#include "remote/tree.h"
#include "service/backend.h"

namespace hs::service {

// Results as trees, for another machine. Reading throws Failure: what came from there is not trusted.

remote::Tree toTree(const analyses::DeviceCheck& check);
analyses::DeviceCheck deviceCheckFrom(const JsonReader& reader, const HeadShape& shape);

/// Without engine and tokenizer.
remote::Tree toTree(const OpenModel& model);
OpenModel openModelFrom(const JsonReader& reader);

/// What a run gave. With a `base`, a result of the same request's side that both ends have, tiles and statistics
/// are differences to it: of an ablation, only later layers travel.
remote::Tree toTree(const SideResult& result, const SideResult* base);
SideResult sideResultFrom(const JsonReader& reader, const SideRequest& request, const SideResult* base);

/// A layer's maps, of which the cells that no query sees do not travel.
remote::Tree toTree(const engine::LayerMap& map, int heads, int tokens);
engine::LayerMap layerMapFrom(const JsonReader& reader, engine::MapKind kind, int heads, int tokens);

remote::Tree toTree(const stats::PooledMaps& maps);
stats::PooledMaps pooledMapsFrom(const JsonReader& reader, const HeadShape& heads);

remote::Tree toTree(const AnalysisResult& result);
AnalysisResult analysisResultFrom(const JsonReader& reader, AnalysisKind kind, const HeadShape& heads);

/// Statistics of heads as one array of numbers, as exact as they are shown. [head, field]
std::vector<float> numbersOf(std::span<const stats::HeadStats> stats);
std::vector<stats::HeadStats> statsOf(std::span<const float> numbers);

remote::Tree toTree(const HeadShape& heads);
HeadShape headShapeFrom(const JsonReader& reader);

}  // namespace hs::service
