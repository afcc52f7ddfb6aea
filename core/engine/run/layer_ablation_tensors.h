#pragma once

#include "engine/request/run_request.h"
#include "engine/run/decoder_tensors.h"
#include "engine/run/pattern_edits_tensors.h"
#include "model/arch_spec.h"

#include <map>
#include <memory>
#include <span>
#include <vector>

namespace hs::engine {

/// What requests do to the heads of one layer, in runs stacked on one another. Single cells are patched by
/// adding the difference of their contributions, so that a few of them cost little.
class LayerAblation {
public:
    /// Shared: several runs that first differ here have one pattern and one set of values between them.
    enum class Pattern { OfEachRun, Shared };

    LayerAblation(const model::ArchSpec& spec, int layer, std::span<const Ablations> runs, RowRange rows,
                  Pattern pattern = Pattern::OfEachRun);

    /// Whether `take` must see every portion of the layer's patterns before `apply`.
    bool needsPatterns() const { return patchesCells() || !m_edits.isEmpty(); }
    bool patchesCells() const { return !m_patches.empty(); }
    /// Edits the weights, and keeps those of cells that are patched.
    void take(PatternChunk& chunk);

    /// In place. z: [run * row, head, head size]; values: [run * key/value head, key, head size]
    void apply(at::Tensor z, const at::Tensor& values) const;

private:
    /// Cells patched from one other run, in the order of the patterns. Indices are into flat tensors.
    struct Patch {
        std::vector<std::int64_t> cells;    // of the patterns of this layer
        std::vector<std::int64_t> values;   // rows of its values
        std::vector<std::int64_t> outputs;  // rows of z
        std::vector<std::int64_t> sourceCells;
        std::vector<std::int64_t> sourceValues;
        std::vector<float> signs;  // of the other run's contribution minus this one's
        at::Tensor weights;        // [cell] in this layer's patterns, once taken
    };
    struct Entry;

    void listCells(std::span<const Ablations> runs, Pattern pattern);
    void addBlock(at::Tensor z, const at::Tensor& values, const HeadOutputs& source, const Patch& patch,
                  std::size_t begin, std::size_t count) const;

    const model::ArchSpec& m_spec;
    int m_layer;
    std::span<const Ablations> m_runs;
    RowRange m_rows;
    PatternEdits m_edits;
    std::map<std::shared_ptr<const HeadOutputs>, Patch> m_patches;
};

/// What they do to its MLP, for `Decoder::finishLayer`; empty where that is nothing. `runs` must live as long.
MlpChange mlpChange(int layer, std::span<const Ablations> runs, RowRange rows);

}  // namespace hs::engine
