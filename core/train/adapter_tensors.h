#pragma once

#include "model/arch_spec.h"
#include "train/economy.h"
#include "train/trainable_tensors.h"

#include <string>
#include <vector>

namespace hs::train {

/// A module that an adapter changes: all of a tensor of the decoder, or some rows of it.
struct AdapterTarget {
    model::Role role = model::Role::QkvWeight;
    model::Arrangement arrangement = model::Arrangement::Stacked;
    std::string name;  // of the module, without the prefixes that checkpoints differ in: "h.0.attn.c_attn"
    std::int64_t row = 0;  // first of the decoder's tensor
    std::int64_t out = 0;  // rows
    std::int64_t in = 0;
};

/// The modules that the options name, by layer, each role's in the order of its rows. Throws Failure.
std::vector<std::vector<AdapterTarget>> adapterTargets(const model::ArchSpec& spec,
                                                       const AdapterOptions& options);

/// A low-rank change of a model whose own weights stay as they are: W + alpha / rank · B · A, made in the type
/// of W when a layer is needed, so that nothing else knows about it.
class LoraAdapter : public Trainable {
public:
    /// `base` has to be on one device. It is shared, not copied. Throws Failure.
    LoraAdapter(const model::ArchSpec& spec, const engine::ModelWeights& base, const AdapterOptions& options);

    /// A as PEFT draws it, uniform within 1 / √in, and B zero: the model itself.
    at::Tensor start(std::uint64_t seed) const override;
    Table shared(const Pieces&) const override { return m_base.shared; }
    Table layer(int layer, const Pieces& pieces) const override;
    Pieces queriesOf(const at::Tensor&, HeadId) const override { return {}; }

    const std::vector<std::vector<AdapterTarget>>& targets() const { return m_targets; }  // [layer]
    const AdapterOptions& options() const { return m_options; }

private:
    engine::ModelWeights m_base;
    AdapterOptions m_options;
    std::vector<std::vector<AdapterTarget>>
        m_targets;  // [layer]; pieces are A [rank, in], B [out, rank] of each
};

}  // namespace hs::train
