#pragma once

#include "figures/parts/tile_panel.h"

namespace hs::figures {

inline constexpr QFont::Weight kTileLabelWeight = QFont::DemiBold;

/// "L3H7".
QString tileLabel(HeadId head);

/// The size of labels inside of tiles: as large as looks well, shrunk to the least legible size
/// where they would leave their tile; 0 where even that does not fit.
double tileLabelSize(const TilePanel& panel, const FigureForm& form, double tileSide);

/// Draws a head's label into its tile, in the form's corner, or in another one rather than over
/// what little the head does.
void drawTileLabel(Drawing& drawing, const TilePanel& panel, HeadId head, const QRectF& tile, double size,
                   const FigureForm& form);

}  // namespace hs::figures
