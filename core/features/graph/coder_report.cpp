#include "features/graph/place_choice.h"

#include "base/failure.h"
#include "features/coders/coded_outputs_tensors.h"
#include "features/graph/mlp_run_tensors.h"

namespace hs::features {
namespace {

/// Next-token losses of a run, and what it predicts. [query - 1]
struct Predictions {
    at::Tensor losses;
    at::Tensor top;
};

Predictions predictionsOf(const at::Tensor& logits, const std::vector<std::int64_t>& tokens)
{
    const auto length = static_cast<std::int64_t>(tokens.size());
    const at::Tensor all = logits.narrow(0, 0, length - 1);
    at::Tensor next = at::empty({length - 1, 1}, at::kLong);
    std::copy(tokens.begin() + 1, tokens.end(), next.data_ptr<std::int64_t>());
    return {-all.log_softmax(-1).gather(1, next), all.argmax(-1)};
}

}  // namespace

Result<CoderReport> reportCoders(const Transcoders& coders, const std::vector<engine::RunRequest>& passages,
                                 const Hooks& hooks)
{
    return guarded([&] {
        const c10::InferenceMode noGradients;
        const Place place = coders.facts().place.value_or(Place::MlpInput);
        CoderReport report;
        std::vector<at::Tensor> counts;  // [layer] [feature] positions at which a feature fires
        std::int64_t predicted = 0;
        for (const engine::RunRequest& passage : passages) {
            hooks.throwIfCancelled();
            if (passage.tokens.size() < 2)
                continue;
            const auto read = [&](const MlpVisit& visit) {
                return readAt(place, *passage.model, visit.layer, visit.stream);
            };
            CodedOutputs beside(coders);  // what features do in the model as it is
            const at::Tensor logits = runMlps(passage, [&](const MlpVisit& visit) {
                beside.next(read(visit).slice(0, 1));
                return visit.output();
            });
            CodedOutputs instead(coders);
            const at::Tensor replaced = runMlps(passage, [&](const MlpVisit& visit) {
                // The first position, which transcoders are not trained on, keeps its MLP.
                at::Tensor output = instead.next(read(visit));
                output[0].copy_(visit.output()[0]);
                return output;
            });
            const Predictions before = predictionsOf(logits, passage.tokens);
            const Predictions after = predictionsOf(replaced, passage.tokens);
            report.loss += before.losses.sum().item<double>();
            report.replacedLoss += after.losses.sum().item<double>();
            report.sameTop += before.top.eq(after.top).sum().item<double>();
            predicted += before.top.numel();
            report.positions += static_cast<std::int64_t>(passage.tokens.size()) - 1;
            for (std::size_t layer = 0; layer < beside.counts().size(); ++layer)
                if (layer < counts.size())
                    counts[layer] += beside.counts()[layer];
                else
                    counts.push_back(beside.counts()[layer].clone());
        }
        if (predicted == 0)
            fail(ErrorCode::BadRequest, "The text has no two tokens; give a longer one.");
        const auto total = static_cast<double>(predicted);
        report.loss /= total;
        report.replacedLoss /= total;
        report.sameTop /= total;
        for (const at::Tensor& each : counts) {
            report.l0.push_back(each.sum().item<double>() / static_cast<double>(report.positions));
            report.dead.push_back(static_cast<int>(each.eq(0).sum().item<std::int64_t>()));
        }
        return report;
    });
}

}  // namespace hs::features
