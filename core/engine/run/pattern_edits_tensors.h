#pragma once

#include "engine/run/attention_tensors.h"

#include <map>
#include <span>

namespace hs::engine {

/// Positions of a run that are computed: `count` of them from `first` on.
struct RowRange {
    std::int64_t first = 0;
    std::int64_t count = 0;

    std::int64_t end() const { return first + count; }
};

/// What requests do to the weights of a layer's cells, in runs stacked on one another. What cells carry in
/// other runs is not their weights' business, but that of LayerAblation.
class PatternEdits {
public:
    /// `heads` of the layer, and the runs' positions that are computed.
    PatternEdits(std::span<const Ablations> runs, int layer, int heads, RowRange rows);
    /// Of one run and some of the layer's heads, in portions that have these alone.
    PatternEdits(const Ablations& run, int layer, std::span<const std::int64_t> heads, RowRange rows);

    /// The heads of a layer whose weights a run edits.
    static std::vector<std::int64_t> headsIn(const Ablations& run, int layer);

    bool isEmpty() const { return m_edits.empty(); }

    /// Changes the portion's weights, and closes the cells that carry nothing any more.
    void apply(PatternChunk& chunk) const;

private:
    RowRange m_rows;
    std::map<std::int64_t, std::vector<CellEdit>> m_edits;  // by run * heads + head
};

}  // namespace hs::engine
