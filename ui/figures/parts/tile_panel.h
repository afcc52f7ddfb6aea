#pragma once

#include "base/cell_id.h"
#include "engine/request/run_result.h"
#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"
#include "figures/parts/probability.h"
#include "render/cell_places.h"
#include "render/tile_flow.h"
#include "text/token_match.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace hs::figures {

/// A token that may come next.
struct NextToken {
    QString label;
    ProbabilityChange change;
};

/// What the tiles' rows and columns stand for, and what the model says: for pages, which have room for it.
struct PanelText {
    std::vector<QString> tokens;     // labels of the queries, [position]
    std::vector<QString> keyTokens;  // and of the keys; empty: the same
    /// [position] The same characters in the other panel; empty: the same positions.
    std::vector<std::optional<text::TokenSpan>> matches;
    int position = 0;             // whose next token is predicted
    std::vector<NextToken> next;  // the same tokens in every panel
};

/// One model's heads as tiles.
struct TilePanel {
    QString title;
    QString caption;  // one line of figures below the title
    engine::RunResult result;
    std::vector<HeadId> heads;   // in drawing order
    render::TileFlow flow;       // in which they fill the panel
    std::set<HeadId> ablated;    // drawn hatched
    std::set<HeadId> patched;    // the ablated heads that have another prompt's outputs
    render::CellPlaces edited;   // drawn hatched, too
    std::optional<CellId> mark;  // outlined in every tile
    std::vector<QString> below;  // [tile] a few characters below each; empty: none
    bool isGiven = false;        // maps from a file: nothing was computed
    std::map<int, double> mlps;  // what each layer's MLP adds to the answer's logit; empty: heads alone
    double mostWritten = 0;      // the most that a head or an MLP adds or takes away
    PanelText text;
};

/// What an MLP adds, of the most that any part does.
double shareOfMlp(const TilePanel& panel, int layer);

/// "64 of 64 heads · active edges 0.42 % · loss 1.20 · 2 ablated", or "64 of 64 heads · 7 queries × 19 keys".
QString describeRun(const TilePanel& panel);

/// Panel, layer, head, query, key and weight of every cell, of causal patterns on or below the tiles' diagonals;
/// queries and keys are tokens if a tile has a cell for each, otherwise cells. Where there are MLPs also a row for each,
/// without a head, and what it adds to the logit.
DataTable table(const std::vector<TilePanel>& panels);

}  // namespace hs::figures
