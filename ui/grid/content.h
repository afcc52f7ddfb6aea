#pragma once

#include "control/document/document.h"
#include "grid/tile_badge.h"
#include "render/tile_pyramid.h"
#include "stats/head_kind.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace hs::grid {

/// What one grid draws below its marks. A value: the picture is redrawn when it changes.
struct Content {
    QString title;
    QString caption;
    QString emptyText;                                 // what to do next, if there is nothing to draw
    std::shared_ptr<const render::TilePyramid> tiles;  // null: nothing
    /// Full maps of heads drawn larger than `tiles` has cells; see TilePyramid::ofMap.
    std::map<HeadId, std::shared_ptr<const render::TilePyramid>> fullMaps;
    std::vector<HeadId> heads;  // in drawing order
    int columns = 0;            // tiles per row; 0: layers down, heads across
    std::set<HeadId> ablated;
    std::set<HeadId> patched;  // the ablated heads that have another prompt's outputs
    std::map<HeadId, TileBadge> badges;
    std::map<HeadId, stats::HeadKind> kinds;  // of the heads that have one; empty unless kinds are shown
    std::set<HeadId> sinks;                   // the first key takes most of their weight
    std::set<HeadId> filtered;         // do not match the filter: dimmed
    std::map<HeadId, double> density;  // active share of each head's cells
    bool isStale = false;              // a newer run is under way: everything is dimmed
    control::Look look;

    bool isEmpty() const { return !tiles || heads.empty(); }

    friend bool operator==(const Content&, const Content&) = default;
};

/// What is marked on top of the content. Positions count from 0.
struct Marks {
    std::set<HeadId> selected;
    std::optional<HeadId> current;  // the head with the keyboard's focus
    bool hasFocus = false;          // keys go to this grid
    std::optional<int> pinnedQuery;
    std::optional<int> pinnedKey;
    std::set<HeadId> pinnedHeads;       // map the pinned key to the pinned query
    std::optional<HeadId> hoveredHead;  // in this grid
    std::optional<int> hoveredQuery;
    std::optional<int> hoveredKey;

    friend bool operator==(const Marks&, const Marks&) = default;
};

/// A cell under the pointer.
struct TileCell {
    HeadId head;
    int query = 0;
    int key = 0;

    friend bool operator==(const TileCell&, const TileCell&) = default;
};

}  // namespace hs::grid
