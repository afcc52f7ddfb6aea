#pragma once

#include "base/cell_id.h"
#include "base/head_change.h"
#include "base/head_id.h"
#include "base/token_spans.h"
#include "engine/request/stream_writes.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace hs::engine {

class Model;
class Adapter;
class HeadOutputs;

/// Some cells of a head's pattern: those listed, or all others.
struct CellMask {
    std::vector<CellId> cells;  // each once
    bool isRest = false;        // all but them

    friend bool operator==(const CellMask&, const CellMask&) = default;
};

/// What happens to one head, before the output projection; or to an MLP as a whole, before it is added to the stream.
struct HeadAblation {
    using Kind = HeadChange::Kind;
    Kind kind = Kind::Zero;
    std::shared_ptr<const HeadOutputs> source;  // of what is patched
    /// For Replace: the cells whose contributions to z, weight times value, come from the other run; this
    /// run computes the others. None: the head as a whole, which equals all of them.
    std::shared_ptr<const CellMask> cells = nullptr;
    std::vector<CellEdit> edits = {};  // for Cells

    bool changesCells() const { return kind == Kind::Cells; }
    /// Whether another run contributes to some of its cells.
    bool patchesCells() const { return source && (!edits.empty() || (cells && !cells->cells.empty())); }

    friend bool operator==(const HeadAblation& a, const HeadAblation& b)
    {
        return a.kind == b.kind && a.source == b.source && a.edits == b.edits &&
               (a.cells == b.cells || (a.cells && b.cells && *a.cells == *b.cells));
    }
};

using Ablations = std::map<HeadId, HeadAblation>;

/// The score gate: a cell stays only where scaled score + bias > 0.
struct ScoreGate {
    double bias = 0;

    friend bool operator==(const ScoreGate&, const ScoreGate&) = default;
};

/// An adapter in a run, and how much of it: at 0 the model is its base bit for bit, at 1 what was trained.
struct AdapterUse {
    std::shared_ptr<const Adapter> adapter;
    double strength = 1;

    friend bool operator==(const AdapterUse&, const AdapterUse&) = default;
};

/// What several adapters change adds up.
using AdapterUses = std::vector<AdapterUse>;

/// Those that change anything.
inline AdapterUses inEffect(AdapterUses uses)
{
    std::erase_if(uses, [](const AdapterUse& use) { return use.strength == 0; });
    return uses;
}

/// What a run should return besides predictions, statistics and tiles.
struct Capture {
    int topK = 10;                      // predictions kept
    std::optional<int> position;        // where predictions are read; none: the last one
    std::vector<std::int64_t> watched;  // tokens whose predictions are wanted whatever their rank
    bool loss = true;                   // next-token cross entropy; costs logits at every position
    bool logits = false;                // all of them, [query, vocabulary]
    bool headOutputs = false;  // every head's z and every MLP's output, to be used as the source of a Replace
    bool headCells = false;    // with them, what patching single cells needs
    bool fullMaps = false;     // weights of all heads; refused when over mapBudget
    std::uint64_t mapBudget = std::uint64_t{4} << 30;  // bytes of full maps a run may hold
    int tileSide = 64;                                 // tiles are pooled to at most this many cells per side
    double threshold = 0.01;                           // for HeadStats::densityAbove

    friend bool operator==(const Capture&, const Capture&) = default;
};

/// Everything a run depends on. A value: a run leaves nothing behind in the model.
struct RunRequest {
    std::shared_ptr<const Model> model;
    std::vector<std::int64_t> tokens;
    AdapterUses adapters = {};
    Ablations ablations;
    SharedWrites writes;  // added to what the MLPs write
    std::optional<ScoreGate> gate;
    /// Matrix products of a float32 model on a GPU may round their factors to TF32's ten bits.
    bool tf32 = false;
    /// What tiles, statistics and maps have a cell for each pair of, instead of tokens; none: tokens.
    TokenSpans spans = {};
    Capture capture;

    /// What patterns have rows and columns for: tokens, or spans of them.
    int places() const { return spans.folds() ? spans.count() : static_cast<int>(tokens.size()); }
    /// By which equal ones are told.
    std::vector<std::int64_t> placeIds() const { return spans.folds() ? spans.idsOf(tokens) : tokens; }
    const TokenSpans* fold() const { return spans.folds() ? &spans : nullptr; }
};

}  // namespace hs::engine
