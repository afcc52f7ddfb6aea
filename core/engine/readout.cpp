#include "engine/readout_tensors.h"

#include "engine/forecast.h"

#include <algorithm>

namespace hs {
namespace {

std::vector<Prediction> topPredictions(const at::Tensor& logits, int count)  // [vocabulary]
{
    const at::Tensor onHost = logits.to(at::kCPU);
    const at::Tensor probabilities = at::softmax(onHost, 0, at::kDouble);
    const auto [values, ids] = onHost.topk(std::min<std::int64_t>(count, onHost.size(0)));
    std::vector<Prediction> predictions;
    for (std::int64_t rank = 0; rank < ids.size(0); ++rank) {
        const auto id = ids[rank].item<std::int64_t>();
        predictions.push_back({id, probabilities[id].item<double>(), values[rank].item<double>()});
    }
    return predictions;
}

/// Sum of the next tokens' negative log probabilities over rows of logits that start at `first`.
double lossOf(const at::Tensor& logits, std::int64_t first, const std::vector<std::int64_t>& tokens)
{
    const std::int64_t last = static_cast<std::int64_t>(tokens.size()) - 1;
    const std::int64_t rows = std::min(logits.size(0), last - first);
    if (rows <= 0)
        return 0;
    at::Tensor next = at::empty({rows, 1}, at::kLong);
    std::copy_n(tokens.begin() + first + 1, rows, next.data_ptr<std::int64_t>());
    const at::Tensor scored = logits.narrow(0, 0, rows);
    const at::Tensor chosen = scored.gather(1, next.to(scored.device())).squeeze(1);
    return (at::logsumexp(scored, 1) - chosen).sum(at::kDouble).item<double>();
}

}  // namespace

void readOut(const Decoder& decoder, const at::Tensor& residual, const RunRequest& request, RunResult& result)
{
    const Capture& capture = request.capture;
    const std::int64_t length = residual.size(0);
    const bool wantsLoss = capture.loss && length > 1;
    if (!wantsLoss && !capture.logits) {
        result.predictions =
            topPredictions(decoder.logits(residual.narrow(0, length - 1, 1))[0], capture.topK);
        return;
    }
    double loss = 0;
    for (std::int64_t first = 0; first < length; first += kLogitChunk) {
        const at::Tensor logits =
            decoder.logits(residual.narrow(0, first, std::min(kLogitChunk, length - first)));
        if (wantsLoss)
            loss += lossOf(logits, first, request.tokens);
        if (capture.logits) {
            const at::Tensor onHost = logits.to(at::kCPU).contiguous();
            const float* const data = onHost.data_ptr<float>();
            result.logits.insert(result.logits.end(), data, data + onHost.numel());
        }
        if (first + logits.size(0) == length)
            result.predictions = topPredictions(logits[logits.size(0) - 1], capture.topK);
    }
    if (wantsLoss)
        result.loss = loss / static_cast<double>(length - 1);
}

}  // namespace hs
