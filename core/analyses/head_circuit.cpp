#include "analyses/head_circuit.h"

#include "engine/device/device_tensors.h"
#include "engine/run/decoder_tensors.h"
#include "engine/run/frozen_norm_tensors.h"
#include "engine/run/promoted_tokens_tensors.h"
#include "engine/run/request_check.h"

#include <algorithm>

namespace hs::analyses {
namespace {

constexpr std::int64_t kTokensAtOnce = 8192;

/// Tokens on their own, each the whole of its prompt, as one layer reads them.
class LoneTokens {
public:
    LoneTokens(const engine::AdaptedModel& model, int layer, const at::Tensor& tokens)  // [token] int64
        : m_layer(layer), m_decoder(decoderAt(model, model.facts().placement.deviceOf(layer), tokens)),
          m_stream(decoderAt(model, model.facts().placement.first(), tokens)
                       .embedTokens()
                       .to(m_decoder.tokens().device()))
    {
    }

    engine::Projections projections() const { return m_decoder.project(m_layer, m_stream); }
    at::Tensor values() const { return m_decoder.packedValues(m_layer, m_stream); }

private:
    static engine::Decoder decoderAt(const engine::AdaptedModel& model, engine::Device device,
                                     const at::Tensor& tokens)
    {
        const at::Device place = engine::torchDevice(device);
        return engine::Decoder(model.spec(), engine::AdaptedWeights(model),
                               engine::computingType(device, model.facts().dtype),
                               tokens.unsqueeze(1).to(place), engine::DecoderFrame(model.spec(), 1, place));
    }

