#pragma once

#include "control/explorer/explorer.h"

#include <QString>

namespace hs::grid {

/// What is known of the cell under the pointer: "query 14 “to” → key 2 “Mary” · L6H2 · weight 0.961 ·
/// score 4.81 · gate open". Asks the Explorer for the layer's maps; until they are there the weight
/// is the tile's, with a sign that it is about so. Empty while the pointer is on nothing.
QString describeHover(control::Explorer& explorer);

}  // namespace hs::grid
