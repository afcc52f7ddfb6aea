#pragma once

#include "base/head_id.h"
#include "stats/head_stats.h"
#include "stats/pattern_shape.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hs::engine {

class HeadOutputs;

struct Prediction {
    std::int64_t token = 0;
    double probability = 0;
    double logit = 0;

    friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// One layer's float maps, immutable and shared between results. [head, query, key]
using LayerMap = std::shared_ptr<const float[]>;

/// One layer's tiles: weights in 0..1 as 0..255, each cell the maximum of the weights it
/// stands for. [head, row, column]
using LayerTiles = std::shared_ptr<const std::uint8_t[]>;

/// Where a run's time went, in milliseconds on the thread that ran it. What is queued on a GPU is waited for by
/// the first part that needs it.
struct RunTimes {
    double preparing = 0;  // checks, room, what depends on the prompt alone
    double layers = 0;     // computing them, or queueing them and waiting for all but the last
    double summaries = 0;  // waiting for the last layers' tiles and statistics
    double loss = 0;       // logits at every position, and what is read off them
    double predictions = 0;
};

/// The result of a run; immutable, cheap to copy (the big parts are shared).
struct RunResult {
    HeadShape heads;
    std::vector<std::int64_t> tokens;     // one a query, or what stands for a span of them
    std::vector<std::int64_t> keyTokens;  // one a key; empty: the queries'
    bool isCausal = true;                 // no query sees a later key
    int position = 0;                     // token where predictions were read
    std::vector<Prediction> predictions;  // most probable first
    std::vector<Prediction> watched;      // for Capture::watched, in that order
    std::optional<double> loss;           // mean over positions 1.., in nats; none for one token
    double density = 1;                   // active share of the cells that queries see, in all heads
    std::vector<stats::HeadStats> stats;  // [layer * head]; NaN where a layer has fewer heads
    int tileRows = 0;                     // min(queries, requested side)
    int tileColumns = 0;                  // min(keys, requested side)
    std::vector<LayerTiles> tiles;        // [layer]
    std::vector<LayerMap> maps;           // [layer], empty unless asked for
    std::vector<float> logits;            // [query, vocabulary], empty unless asked for
    std::shared_ptr<const HeadOutputs> headOutputs;
    int firstLayerComputed = 0;  // layers before it were taken from the previous run
    double milliseconds = 0;
    RunTimes times;  // of `milliseconds`

    int queries() const { return static_cast<int>(tokens.size()); }
    int keys() const { return static_cast<int>(tokensOfKeys().size()); }
    const std::vector<std::int64_t>& tokensOfKeys() const { return keyTokens.empty() ? tokens : keyTokens; }
    stats::PatternShape pattern() const { return {queries(), keys(), isCausal}; }
    std::size_t tileCells() const  // of one head
    {
        return static_cast<std::size_t>(tileRows) * static_cast<std::size_t>(tileColumns);
    }

    const stats::HeadStats& statsOf(HeadId id) const { return stats[heads.indexOf(id)]; }
    const std::uint8_t* tileOf(HeadId id) const  // [row, column]
    {
        return tiles[id.layer].get() + std::size_t(id.head) * tileCells();
    }
    /// The largest weight of the tokens that a cell's tile pools.
    double tileWeight(HeadId id, int query, int key) const
    {
        return tileOf(id)[stats::tileCellOf(query, queries(), tileRows) * tileColumns +
                          stats::tileCellOf(key, keys(), tileColumns)] /
               255.0;
    }
    const float* mapOf(HeadId id) const  // [query, key]; only with full maps
    {
        return maps[id.layer].get() + std::size_t(id.head) * pattern().mapSize();
    }
};

}  // namespace hs::engine
