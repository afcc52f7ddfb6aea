#include "engine/readout_tensors.h"

#include "engine/forecast.h"

#include <algorithm>

namespace hs {
namespace {

void readPredictions(const at::Tensor& logits, const Capture& capture, RunResult& result)  // [vocabulary]
{
    const at::Tensor onHost = logits.to(at::kCPU);
    const at::Tensor probabilities = at::softmax(onHost, 0, at::kDouble);
    const auto predictionOf = [&](std::int64_t token) {
        return Prediction{token, probabilities[token].item<double>(), onHost[token].item<double>()};
    };
    const at::Tensor best = std::get<1>(onHost.topk(std::min<std::int64_t>(capture.topK, onHost.size(0))));
    for (std::int64_t rank = 0; rank < best.size(0); ++rank)
        result.predictions.push_back(predictionOf(best[rank].item<std::int64_t>()));
    for (const std::int64_t token : capture.watched)
        result.watched.push_back(predictionOf(token));
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
    const std::int64_t position = capture.position.value_or(static_cast<int>(length) - 1);
    result.position = static_cast<int>(position);
    if (!wantsLoss && !capture.logits) {
        readPredictions(decoder.logits(residual.narrow(0, position, 1))[0], capture, result);
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
        if (position >= first && position < first + logits.size(0))
            readPredictions(logits[position - first], capture, result);
    }
    if (wantsLoss)
        result.loss = loss / static_cast<double>(length - 1);
}

}  // namespace hs
