#include "fuzz/target.h"

#include "base/failure.h"
#include "model/adapter/adapter_config.h"

#include <algorithm>
#include <cmath>

namespace hs::fuzz {
namespace {

bool isRank(int rank)
{
    return rank >= 1 && rank <= 1 << 16;
}

void check(std::string_view input)
{
    const auto config =
        guarded([&] { return model::readAdapterConfig(parseJson(input, "adapter_config.json"), "adapter"); });
    if (!config)
        return requireRefusal(config.error());
    require(isRank(config->rank) &&
                std::ranges::all_of(config->ranks, [](const auto& entry) { return isRank(entry.second); }),
            "ranks are those of a matrix");
    require(std::isfinite(config->alpha) &&
                std::ranges::all_of(config->alphas,
                                    [](const auto& entry) { return std::isfinite(entry.second); }),
            "a change is scaled by a number");
}

const Target kTarget("adapter_config", check);

}  // namespace
}  // namespace hs::fuzz
