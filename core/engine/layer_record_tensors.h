#pragma once

#include "analysis/head_summary.h"
#include "engine/attention_tensors.h"
#include "engine/head_outputs_tensors.h"
#include "engine/run_result.h"

#include <cstdint>
#include <vector>

namespace hs {

/// What a run keeps of one layer.
struct LayerRecord {
    std::vector<HeadStats> stats;  // [head]
    std::int64_t activeCells = 0;  // of all heads
    LayerTiles tiles;
    LayerMap map;                // null unless captured
    HeadOutputs::Layer outputs;  // undefined unless captured
};

/// What a layer's attention gives: the heads' outputs, and what is kept of the patterns.
struct LayerAttention {
    at::Tensor z;       // [query, head, head size]
    at::Tensor values;  // [key/value head, key, head size]; undefined where nobody saw single cells
    LayerRecord record;
};

/// Summarises a layer's patterns as they are computed, portion by portion.
class LayerRecorder {
public:
    LayerRecorder(int heads, const SummaryRules& rules, std::int64_t visibleCells, bool keepsMap);

    void take(const PatternChunk& chunk);
    LayerRecord finish() { return std::move(m_record); }

private:
    const SummaryRules& m_rules;
    std::int64_t m_visibleCells;
    LayerRecord m_record;
    std::shared_ptr<std::uint8_t[]> m_tiles;  // [head, row, column]
    std::shared_ptr<float[]> m_map;           // [head, query, key]
};

}  // namespace hs
