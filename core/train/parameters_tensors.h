#pragma once

#include "model/arch_spec.h"
#include "train/economy.h"
#include "train/trainable_tensors.h"

#include <cstdint>
#include <vector>

namespace hs::train {

/// The weights of a model, or a part of them beside those that stay as they are given.
class ParameterLayout : public Trainable {
public:
    /// `given`, if any, is where a training starts; a part needs it. On one device.
    explicit ParameterLayout(const model::ArchSpec& spec, const engine::ModelWeights* given = nullptr,
                             TrainedPart part = TrainedPart::All);

    at::Tensor pack(const engine::ModelWeights& weights) const;  // [size] float, on the weights' device

    /// Initial weights as in GPT-2: normal with deviation 0.02, less where a layer writes to the residual
    /// stream; norms at one, biases at zero. The same for the same seed.
    at::Tensor initial(std::uint64_t seed) const;  // [size] float, CPU

    at::Tensor start(std::uint64_t seed) const override { return m_given ? pack(*m_given) : initial(seed); }
    Table shared(const Pieces& pieces, at::ScalarType type) const override;
    Table layer(int layer, const Pieces& pieces, at::ScalarType type) const override;
    Pieces queriesOf(const at::Tensor& vector, HeadId head) const override;

private:
    struct Entry {
        model::PlannedTensor planned;
        std::vector<std::int64_t> shape;  // as the decoder has it
    };

    Table tableOf(int block, const Pieces& pieces, Table given) const;

    model::ArchSpec m_spec;
    const engine::ModelWeights* m_given;
    bool m_isPart;
    std::vector<Entry> m_entries;                    // in the order of their pieces
    std::vector<std::vector<std::size_t>> m_blocks;  // their indices by block
};

/// How many weights a part has.
std::int64_t trainedCount(const model::ArchSpec& spec, TrainedPart part);

/// The same tensors in another type; those that have it already are not copied.
engine::ModelWeights converted(engine::ModelWeights weights, at::ScalarType type);

}  // namespace hs::train
