#pragma once

#include "base/hooks.h"
#include "engine/run/attribution.h"
#include "engine/run/engine.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace hs::analyses {

/// What a head's or an MLP's share of the answer's logit is called where metrics have names. Metrics of patterns
/// (stats::allMetrics) are of heads alone.
inline constexpr std::string_view kLogitMetric = "logit";
/// The same for how long what a unit writes is; see engine::writtenNorms.
inline constexpr std::string_view kNormMetric = "norm";

/// What each head and MLP adds to the logit.
inline std::map<HeadId, double> writtenByUnits(const engine::Attribution& attribution)
{
    using Kind = engine::AttributionPart::Kind;
    std::map<HeadId, double> values;
    for (const engine::AttributionPart& part : attribution.parts)
        if (part.kind == Kind::Head || part.kind == Kind::Mlp)
            values[part.kind == Kind::Mlp ? HeadId::mlpOf(part.layer) : HeadId{part.layer, part.head}] =
                part.value;
    return values;
}

/// The most that a head or an MLP adds or takes away, which shares are measured by.
inline double largestOf(const std::map<HeadId, double>& written)
{
    double most = 0;
    for (const auto& [unit, value] : written)
        most = std::max(most, std::abs(value));
    return most;
}

/// What heads and MLPs write.
struct WrittenUnits {
    std::map<HeadId, double> logits;  // direct contributions to the predicted token's
    std::map<HeadId, double> norms;   // see engine::writtenNorms
};

/// Of a run that kept its heads' outputs (Capture::headOutputs). Throws Failure.
WrittenUnits writtenUnits(engine::Engine& engine, const engine::RunRequest& request,
                          const engine::RunResult& result, const Hooks& hooks);

}  // namespace hs::analyses
