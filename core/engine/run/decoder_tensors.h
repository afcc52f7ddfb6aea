#pragma once

#include "engine/device/torch.h"
#include "engine/run/adapted_weights_tensors.h"
#include "engine/run/attention_tensors.h"
#include "engine/run/decoder_ops_tensors.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace hs::engine {

/// How queries and keys turn with their positions; undefined without rotary positions.
struct Rotation {
    at::Tensor cos;  // [query, rotaryDims / 2] float
    at::Tensor sin;
};

/// What runs of one length share, whatever their tokens and weights.
struct DecoderFrame {
    std::int64_t firstPosition = 0;
    Rotation rotation;
    Rotation localRotation;            // of layers with a window, where they have their own
    std::map<int, at::Tensor> hidden;  // window → [query, key] bool, true = may not look; keys from 0 on

    /// For positions of a prompt of `whole` tokens; by default it ends with them.
    DecoderFrame(const model::ArchSpec& spec, std::int64_t length, at::Device device,
                 std::int64_t firstPosition = 0, std::optional<std::int64_t> whole = {});

    const Rotation& rotationOf(const model::ArchSpec& spec, int layer) const
    {
        return spec.hasLocalRope(layer) ? localRotation : rotation;
    }
};

/// Where a model's layers from `firstLayer` on are computed, and what they need there.
struct DecoderPart {
    int firstLayer = 0;
    at::Device device;
    at::ScalarType type;  // of the computation; weights are widened to it as they are used
    DecoderFrame frame;
};

/// Changes in place what a layer's MLP writes. [query, hidden]
using MlpChange = std::function<void(const at::Tensor& written)>;

/// The one decoder for all architectures: pure functions of the residual stream, driven by the model's
/// ArchSpec. The stream that enters a layer is on the layer's device. Several prompts of one length are
/// stacked in the stream, row = prompt * length + query; the engine runs one.
class Decoder {
public:
    /// For the tokens of a prompt from `first` on.
    Decoder(const AdaptedModel& model, std::span<const std::int64_t> tokens, std::size_t first = 0);

    /// For several prompts, on one device: `tokens` is [prompt, query] there.
    Decoder(const model::ArchSpec& spec, AdaptedWeights weights, at::ScalarType type, at::Tensor tokens,
            DecoderFrame frame, const DecoderOps& ops = DecoderOps::plain());

    /// The same prompt several times, each for `count` positions from `first` on. Rows before them are
    /// needed for their keys and values only.
    Decoder excerpt(std::int64_t times, std::int64_t first, std::int64_t count) const;

    at::Tensor embed() const;        // [query, hidden]
    at::Tensor embedTokens() const;  // the same without learned positions

    /// The layer's queries, keys and values before rotation, normed where the architecture does so.
    at::Tensor packedProjections(int layer, const at::Tensor& residual) const;  // [query, q | k | v]
    at::Tensor packedValues(int layer, const at::Tensor& residual) const;       // [query, v]
    /// The same with queries and keys rotated by their positions.
    at::Tensor turned(int layer, const at::Tensor& packed) const;
    Projections unpack(int layer, const at::Tensor& packed) const;
    Projections project(int layer, const at::Tensor& residual) const
    {
        return unpack(layer, packedProjections(layer, residual));
    }
    const DecoderFrame& frame(int layer) const { return partOf(layer).frame; }
    const at::Tensor& tokens() const { return m_tokens; }  // [prompt, query] int64
    const at::Tensor& hiddenCells(int layer) const;        // [query, key] bool

    /// What the attention of a layer adds to the residual, given its heads' outputs z. [query, hidden]
    at::Tensor attentionOutput(int layer, const at::Tensor& z) const;

    /// What the MLP gets and what it adds, given the residual before and after the attention. [query, hidden]
    at::Tensor mlpInput(int layer, const at::Tensor& residual, const at::Tensor& middle) const;
    at::Tensor mlpOutput(int layer, const at::Tensor& residual, const at::Tensor& middle) const;

    /// The residual after a layer, on the next one's device, given its input and its heads' outputs z
    /// [query, head, head size]. `change`, if any, sees what the MLP writes before it is added.
    at::Tensor finishLayer(int layer, const at::Tensor& residual, const at::Tensor& z,
                           const MlpChange& change = {}) const;

    /// Logits of rows of the last residual, in float32. [row, vocabulary]
    at::Tensor logits(const at::Tensor& rows) const { return unembed(rows).to(at::kFloat); }
    at::Tensor unembed(const at::Tensor& rows) const;         // the same in the type of the computation
    at::Tensor uncappedLogits(const at::Tensor& rows) const;  // before the soft cap, where there is one
    at::Tensor unembedNormed(const at::Tensor& rows) const;   // of rows that the final norm has passed

    /// The logits of some tokens only. [row, token]
    at::Tensor logitsOf(const at::Tensor& rows, const at::Tensor& tokens) const;

    /// How large each head's message from each key would be: the norm of v W_O. [head, key] float
    at::Tensor messageNorms(int layer, const Projections& projections) const;

private:
    Decoder(const model::ArchSpec& spec, AdaptedWeights weights, at::Tensor tokens,
            std::vector<DecoderPart> parts, const DecoderOps& ops);

    const DecoderPart& partOf(int layer) const;
    at::Tensor weight(int layer, model::Role role) const;
    at::Tensor lastWeight(model::Role role) const;
    at::Tensor norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& bias) const;
    at::Tensor layerNorm(int layer, const at::Tensor& x, model::Role weightRole, model::Role biasRole) const;
    at::Tensor normedBefore(int layer, const at::Tensor& x, model::Role weightRole,
                            model::Role biasRole) const
    {
        return m_spec.normBefore ? layerNorm(layer, x, weightRole, biasRole) : x;
    }
    at::Tensor normedAfter(int layer, const at::Tensor& x, model::Role weightRole, model::Role biasRole) const
    {
        return m_spec.normAfter ? layerNorm(layer, x, weightRole, biasRole) : x;
    }
    at::Tensor capped(const at::Tensor& logits) const
    {
        return m_spec.logitCap ? softCapped(logits, *m_spec.logitCap) : logits;
    }
    at::Tensor mlp(int layer, const at::Tensor& x) const;
    /// x times a projection of the layer, or those of its rows from `first` on, with what adapters add to it: the one place
    /// where a layer's matrices are multiplied. [query, row]
    at::Tensor multiplied(int layer, const at::Tensor& x, model::Role weightRole, model::Role biasRole,
                          std::int64_t first = 0) const;
    /// Projections before their own norms, from one of their rows on. [query, row]
    at::Tensor rawProjections(int layer, const at::Tensor& residual, std::int64_t first) const;

    const model::ArchSpec& m_spec;
    AdaptedWeights m_weights;
    const DecoderOps& m_ops;
    at::Tensor m_tokens;               // [prompt, query] int64, on the first layer's device
    std::vector<DecoderPart> m_parts;  // the first begins with layer 0
};

}  // namespace hs::engine
