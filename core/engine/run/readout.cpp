#include "engine/run/readout_tensors.h"

#include "base/timing.h"
#include "engine/request/forecast.h"
#include "engine/run/prompt_batch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace hs::engine {

std::vector<std::int64_t> largest(std::span<const float> numbers, int count)
{
    std::vector<std::int64_t> best;
    if (count == 0)
        return best;
    const auto isBetter = [&](std::int64_t a, std::int64_t b) { return numbers[a] > numbers[b]; };
    const auto isFull = [&] { return static_cast<int>(best.size()) == count; };
    // Most blocks hold no number that counts, and the largest of a block is found with vector instructions.
    static constexpr std::size_t kBlock = 64;
    for (std::size_t first = 0; first < numbers.size(); first += kBlock) {
        const std::size_t end = std::min(first + kBlock, numbers.size());
        float most = numbers[first];
        for (std::size_t index = first; index < end; ++index)
            most = numbers[index] > most ? numbers[index] : most;
        if (isFull() && !(most > numbers[best.back()]))
            continue;
        for (auto index = static_cast<std::int64_t>(first); index < static_cast<std::int64_t>(end); ++index) {
            if (isFull() && !isBetter(index, best.back()))
                continue;
            if (isFull())
                best.pop_back();
            best.insert(std::upper_bound(best.begin(), best.end(), index, isBetter), index);
        }
    }
    return best;
}

namespace {

void readPredictions(std::span<const float> logits, double logSumExp, const Capture& capture,
                     RunResult& result)
{
    const auto predictionOf = [&](std::int64_t token) {
        return Prediction{token, std::exp(logits[token] - logSumExp), logits[token]};
    };
    for (const std::int64_t token : largest(logits, capture.topK))
        result.predictions.push_back(predictionOf(token));
    for (const std::int64_t token : capture.watched)
        result.watched.push_back(predictionOf(token));
}

/// The log of the sum of exponentials of each row. Rows are padded to whole lines of memory: a GPU adds up a row in the
/// order that its first address gives, which must not depend on the row's place.
at::Tensor logSumExp(const at::Tensor& logits)
{
    static constexpr std::int64_t kAligned = 16;
    const std::int64_t missing = (kAligned - logits.size(1) % kAligned) % kAligned;
    return at::logsumexp(missing ? at::constant_pad_nd(logits, {0, missing}, -INFINITY) : logits, 1);
}

}  // namespace

void readPredictions(const at::Tensor& logits, const Capture& capture, RunResult& result)
{
    // Where the logits are: a GPU's machine would wake all its processors for this.
    const double logSumExp = at::logsumexp(logits.to(at::kDouble), 0).item<double>();
    const at::Tensor onHost = logits.to(at::kCPU).contiguous();
    readPredictions({onHost.data_ptr<float>(), static_cast<std::size_t>(onHost.numel())}, logSumExp, capture,
                    result);
}

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

void collect(const RunRequest& request, const std::vector<LayerRecord>& records, RunResult& result)
{
    result.heads = request.model->spec().headShape();
    result.heads.layers = static_cast<int>(records.size());
    result.tokens = request.placeIds();
    result.tileRows = result.tileColumns = tileSideOf(request);
    std::int64_t active = 0;
    std::vector<HeadOutputs::Layer> outputs;
    for (const LayerRecord& record : records) {
        result.stats.insert(result.stats.end(), record.stats.begin(), record.stats.end());
        result.tiles.push_back(record.tiles);
        active += record.activeCells;
        if (request.capture.fullMaps)
            result.maps.push_back(record.map);
        if (request.capture.headOutputs)
            outputs.push_back(record.outputs);
    }
    result.density = static_cast<double>(active) /
                     (static_cast<double>(stats::causalCells(request.places())) * result.heads.total());
    if (request.capture.headOutputs)
        result.headOutputs = std::make_shared<const HeadOutputs>(request, std::move(outputs));
}

