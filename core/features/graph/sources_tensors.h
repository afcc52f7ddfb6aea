#pragma once

#include "features/graph/sweep_tensors.h"

namespace hs::features {

/// All sources of a held run and where they enter its stream. Rows of a graph have one column for each.
class Sources {
public:
    explicit Sources(const HeldRun& run);

    /// One for each column: features by position and layer, then errors, tokens, learned positions and, last,
    /// the constant.
    const std::vector<GraphNode>& nodes() const { return m_nodes; }
    std::int64_t count() const { return static_cast<std::int64_t>(m_nodes.size()); }
    std::int64_t features() const { return m_features; }
    std::int64_t constantColumn() const { return count() - 1; }

    /// What every source adds to readings of the stream. [reading, column], in the run's type
    at::Tensor rowsOf(const Readings& readings) const;

private:
    friend class RowMaker;

    /// What features write into one layer's MLP output, position by position.
    struct Writes {
        struct Block {
            std::int64_t position = 0;
            std::int64_t firstRow = 0;
            std::int64_t firstColumn = 0;
            std::int64_t count = 0;
        };
        at::Tensor rows;  // [row, width] decoders times activations
        std::vector<Block> blocks;
    };

    void listFeatures();
    void listOthers();
    Writes writesInto(int target) const;

    const HeldRun& m_run;
    std::vector<GraphNode> m_nodes;
    std::vector<std::vector<std::int64_t>> m_first;  // [position][layer], and its end: first column
    std::int64_t m_features = 0;
    std::int64_t m_errors = 0;  // first column of each
    std::int64_t m_tokens = 0;
    std::vector<Writes> m_writes;  // [layer]
};

/// Where some sources enter the stream, added up. Throws Failure if one of them is not in the run.
Entries entriesOf(const HeldRun& run, std::span<const NodeId> sources);

}  // namespace hs::features
