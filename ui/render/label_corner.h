#pragma once

namespace hs {

/// Where a tile's label stands.
enum class LabelCorner { TopRight, TopLeft, BottomRight, BottomLeft };

}  // namespace hs
