#pragma once

#include "base/enum_words.h"
#include "base/json.h"
#include "model/dtype.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::train {

/// A LoRA adapter: each target's weights become W + alpha / rank · B · A, and only A and B are trained.
struct AdapterOptions {
    int rank = 16;
    double alpha = 32;
    /// Names as PEFT matches them ("q_proj", "attn.c_proj"), or "attention", or "all-linear".
    std::vector<std::string> targets = {"all-linear"};

    double scale() const { return alpha / rank; }
    friend bool operator==(const AdapterOptions&, const AdapterOptions&) = default;
};

/// Which weights are trained.
enum class TrainedPart {
    All,
    Layers,    // all but embeddings and the last norm
    Attention  // the projections of attention
};

constexpr auto enumWords(TrainedPart)
{
    return std::to_array<EnumWord<TrainedPart>>(
        {{TrainedPart::All, "all"}, {TrainedPart::Layers, "layers"}, {TrainedPart::Attention, "attention"}});
}

/// What is trained, and how memory is saved.
struct Economy {
    TrainedPart part = TrainedPart::All;
    std::optional<AdapterOptions> adapter;  // in place of weights
    bool writesAdapter = false;             // by itself, not merged into the weights
    bool recomputes = false;  // layers in the backward pass, instead of keeping what they computed
    model::DType states = model::DType::F32;  // of AdamW's moments; or bf16

    friend bool operator==(const Economy&, const Economy&) = default;
};

/// For the record in a checkpoint: what changes the numbers.
Json toJson(const Economy& economy);

}  // namespace hs::train
