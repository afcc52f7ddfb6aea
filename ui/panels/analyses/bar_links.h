#pragma once

namespace hs::control {
class Explorer;
}

namespace hs::panels {

class HeadBars;

/// Ties bars to tiles: pointing at a bar points at its head in its side's grid, picking it selects its
/// heads (Ctrl or Shift adds to the selection, or takes off) and makes the first of them current, a
/// cell is pinned as well; heads selected anywhere are marked.
void linkBars(HeadBars& bars, control::Explorer& explorer);

}  // namespace hs::panels
