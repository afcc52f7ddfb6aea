#include "bench/adapter_times.h"

#include "base/failure.h"
#include "base/timing.h"
#include "engine/load/adapter.h"
#include "engine/load/adapter_tensors.h"
#include "engine/load/weights_tensors.h"
#include "model/adapter/linear_modules.h"

#include <vector>

namespace hs::bench {
namespace {

constexpr std::int64_t kAdapterRank = 16;

/// An adapter of every projection, small enough to leave the model's numbers within reason.
std::shared_ptr<const engine::Adapter> randomAdapter(const engine::Model& model)
{
    const auto modules = model::linearModules(model.spec());
    auto weights = std::make_unique<engine::AdapterWeights>();
    weights->layers.resize(modules.size());
    for (int layer = 0; layer < model.spec().layers; ++layer)
        for (const model::LinearModule& module : modules[layer]) {
            const at::TensorOptions options =
                at::TensorOptions(at::kFloat).device(model.weights().at(layer, module.role).device());
            weights->layers[layer][static_cast<int>(module.role)].push_back(
                {module.row, 1, at::empty({kAdapterRank, module.in}, options).normal_(0, 0.01),
                 at::empty({module.out, kAdapterRank}, options).normal_(0, 0.01)});
        }
    engine::Adapter::Facts facts;
    facts.name = "random";
    return std::make_shared<const engine::Adapter>(std::move(facts), std::move(weights));
}

}  // namespace

AdapterTimes timeAdapterStep(const engine::RunRequest& request, int rounds, const Hooks& hooks)
{
    static constexpr int kWarmUps = 2;
    const auto adapter = randomAdapter(*request.model);
    engine::Engine plain, adapted;
    std::vector<double> run, step;
    for (int round = -kWarmUps; round < rounds; ++round) {
        hooks.throwIfCancelled();
        engine::RunRequest other = request;
        other.tokens.front() = (round + kWarmUps) % 2;  // so that nothing of the last run is kept
        engine::RunRequest turned = request;
        turned.adapters = {{adapter, 1 + 0.01 * round}};
        const double runMs = milliseconds([&] { orThrow(plain.run(other, {{}, hooks.stop})); });
        const double stepMs = milliseconds([&] { orThrow(adapted.run(turned, {{}, hooks.stop})); });
        if (round < 0)
            continue;
        run.push_back(runMs);
        step.push_back(stepMs);
    }
    return {median(run), median(step)};
}

}  // namespace hs::bench
