#pragma once

#include "control/document/document.h"
#include "render/grid_layout.h"

#include <QSizeF>

#include <array>
#include <optional>
#include <vector>

namespace hs::grid {

/// What one grid has to show, and what the user has decided about its layout.
struct GridNeed {
    std::vector<HeadId> heads;
    control::GridChoice choice;
    bool hasMlps = false;  // a slim tile behind each layer's last head, where heads are in the layers' order

    friend bool operator==(const GridNeed&, const GridNeed&) = default;
};

/// Both grids and the room they share.
struct PlanNeeds {
    std::array<std::optional<GridNeed>, 2> grids;  // [Side]; those on show
    control::Arrangement arrangement = control::Arrangement::Automatic;
    bool isAlike = true;     // both grids take the same flow
    QSizeF room;             // for both, in view coordinates
    double titleHeight = 0;  // of what stands above each grid
    double spacing = 0;      // between the grids
    double headingSize = 0;  // see Viewport
    double pixelRatio = 1;

    friend bool operator==(const PlanNeeds&, const PlanNeeds&) = default;
};

/// How the grids share their room.
struct Plan {
    bool isStacked = false;
    std::array<render::TileFlow, 2> flows;  // [Side]
    std::array<int, 2> shares = {1, 1};     // [Side] device pixels that each needs across, or down if stacked
    double side = 1;                        // of a tile, in view coordinates

    friend bool operator==(const Plan&, const Plan&) = default;
};

/// The share of the canvases that is tiles if `plan` is followed: 0..1.
double tileShare(const PlanNeeds& needs, const Plan& plan);

/// The plan with the largest tiles among those the user's choices allow. Layers stay together unless there are
/// many heads, the room would be badly used, and a wrapped list has clearly larger tiles.
Plan planGrids(const PlanNeeds& needs);

/// The largest tile side that any layout, without headings, could have: what a plan is measured by.
double largestPossibleSide(const PlanNeeds& needs);

}  // namespace hs::grid
