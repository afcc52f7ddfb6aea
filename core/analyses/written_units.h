#pragma once

#include "engine/run/attribution.h"

#include <map>
#include <string_view>

namespace hs::analyses {

/// What a head's or an MLP's share of the answer's logit is called where metrics have names. Metrics of patterns
/// (stats::allMetrics) are of heads alone.
inline constexpr std::string_view kLogitMetric = "logit";

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

}  // namespace hs::analyses
