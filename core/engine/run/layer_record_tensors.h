#pragma once

#include "engine/request/run_result.h"
#include "engine/run/attention_tensors.h"
#include "engine/run/head_outputs_tensors.h"
#include "stats/head_summary.h"

#include <cstdint>
#include <vector>

namespace hs::engine {

/// What a run keeps of one layer.
struct LayerRecord {
    std::vector<stats::HeadStats> stats;  // [head]
    std::int64_t activeCells = 0;         // of all heads
    LayerTiles tiles;
    LayerMap map;                // null unless captured
    HeadOutputs::Layer outputs;  // undefined unless captured
};

/// What a layer's attention gives: the heads' outputs, and what is kept of the patterns.
struct LayerAttention {
    at::Tensor z;       // [query, head, head size]
    at::Tensor values;  // [key/value head, key, head size]; undefined where patterns were pooled
    LayerRecord record;
};

/// Summarises a layer's patterns as they are computed, portion by portion.
class LayerRecorder {
public:
    /// `window`: keys that a query sees back, itself included; 0: all.
    LayerRecorder(int heads, const stats::SummaryRules& rules, int window, bool keepsMap);

    void take(const PatternChunk& chunk);
    LayerRecord finish() { return std::move(m_record); }

private:
    void takeFolded(const PatternChunk& chunk);

    const stats::SummaryRules& m_rules;
    std::int64_t m_visibleCells;
    LayerRecord m_record;
    std::shared_ptr<std::uint8_t[]> m_tiles;  // [head, row, column]
    std::shared_ptr<float[]> m_map;           // [head, query, key]
};

}  // namespace hs::engine
