#pragma once

#include "base/head_id.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace hs {

class Model;
class HeadOutputs;

/// What happens to one head's output z before the output projection.
struct HeadAblation {
    enum class Kind {
        Zero,     // z = 0
        Mean,     // z = its mean over this run's positions
        Replace,  // z = the same head's z in another run of as many tokens (patching)
    };
    Kind kind = Kind::Zero;
    std::shared_ptr<const HeadOutputs> source;  // for Replace only

    friend bool operator==(const HeadAblation&, const HeadAblation&) = default;
};

using Ablations = std::map<HeadId, HeadAblation>;

/// The score gate: a cell stays only where scaled score + bias > 0.
struct ScoreGate {
    double bias = 0;

    friend bool operator==(const ScoreGate&, const ScoreGate&) = default;
};

/// What a run should bring home beside predictions, statistics and tiles.
struct Capture {
    int topK = 10;                      // predictions kept
    std::optional<int> position;        // where predictions are read; none: the last one
    std::vector<std::int64_t> watched;  // tokens whose prediction there is wanted whatever its rank
    bool loss = true;                   // next-token cross entropy; costs logits at every position
    bool logits = false;                // all of them, [query, vocabulary]
    bool headOutputs = false;           // every head's z, to be used as the source of a Replace
    bool fullMaps = false;              // weights of all heads; refused when over mapBudget
    std::uint64_t mapBudget = std::uint64_t{4} << 30;  // bytes of full maps a run may hold
    int tileSide = 64;                                 // tiles are pooled to at most this many cells a side
    double threshold = 0.01;                           // for HeadStats::densityAbove

    friend bool operator==(const Capture&, const Capture&) = default;
};

/// Everything a run depends on. A value: nothing of it stays behind in the model.
struct RunRequest {
    std::shared_ptr<const Model> model;
    std::vector<std::int64_t> tokens;
    Ablations ablations;
    std::optional<ScoreGate> gate;
    Capture capture;
};

}  // namespace hs
