#include "engine/run/prompt_batch.h"

#include "base/failure.h"
#include "base/timing.h"
#include "engine/device/device_tensors.h"
#include "engine/request/forecast.h"
#include "engine/run/layer_attention_tensors.h"
#include "engine/run/readout_tensors.h"
#include "engine/run/request_check.h"
#include "engine/run/run_room.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace hs::engine {
namespace {

/// Whether the products with a weight give equal rows equal bits, in every place and for any number of rows up to `most`
/// that paddedRows gives.
bool hasEqualRows(const at::Tensor& weight, std::int64_t most)
{
    const at::Tensor rows = at::linspace(-1, 1, weight.size(1)).expand({most, weight.size(1)}).contiguous();
    const at::Tensor first = at::linear(rows, weight)[0];
    for (std::int64_t count = paddedRows(1); count <= most; count += paddedRows(1))
        if (!at::equal(at::linear(rows.narrow(0, 0, count), weight), first.expand({count, first.size(0)})))
            return false;
    return true;
}

bool hasEqualRowsOnce(const Model& model)
{
    // Asked for every prompt of a set; the answer is one of the machine and of the weights' shapes.
    static std::mutex mutex;
    static std::map<std::vector<std::int64_t>, bool> known;
    std::vector<at::Tensor> weights;
    for (const model::Role role :
         {model::Role::QkvWeight, model::Role::OutWeight, model::Role::UpWeight, model::Role::DownWeight})
        weights.push_back(model.weights().at(0, role));
    std::vector<std::int64_t> shapes = {at::get_num_threads()};
    for (const at::Tensor& weight : weights)
        shapes.insert(shapes.end(), weight.sizes().begin(), weight.sizes().end());
    const std::scoped_lock lock(mutex);
    const auto [entry, isNew] = known.try_emplace(std::move(shapes), false);
    if (isNew) {
        const c10::InferenceMode noGradients;
        const at::Tensor& last = model.weights()[model::Role::Unembedding];
        static constexpr std::int64_t kSample = 8192;  // of the vocabulary
        entry->second =
            hasEqualRows(last.narrow(0, 0, std::min(kSample, last.size(0))).to(at::kFloat), kLogitChunk) &&
            std::ranges::all_of(weights, [](const at::Tensor& weight) {
                return hasEqualRows(weight.to(at::kFloat), kMostRowsTogether);
            });
    }
    return entry->second;
}

std::vector<RunResult> runBatch(std::span<const RunRequest> requests, const Hooks& hooks)
{
    Laps laps;
    const Model& model = *requests.front().model;
    const model::ArchSpec& spec = model.spec();
    const auto count = std::ssize(requests);
    const auto length = std::ssize(requests.front().tokens);
    at::Tensor tokens = at::empty({count, length}, at::kLong);
    for (std::int64_t prompt = 0; prompt < count; ++prompt)
        std::ranges::copy(requests[static_cast<std::size_t>(prompt)].tokens,
                          tokens[prompt].data_ptr<std::int64_t>());
    const Decoder one(model,
                      requests.front().tokens);  // whose attention is that of any prompt of this length
    const at::ScalarType type = computingType(model.facts().device, model.facts().dtype);
    const Decoder all(spec, model.weights(), type, tokens, one.frame(0));
    const at::Tensor shortTokens = tokens.to(at::kInt);

    std::vector<stats::RepeatedTokens> repeats;
    for (const RunRequest& request : requests)
        repeats.emplace_back(request.tokens);
    std::vector<std::vector<LayerRecord>> records(requests.size());
    const std::int64_t rows = paddedRows(count * length);
    at::Tensor residual = at::zeros({rows, spec.hidden}, type);
    residual.narrow(0, 0, count * length).copy_(all.embed());
    for (int layer = 0; layer < spec.layers; ++layer) {
        hooks.throwIfCancelled();
        const at::Tensor packed = all.packedProjections(layer, residual);
        at::Tensor z = at::zeros({rows, spec.heads, spec.headDim}, type);
        for (std::int64_t prompt = 0; prompt < count; ++prompt) {
            const auto index = static_cast<std::size_t>(prompt);
            const RunRequest& request = requests[index];
            LayerAttention attention = attendLayer(
                request, one, layer, packed.narrow(0, prompt * length, length), shortTokens[prompt],
                {repeats[index], static_cast<int>(length), tileSideOf(request), request.capture.threshold});
            z.narrow(0, prompt * length, length).copy_(attention.z);
            records[index].push_back(std::move(attention.record));
        }
        residual = all.finishLayer(layer, residual, z);
    }
    std::vector<RunResult> results(requests.size());
    readOutTogether(all, residual, requests, hooks, results);
    for (std::size_t prompt = 0; prompt < requests.size(); ++prompt) {
        collect(requests[prompt], records[prompt], results[prompt]);
        results[prompt].milliseconds = laps.total() / static_cast<double>(count);
    }
    return results;
}

}  // namespace

bool canRunTogether(const RunRequest& request)
{
    const Model::Facts& facts = request.model->facts();
    const auto isInPlace = [](const auto& ablation) {
        return ablation.second.kind != HeadAblation::Kind::Replace;
    };
    return std::ssize(request.tokens) <= kMostRowsTogether && facts.placement.parts.size() == 1 &&
           !facts.placement.first().isCuda() && !request.writes && !request.capture.logits &&
           !request.capture.headOutputs && std::ranges::all_of(request.ablations, isInPlace) &&
           hasEqualRowsOnce(*request.model);
}

Result<std::vector<RunResult>> runTogether(std::span<const RunRequest> requests, const Hooks& hooks)
{
    return guarded([&] {
        for (const RunRequest& request : requests)
            checkRequest(request);
        requireRoom(requests.front());
        const c10::InferenceMode noGradients;
        return runBatch(requests, hooks);
    });
}

}  // namespace hs::engine
