#pragma once

namespace hs::control {
class Explorer;
}

namespace hs::panels {

class HeadBars;

/// Links bars to tiles: pointing at a bar points at its head in its side's grid; picking it selects its heads
/// (Ctrl or Shift adds or removes them), makes the first of them current and pins its cell, if any. Bars of
/// selected heads are marked.
void linkBars(HeadBars& bars, control::Explorer& explorer);

}  // namespace hs::panels
