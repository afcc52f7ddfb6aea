#include "bench/cut_times.h"

#include "base/failure.h"
#include "base/timing.h"
#include "engine/load/model.h"

#include <vector>

namespace hs::bench {

CutTimes timeCutCell(engine::RunRequest request, int rounds, const Hooks& hooks)
{
    static constexpr int kWarmUps = 2;
    const HeadId head{request.model->spec().layers / 2, 0};
    const auto middle = static_cast<int>(request.tokens.size() / 2);
    engine::HeadAblation cut;
    cut.kind = HeadChange::Kind::Cells;
    cut.edits = {{blockOf({middle, 0}), {}}};
    engine::Engine engine;
    const auto timeOf = [&](const engine::HeadAblation& ablation) {
        hooks.throwIfCancelled();
        request.ablations.clear();
        orThrow(engine.run(request, {{}, hooks.stop}));
        request.ablations[head] = ablation;
        return milliseconds([&] { orThrow(engine.run(request, {{}, hooks.stop})); });
    };
    std::vector<double> ablated, changed;
    for (int round = -kWarmUps; round < rounds; ++round) {
        const double ablatedMs = timeOf({});
        const double cutMs = timeOf(cut);
        if (round < 0)
            continue;
        ablated.push_back(ablatedMs);
        changed.push_back(cutMs);
    }
    return {median(ablated), median(changed)};
}

}  // namespace hs::bench
