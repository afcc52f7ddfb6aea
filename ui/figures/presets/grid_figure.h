#pragma once

#include "figures/parts/tile_panel.h"

namespace hs::figures {

/// Tiles of one or two models: `head-grid` side by side, `ranked-heads` stacked.
struct GridFigure {
    std::vector<TilePanel> panels;
    bool isStacked = false;
    QString caption;  // what the tiles show
};

Drawing draw(const GridFigure& figure, const Form& form);
DataTable table(const GridFigure& figure);

}  // namespace hs::figures
