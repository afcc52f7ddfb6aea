#pragma once

#include "grid/content.h"

namespace hs::control {
class Explorer;
}

namespace hs::grid {

/// Whether the MLPs of a side have tiles: they are wanted, and its model can run.
bool showsMlps(const control::Explorer& explorer, Side side);

/// What each MLP of the shown run does for the answer, by layer; empty while the attribution that says so is not there.
std::map<int, MlpTile> mlpTiles(const control::Explorer& explorer, Side side);

}  // namespace hs::grid
