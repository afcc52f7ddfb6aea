#include "analyses/written_units.h"

#include "base/failure.h"
#include "engine/run/written_norms.h"

namespace hs::analyses {

WrittenUnits writtenUnits(engine::Engine& engine, const engine::RunRequest& request,
                          const engine::RunResult& result, const Hooks& hooks)
{
    const engine::AttributionRequest answer{request, result.position, result.predictions.front().token, {}};
    return {writtenByUnits(orThrow(engine.attribute(answer, hooks))),
            engine::writtenNorms(request, *result.headOutputs)};
}

}  // namespace hs::analyses
