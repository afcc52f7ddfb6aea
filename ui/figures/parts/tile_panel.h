#pragma once

#include "base/cell_id.h"
#include "engine/request/run_result.h"
#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"
#include "render/tile_flow.h"

#include <optional>
#include <set>
#include <vector>

namespace hs::figures {

/// One model's heads as tiles.
struct TilePanel {
    QString title;
    QString caption;  // one line of figures below the title
    engine::RunResult result;
    std::vector<HeadId> heads;   // in drawing order
    render::TileFlow flow;       // in which they fill the panel
    std::set<HeadId> ablated;    // drawn hatched
    std::set<HeadId> patched;    // the ablated heads that have another prompt's outputs
    std::optional<CellId> mark;  // outlined in every tile
    std::vector<QString> below;  // [tile] a few characters below each; empty: none
    bool isGiven = false;        // maps from a file: nothing was computed
};

/// "64 of 64 heads · active edges 0.42 % · loss 1.20 · 2 ablated", or "64 of 64 heads · 7 queries × 19 keys".
QString describeRun(const TilePanel& panel);

/// Panel, layer, head, query, key and weight of every cell, of causal patterns on or below the tiles' diagonals;
/// queries and keys are tokens if a tile has a cell for each, otherwise cells.
DataTable table(const std::vector<TilePanel>& panels);

}  // namespace hs::figures
