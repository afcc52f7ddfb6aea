#pragma once

#include "figures/parts/tile_panel.h"

namespace hs::figures {

inline constexpr QFont::Weight kTileLabelWeight = QFont::DemiBold;

/// "L3H7".
QString tileLabel(HeadId head);

/// The size of labels inside tiles: as large as looks good, shrunk to the smallest legible size if they
/// would not fit their tile; 0 if even that is too large.
double tileLabelSize(const TilePanel& panel, const Form& form, double tileSide);

/// Draws a head's label into its tile: in the form's corner, or in another rather than over the little
/// that the head does.
void drawTileLabel(Drawing& drawing, const TilePanel& panel, HeadId head, const QRectF& tile, double size,
                   const Form& form);

}  // namespace hs::figures
