#pragma once

#include "model/arch_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs::model {

/// What a tensor is to the decoder. Projections are [out, in]; stacked ones are one tensor so that
/// one matrix product serves all of them.
enum class Role {
    Embedding,  // [vocabulary, hidden]
    Positions,  // [context, hidden]
    FinalNormWeight,
    FinalNormBias,
    Unembedding,  // [vocabulary, hidden]
    // From here on, one of each per layer.
    AttentionNormWeight,
    AttentionNormBias,
    QkvWeight,  // [query heads | key heads | value heads, hidden]
    QkvBias,
    QueryNormWeight,
    KeyNormWeight,
    OutWeight,  // [hidden, query width]
    OutBias,
    AttentionAfterNormWeight,  // of what attention adds to the residual
    AttentionAfterNormBias,
    MlpNormWeight,
    MlpNormBias,
    UpWeight,  // [intermediate, hidden], or [gate | up, hidden] for a gated MLP
    UpBias,
    DownWeight,  // [hidden, intermediate]
    DownBias,
    MlpAfterNormWeight,  // of what the MLP adds
    MlpAfterNormBias,
};
inline constexpr int kRoleCount = static_cast<int>(Role::MlpAfterNormBias) + 1;

bool isBias(Role role);
bool isNormWeight(Role role);

/// How tensors of the file become one of the decoder.
enum class Arrangement {
    Stacked,     // parts one above the other (usually just one)
    Transposed,  // the file holds [in, out]
    PerHeadQkv,  // the file holds [head, q|k|v, head size, …]
    PlusOne,     // the file holds w, the decoder 1 + w
};

struct PlannedPart {
    std::string name;                 // without the prefixes that checkpoints differ in
    std::vector<std::int64_t> shape;  // as the file should hold it
};

/// One tensor of the decoder and where it comes from.
struct PlannedTensor {
    Role role = Role::Embedding;
    int layer = 0;
    Arrangement arrangement = Arrangement::Stacked;
    std::vector<PlannedPart> parts;

    std::int64_t elements() const;
};

/// Every tensor a model needs, in the order in which files usually hold them.
std::vector<PlannedTensor> planWeights(const ArchSpec& spec);

/// Number of weights; what a forecast needs before any file is opened.
std::int64_t parameterCount(const ArchSpec& spec);

/// A checkpoint's tensor name without the wrappers it may carry ("transformer.", "model.", "gpt_neox.",
/// "language_model.", "_orig_mod.", …), the form in which planned names are written.
std::string bareTensorName(std::string name);

/// A planned name as the model's own library writes it: "transformer.h.0.ln_1.weight".
std::string fullTensorName(const ArchSpec& spec, const std::string& bareName);

}  // namespace hs::model
