#include "model/adapter/linear_modules.h"

namespace hs::model {

bool isAttentionWeight(Role role)
{
    return role == Role::QkvWeight || role == Role::OutWeight;
}

bool isProjection(Role role)
{
    return isAttentionWeight(role) || role == Role::UpWeight || role == Role::DownWeight;
}

std::vector<std::vector<LinearModule>> linearModules(const ArchSpec& spec)
{
    static constexpr std::string_view kEnd = ".weight";
    std::vector<std::vector<LinearModule>> modules(spec.layers);
    for (const PlannedTensor& planned : planWeights(spec)) {
        if (!isProjection(planned.role))
            continue;
        const bool isTransposed = planned.arrangement == Arrangement::Transposed;
        std::int64_t row = 0;
        for (const PlannedPart& part : planned.parts) {
            const std::int64_t out = part.shape[isTransposed ? 1 : 0];
            modules[planned.layer].push_back({planned.role, planned.arrangement,
                                              part.name.substr(0, part.name.size() - kEnd.size()), row, out,
                                              part.shape[isTransposed ? 0 : 1]});
            row += out;
        }
    }
    return modules;
}

}  // namespace hs::model
