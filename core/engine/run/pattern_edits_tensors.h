#pragma once

#include "cuda/attention_patterns.h"
#include "engine/run/attention_tensors.h"

#include <map>
#include <span>
#include <vector>

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

    bool isEmpty() const { return m_edits.empty(); }

    /// Changes the portion's weights, and closes the cells that carry nothing any more.
    void apply(PatternChunk& chunk) const;

private:
    RowRange m_rows;
    std::map<std::int64_t, std::vector<cuda::PatternEdit>> m_edits;  // by run * heads + head
};

/// What a run does to the weights of some layers' cells, as the pass over patterns reads it.
struct EditLists {
    std::vector<cuda::PatternEdit> edits;
    std::vector<std::int32_t> first;  // [layer, head | end], where the head's begin among them

    EditLists() = default;
    /// Of `layers` layers from the first on, with so many heads each, over a prompt of that length.
    EditLists(const Ablations& run, int length, int firstLayer, int layers, int heads);

    friend bool operator==(const EditLists&, const EditLists&) = default;
};

}  // namespace hs::engine
