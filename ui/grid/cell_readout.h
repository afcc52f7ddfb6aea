#pragma once

#include "control/explorer/explorer.h"

#include <QString>

namespace hs::grid {

/// What is known about the cell under the pointer: "query 14 “to” → key 2 “Mary” · L6H2 · weight 0.961 ·
/// score 4.81 · gate open · in sparse: 0.871", and what the other side has there. Asks the Explorer for the
/// layers' maps; until they arrive weights are the tiles', marked as approximate. Empty while the pointer is
/// not on a cell.
QString describeHover(control::Explorer& explorer);

}  // namespace hs::grid