    int m_layer;
    engine::Decoder m_decoder;
    at::Tensor m_stream;  // [token, hidden]
};

at::Tensor oneToken(std::int64_t token)
{
    return at::full({1}, token, at::kLong);
}

/// What a head writes, as the unembedding reads it, for each number of its output. [head size, hidden]
at::Tensor foldedOutput(const engine::AdaptedModel& model, HeadId head)
{
    const model::ArchSpec& spec = model.spec();
    const engine::AdaptedWeights weights(model);
    const std::int64_t size = spec.headDim;
    at::Tensor rows =
        weights.at(head.layer, model::Role::OutWeight).narrow(1, head.head * size, size).t().to(at::kFloat);
    if (spec.normAfter)
        rows =
            engine::unscaledNorm(spec, rows, weights.at(head.layer, model::Role::AttentionAfterNormWeight));
    rows = rows.to(weights[model::Role::Unembedding].device());
    return engine::unscaledNorm(spec, rows, weights[model::Role::FinalNormWeight]);
}

std::int64_t groupOf(const model::ArchSpec& spec, HeadId head)
{
    return head.head / (spec.heads / spec.kvHeads);
}

void checkHeadAndToken(const engine::AdaptedModel& model, HeadId head, std::int64_t token)
{
    const model::ArchSpec& spec = model.spec();
    engine::checkHead(spec, head);
    if (token < 0 || token >= spec.vocabulary)
        fail(ErrorCode::BadRequest, "Token " + std::to_string(token) +
                                        " is outside the vocabulary; choose one from 0 to " +
                                        std::to_string(spec.vocabulary - 1) + ".");
}

/// Calls `take` with the tokens of the vocabulary, a portion at a time. [token] int64
template <class Take>
void forAllTokens(const model::ArchSpec& spec, const Hooks& hooks, const Take& take)
{
    for (std::int64_t first = 0; first < spec.vocabulary; first += kTokensAtOnce) {
        hooks.throwIfCancelled();
        take(at::arange(first, std::min<std::int64_t>(first + kTokensAtOnce, spec.vocabulary), at::kLong));
    }
}

/// How every number of the values that tokens bring to a layer goes with each direction of the unembedding, its
/// mean over the vocabulary taken off: Uᵀ V over all tokens. [hidden, key/value head * head size] double
at::Tensor readAgainstRead(const engine::AdaptedModel& model, int layer, const Hooks& hooks)
{
    const at::Tensor& unembedding = engine::AdaptedWeights(model)[model::Role::Unembedding];
    const at::Tensor mean = unembedding.mean(0, /*keepdim=*/true, at::kFloat);
    at::Tensor sum;
    forAllTokens(model.spec(), hooks, [&](const at::Tensor& tokens) {
        const at::Tensor values = LoneTokens(model, layer, tokens).values().to(at::kFloat);
        const at::Tensor rows =
            unembedding.narrow(0, tokens[0].item<std::int64_t>(), tokens.size(0)).to(at::kFloat) - mean;
        const at::Tensor part = at::matmul(rows.t(), values.to(rows.device())).to(at::kDouble);
        sum = sum.defined() ? sum + part : part;
    });
    return sum;
}

/// `read` is readAgainstRead of the head's layer.
double copyingOf(const engine::AdaptedModel& model, HeadId head, const at::Tensor& read)
{
    const model::ArchSpec& spec = model.spec();
    // V (O U) and (O U) V have the same eigenvalues but for zeros, and the latter is small.
    const at::Tensor map =  // [head size, head size]
        at::matmul(foldedOutput(model, head).to(at::kDouble),
                   read.narrow(1, groupOf(spec, head) * spec.headDim, spec.headDim));
    const at::Tensor eigenvalues = at::linalg_eigvals(map.to(at::kCPU));
    const double size = at::abs(eigenvalues).sum().item<double>();
    return size > 0 ? at::real(eigenvalues).sum().item<double>() / size : 0;
}

}  // namespace

Result<std::vector<engine::PromotedTokens>> tokensWritten(const engine::AdaptedModel& model, int layer,
                                                          std::span<const HeadToken> items, int count,
                                                          const Hooks& hooks)
{
    return guarded([&] {
        const c10::InferenceMode noGradients;
        const model::ArchSpec& spec = model.spec();
        std::vector<at::Tensor> written;  // [1, hidden] each
        for (const auto& [index, token] : items) {
            const HeadId head{layer, index};
            hooks.throwIfCancelled();
            checkHeadAndToken(model, head, token);
            const at::Tensor value = LoneTokens(model, layer, oneToken(token))
                                         .values()
                                         .narrow(1, groupOf(spec, head) * spec.headDim, spec.headDim);
            const at::Tensor folded = foldedOutput(model, head);
            written.push_back(at::matmul(value.to(folded.options()), folded));
        }
        if (written.empty())
            return std::vector<engine::PromotedTokens>();
        const at::Tensor rows = at::cat(written);
        const at::Tensor last = oneToken(items.front().token).unsqueeze(0).to(rows.device());
        const at::Tensor logits = engine::Decoder(spec, engine::AdaptedWeights(model), at::kFloat, last,
                                                  engine::DecoderFrame(spec, 1, rows.device()))
                                      .unembedNormed(rows);
        return engine::promotedTokens(logits - logits.mean(1, /*keepdim=*/true), count);
    });
}

Result<std::vector<engine::PromotedTokens>> keysPreferred(const engine::AdaptedModel& model, int layer,
                                                          std::span<const HeadToken> items, int count,
                                                          const Hooks& hooks)
{
    return guarded([&] {
        const c10::InferenceMode noGradients;
        const model::ArchSpec& spec = model.spec();
        std::vector<at::Tensor> queries;  // [1, head size] each
        for (const auto& [index, token] : items) {
            checkHeadAndToken(model, {layer, index}, token);
            queries.push_back(
                LoneTokens(model, layer, oneToken(token)).projections().queries[index].to(at::kFloat));
        }
        if (queries.empty())
            return std::vector<engine::PromotedTokens>();
        std::vector<at::Tensor> scores;  // [item, token] each
        forAllTokens(spec, hooks, [&](const at::Tensor& tokens) {
            const at::Tensor keys = LoneTokens(model, layer, tokens)
                                        .projections()
                                        .keys.view({tokens.size(0), spec.kvHeads, spec.headDim})
                                        .to(at::kFloat);
            std::vector<at::Tensor> rows;
            for (std::size_t item = 0; item < items.size(); ++item)
                rows.push_back(
                    at::matmul(queries[item], keys.select(1, groupOf(spec, {layer, items[item].head})).t()));
            scores.push_back(at::cat(rows));
        });
        const at::Tensor all = at::cat(scores, 1);
        return engine::promotedTokens(spec.scoreCap ? engine::softCapped(all, *spec.scoreCap) : all, count);
    });
}

Result<engine::PromotedTokens> tokensWritten(const engine::AdaptedModel& model, HeadId head,
                                             std::int64_t token, int count, const Hooks& hooks)
{
    return guarded([&] {
        const HeadToken item{head.head, token};
        return orThrow(tokensWritten(model, head.layer, {&item, 1}, count, hooks)).front();
    });
}

Result<engine::PromotedTokens> keysPreferred(const engine::AdaptedModel& model, HeadId head,
                                             std::int64_t token, int count, const Hooks& hooks)
{
    return guarded([&] {
        const HeadToken item{head.head, token};
        return orThrow(keysPreferred(model, head.layer, {&item, 1}, count, hooks)).front();
    });
}

Result<double> copyingScore(const engine::AdaptedModel& model, HeadId head, const Hooks& hooks)
{
    return guarded([&] {
        engine::checkHead(model.spec(), head);
        const c10::InferenceMode noGradients;
        return copyingOf(model, head, readAgainstRead(model, head.layer, hooks));
    });
}

Result<std::vector<double>> copyingScores(const engine::AdaptedModel& model, const Hooks& hooks)
{
    return guarded([&] {
        const c10::InferenceMode noGradients;
        const model::ArchSpec& spec = model.spec();
        std::vector<double> scores;
        for (int layer = 0; layer < spec.layers; ++layer) {
            hooks.report(layer, spec.layers);
            const at::Tensor read = readAgainstRead(model, layer, hooks);
            for (int index = 0; index < spec.heads; ++index)
                scores.push_back(copyingOf(model, {layer, index}, read));
        }
        hooks.report(spec.layers, spec.layers);
        return scores;
    });
}

}  // namespace hs::analyses