void readOut(const Decoder& decoder, RunMemory& memory, const RunRequest& request, const Hooks& hooks,
             RunResult& result)
{
    const Capture& capture = request.capture;
    const auto length = static_cast<std::int64_t>(request.tokens.size());
    const bool wantsLoss = capture.loss && length > 1;
    const std::int64_t position = capture.position.value_or(static_cast<int>(length) - 1);
    result.position = static_cast<int>(position);
    const bool isOneRow = !wantsLoss && !capture.logits;
    Laps laps;
    if (GpuLayers* const gpu = memory.gpuLayers(); gpu && !capture.logits) {
        if (wantsLoss)
            gpu->queueLosses();
        gpu->queueLogits(result.position);
        memory.settle();  // meanwhile
        result.times.summaries = laps.next();
        if (wantsLoss) {
            const std::span<const float> losses = gpu->losses();
            result.loss =
                std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
        }
        result.times.loss = laps.next();
        const std::span<const float> logits = gpu->logits();
        readPredictions(logits.first(logits.size() - 1), logits.back(), capture, result);
        result.times.predictions = laps.next();
        return;
    }
    memory.settle();
    result.times.summaries = laps.next();
    const at::Tensor residual = memory.residual(request.model->spec().layers);
    if (isOneRow) {
        readPredictions(decoder.logits(residual.narrow(0, position, 1))[0], capture, result);
        result.times.predictions = laps.next();
        return;
    }
    double loss = 0;
    for (std::int64_t first = 0; first < length; first += kLogitChunk) {
        hooks.throwIfCancelled();
        const at::Tensor logits =
            decoder.logits(residual.narrow(0, first, std::min(kLogitChunk, length - first)));
        if (wantsLoss)
            loss += lossOf(logits, first, request.tokens);
        if (capture.logits) {
            const at::Tensor onHost = logits.to(at::kCPU).contiguous();
            const float* const data = onHost.data_ptr<float>();
            result.logits.insert(result.logits.end(), data, data + onHost.numel());
        }
        result.times.loss += laps.next();
        if (position >= first && position < first + logits.size(0))
            readPredictions(logits[position - first], capture, result);
        result.times.predictions += laps.next();
    }
    if (wantsLoss)
        result.loss = loss / static_cast<double>(length - 1);
}

void readOutTogether(const Decoder& decoder, const at::Tensor& residual, std::span<const RunRequest> requests,
                     const Hooks& hooks, std::vector<RunResult>& results)
{
    const Capture& capture = requests.front().capture;
    const auto length = static_cast<std::int64_t>(requests.front().tokens.size());
    const std::int64_t position = capture.position.value_or(static_cast<int>(length) - 1);
    const bool wantsLoss = capture.loss && length > 1;
    for (RunResult& result : results)
        result.position = static_cast<int>(position);
    if (capture.topK > 0 || !capture.watched.empty()) {
        const std::int64_t prompts = decoder.tokens().size(0);
        at::Tensor read = at::zeros({paddedRows(prompts)}, at::kLong);
        read.narrow(0, 0, prompts).copy_(at::arange(prompts) * length + position);
        const at::Tensor logits = decoder.logits(residual.index_select(0, read.to(residual.device())));
        const at::Tensor sums = logSumExp(logits.to(at::kDouble)).to(at::kCPU);
        const at::Tensor onHost = logits.to(at::kCPU).contiguous();
        const auto width = static_cast<std::size_t>(onHost.size(1));
        for (std::size_t prompt = 0; prompt < requests.size(); ++prompt)
            readPredictions({onHost.data_ptr<float>() + prompt * width, width},
                            sums.data_ptr<double>()[prompt], capture, results[prompt]);
    }
    if (!wantsLoss)
        return;
    const at::Tensor next = at::zeros({residual.size(0), 1}, at::kLong);  // the token after each row's
    const at::Tensor tokens = decoder.tokens().to(at::kCPU).flatten();
    next.narrow(0, 0, tokens.size(0) - 1).copy_(tokens.narrow(0, 1, tokens.size(0) - 1).unsqueeze(1));
    const at::Tensor targets = next.to(residual.device());
    // Row by row, so that a prompt's sum has the same order wherever its rows are.
    std::vector<double> sums(requests.size());
    const std::int64_t end = std::ssize(requests) * length;
    for (std::int64_t first = 0; first < end; first += kLogitChunk) {
        hooks.throwIfCancelled();
        const std::int64_t rows = std::min(kLogitChunk, residual.size(0) - first);
        const at::Tensor chunk = decoder.logits(residual.narrow(0, first, rows));
        const at::Tensor losses =
            (logSumExp(chunk) - chunk.gather(1, targets.narrow(0, first, rows)).squeeze(1)).to(at::kCPU);
        for (std::int64_t row = 0; row < std::min(rows, end - first); ++row)
            if ((first + row) % length + 1 != length)
                sums[static_cast<std::size_t>((first + row) / length)] += losses.data_ptr<float>()[row];
    }
    for (std::size_t prompt = 0; prompt < requests.size(); ++prompt)
        results[prompt].loss = sums[prompt] / static_cast<double>(length - 1);
}

}  // namespace hs::engine
