#pragma once

#include "figures/parts/tile_panel.h"

namespace hs::figures {

/// Grids of heads that a reader can explore: what a file for a browser has in place of paper.
struct Page {
    std::vector<TilePanel> panels;
    bool isStacked = false;
    QString caption;
    Form form;
};

}  // namespace hs::figures
