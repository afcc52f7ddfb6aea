#pragma once

#include "model/adapter/linear_modules.h"
#include "train/economy.h"
#include "train/trainable_tensors.h"

#include <string>
#include <vector>

namespace hs::train {

/// The modules that the options name, by layer, each role's in the order of its rows. Throws Failure.
std::vector<std::vector<model::LinearModule>> adapterTargets(const model::ArchSpec& spec,
                                                             const AdapterOptions& options);

/// A low-rank change of a model whose own weights stay as they are: W + alpha / rank · B · A, made in the type
/// of W when a layer is needed, so that nothing else knows about it.
class LoraAdapter : public Trainable {
public:
    /// `base` has to be on one device. It is shared, not copied. Throws Failure.
    LoraAdapter(const model::ArchSpec& spec, const engine::ModelWeights& base, const AdapterOptions& options);

    /// A as PEFT draws it, uniform within 1 / √in, and B zero: the model itself.
    at::Tensor start(std::uint64_t seed) const override;
    Table shared(const Pieces&, at::ScalarType) const override { return m_base.shared; }
    Table layer(int layer, const Pieces& pieces, at::ScalarType type) const override;
    Pieces queriesOf(const at::Tensor&, HeadId) const override { return {}; }

    const std::vector<std::vector<model::LinearModule>>& targets() const { return m_targets; }  // [layer]
    const AdapterOptions& options() const { return m_options; }

private:
    engine::ModelWeights m_base;
    AdapterOptions m_options;
    std::vector<std::vector<model::LinearModule>>
        m_targets;  // [layer]; pieces are A [rank, in], B [out, rank] of each
};

}  // namespace hs::train
