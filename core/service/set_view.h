#pragma once

#include "service/backend.h"

namespace hs::service {

// What a side shows of a set of prompts, as what it would show of one.

/// Throws Failure where no prompt could be run.
SideResult sideResultOf(const SideRequest& request, const analyses::SetResult& set);
engine::LayerMap layerOf(const SideRequest& request, const MapQuery& query, const analyses::SetResult& set);
/// [layer * head]
std::vector<float> cellsOf(const SideRequest& request, int query, int key, const analyses::SetResult& set);

/// Why there is no such map of a set; empty if there is, or if the request is about one prompt.
std::string whyNotOfSet(const SideRequest& request, engine::MapKind kind);

}  // namespace hs::service
