#pragma once

#include "control/document/document.h"
#include "grid/tile_badge.h"
#include "render/cell_places.h"
#include "render/grid_layout.h"
#include "render/tile_pyramid.h"
#include "stats/head_kind.h"
#include "text/token_match.h"

#include <QString>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace hs::grid {

/// What an MLP does for the answer.
struct MlpTile {
    double share = 0;  // of the largest that a head or an MLP does, with its sign
    QString words;     // how much, and the tokens it pushes

    friend bool operator==(const MlpTile&, const MlpTile&) = default;
};

/// What one grid draws below its marks. A value: the picture is redrawn when it changes.
struct Content {
    QString title;
    QString caption;
    QString emptyText;                                 // what to do next, if there is nothing to draw
    std::shared_ptr<const render::TilePyramid> tiles;  // null: nothing
    std::shared_ptr<const render::TilePyramid> fresh;  // of the layers that a newer run has done; null: none
    /// Full maps of heads drawn larger than `tiles` has cells; see TilePyramid::ofMap.
    std::map<HeadId, std::shared_ptr<const render::TilePyramid>> fullMaps;
    std::vector<HeadId> heads;    // in drawing order
    render::TileFlow flow;        // in which they fill the grid
    std::map<int, MlpTile> mlps;  // by layer, as far as they are known
    /// The heads whose places those take, one by one, if they stand in for others; empty: their own.
    std::vector<HeadId> places;
    std::set<HeadId> ablated;
    std::set<HeadId> patched;  // the ablated heads that have another prompt's outputs
    render::CellPlaces edited;
    QList<QRectF>
        unmatched;  // rows and columns of every tile, in parts of it, that have nothing to be compared with
    std::map<HeadId, TileBadge> badges;
    std::map<HeadId, stats::HeadKind> kinds;  // of the heads that have one; empty unless kinds are shown
    std::set<HeadId> sinks;                   // the first key takes most of their weight
    std::set<HeadId> filtered;                // do not match the filter: dimmed
    std::map<HeadId, double> density;         // active share of each head's cells
    bool isStale = false;                     // a newer run is under way: all that is not fresh is dimmed
    control::Look look;

    bool isEmpty() const { return !tiles || heads.empty(); }
    HeadId mlpBehind(const render::GridLayout::Mlp& mlp) const
    {
        return HeadId::mlpOf(heads[static_cast<std::size_t>(mlp.head)].layer);
    }
    bool isFresh(HeadId head) const { return fresh && fresh->heads().contains(head); }
    /// The tiles that have a head's; null if none do.
    const render::TilePyramid* tilesOf(HeadId head) const
    {
        return isFresh(head) ? fresh.get() : tiles->heads().contains(head) ? tiles.get() : nullptr;
    }

    /// Whether a tile of that many pixels per side has room for more cells than `tiles` has.
    bool wantsFullMaps(int pixels) const
    {
        return tiles->isPooled() && pixels > std::max(tiles->rows(), tiles->columns());
    }

    friend bool operator==(const Content&, const Content&) = default;
};

/// What is marked on top of the content. Positions count from 0; several if those of the other side cover
/// as much text.
struct Marks {
    std::set<HeadId> selected;
    std::optional<HeadId> current;  // the head with the keyboard's focus
    bool hasFocus = false;          // keys go to this grid
    std::optional<text::TokenSpan> pinnedQuery;
    std::optional<text::TokenSpan> pinnedKey;
    std::set<HeadId> pinnedHeads;       // map the pinned key to the pinned query
    std::optional<HeadId> hoveredHead;  // in this grid, or the counterpart of one in the other
    std::optional<text::TokenSpan> hoveredQuery;
    std::optional<text::TokenSpan> hoveredKey;

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
