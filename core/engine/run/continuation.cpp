#include "engine/run/continuation.h"

#include "base/failure.h"
#include "base/timing.h"
#include "cuda/token_draw.h"
#include "engine/device/device_tensors.h"
#include "engine/run/growing_run_tensors.h"
#include "engine/run/request_check.h"
#include "engine/run/run_room.h"

#include <algorithm>
#include <cmath>

namespace hs::engine {
namespace {

void checkContinuation(const RunRequest& request, const TokenDraw& draw)
{
    checkRequest(request);
    if (request.capture.fullMaps || request.capture.logits || request.capture.headOutputs)
        fail(ErrorCode::BadRequest, "Full maps, all logits and heads' outputs are not kept of a text that "
                                    "grows; run the text instead.");
    if (request.fold())
        fail(ErrorCode::BadRequest,
             "Blocks are not followed through a text that grows; run the text instead.");
    for (const auto& [head, ablation] : request.ablations)
        if (ablation.kind == HeadAblation::Kind::Replace)
            fail(ErrorCode::BadRequest, toString(head) + " cannot be patched in a text that grows, as the "
                                                         "other run ends; zero it or take its mean.");
    if (!(draw.temperature >= 0) || draw.topK < 0 || !(draw.number >= 0 && draw.number < 1))
        fail(ErrorCode::BadRequest, "A token is drawn at a temperature of 0 or more among 0 (all) or more of "
                                    "the most probable ones; correct the numbers.");
}

/// The index of the logit drawn at a temperature.
std::int64_t drawnIndex(std::vector<float> logits, const TokenDraw& draw)
{
    for (float& logit : logits)
        logit = static_cast<float>(logit / draw.temperature);
    return cuda::drawTokenTwin(logits.data(), static_cast<std::int64_t>(logits.size()), draw.number);
}

/// `best` are the most probable tokens, as many as the draw is among.
Prediction drawn(const at::Tensor& logits, const std::vector<Prediction>& best, const TokenDraw& draw)
{
    if (draw.temperature == 0 || draw.topK == 1)
        return best.front();
    if (draw.topK > 0) {
        std::vector<float> among;
        for (std::size_t rank = 0; rank < best.size() && rank < static_cast<std::size_t>(draw.topK); ++rank)
            among.push_back(static_cast<float>(best[rank].logit));
        return best[static_cast<std::size_t>(drawnIndex(std::move(among), draw))];
    }
    const at::Tensor onHost = logits.to(at::kCPU).contiguous();
    const float* const data = onHost.data_ptr<float>();
    const std::int64_t token = drawnIndex({data, data + onHost.numel()}, draw);
    const double logSumExp = best.front().logit - std::log(best.front().probability);
    return {token, std::exp(data[token] - logSumExp), data[token]};
}

}  // namespace

Continuation::Continuation() : m_run(std::make_unique<GrowingRun>()) {}
Continuation::~Continuation() = default;

std::uint64_t Continuation::bytes() const
{
    return m_run->bytes();
}

Result<ContinuedRun> Continuation::run(const RunRequest& request, const TokenDraw& draw, const Hooks& hooks)
{
    return guarded([&] {
        const Laps laps;
        checkContinuation(request, draw);
        requireRoom(request);
        RunRequest reading = request;
        reading.capture.topK = std::max({request.capture.topK, draw.topK, 1});
        reading.capture.topK = std::min(reading.capture.topK, request.model->spec().vocabulary);
        const Tf32Scope precision(request.tf32);
        const c10::InferenceMode noGradients;
        try {
            ContinuedRun continued{m_run->advance(reading, hooks), {}};
            std::vector<Prediction>& best = continued.run.predictions;
            continued.next = drawn(m_run->logits(), best, draw);
            best.resize(std::min(best.size(), static_cast<std::size_t>(request.capture.topK)));
            continued.run.milliseconds = laps.total();
            return continued;
        } catch (const std::exception& exception) {
            for (const Placement::Part& part : request.model->facts().placement.parts)
                requireWorking(part.device, exception.what());
            if (!isOutOfMemory(exception))
                throw;
            m_run = std::make_unique<GrowingRun>();
            giveBackMemory();
            failForMemory(request, exception.what());
        }
    });
}

}  // namespace hs::engine
