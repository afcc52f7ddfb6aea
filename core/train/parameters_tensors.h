#pragma once

#include "engine/load/weights_tensors.h"
#include "model/arch_spec.h"

#include <cstdint>
#include <vector>

namespace hs::train {

/// Lays out all weights of a model in one vector, so that an update, a mean over steps, a norm and a
/// checkpoint are each one operation. Matrices come first: only they decay.
class ParameterLayout {
public:
    explicit ParameterLayout(const model::ArchSpec& spec);

    std::int64_t size() const { return m_size; }
    std::int64_t matrixSize() const { return m_matrixSize; }

    at::Tensor pack(const engine::ModelWeights& weights) const;  // [size] float, on the weights' device
    /// The model's tensors as parts of the vector, in its type and with gradients to it.
    engine::ModelWeights unpack(const at::Tensor& vector) const;

    /// Initial weights as in GPT-2: normal with deviation 0.02, less where a layer writes to the residual
    /// stream; norms at one, biases at zero. The same for the same seed.
    at::Tensor initial(std::uint64_t seed) const;  // [size] float, CPU

private:
    struct Entry {
        model::PlannedTensor planned;
        std::vector<std::int64_t> shape;  // as the decoder has it
        std::int64_t begin = 0;
        std::int64_t elements = 0;
    };

    model::ArchSpec m_spec;
    std::vector<Entry> m_entries;
    std::vector<std::int64_t> m_pieces;  // sizes of entries and of the gaps between them
    std::int64_t m_matrixSize = 0;
    std::int64_t m_size = 0;
};

}  // namespace hs::train
