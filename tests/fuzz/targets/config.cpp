#include "fuzz/target.h"

#include "base/failure.h"
#include "model/architectures.h"
#include "model/weight_plan.h"

#include <algorithm>
#include <cmath>

namespace hs::fuzz {
namespace {

bool isPositive(const std::vector<std::int64_t>& shape)
{
    return std::ranges::all_of(shape, [](std::int64_t extent) { return extent > 0; });
}

void requireSound(const model::ArchSpec& spec)
{
    require(spec.layers > 0 && spec.heads > 0 && spec.headDim > 0 && spec.hidden > 0 && spec.vocabulary > 0 &&
                spec.context > 0 && spec.intermediate > 0,
            "sizes are positive");
    require(spec.kvHeads > 0 && spec.heads % spec.kvHeads == 0, "key/value heads divide heads");
    require(spec.windows.size() == static_cast<std::size_t>(spec.layers), "each layer has a window");
    require(spec.rotaryDims >= 0 && spec.rotaryDims % 2 == 0 && spec.rotaryDims <= spec.headDim,
            "rotated dimensions come in pairs and fit the head");
    for (const model::Rope& rope : {spec.rope, spec.localRope.value_or(spec.rope)})
        for (const std::int64_t length : {std::int64_t{1}, std::int64_t{spec.context}})
            require(std::ranges::all_of(model::rotaryFrequencies(rope, spec.rotaryDims, length),
                                        [](float angle) { return std::isfinite(angle); }) &&
                        std::isfinite(rope.amplitude),
                    "rotary angles are numbers");
    require(spec.normBefore || spec.normAfter, "sublayers have norms");
    require(std::isfinite(spec.scoreScale(spec.layers - 1)), "scores have a scale");
}

void check(std::string_view input)
{
    const auto spec = guarded([&] { return orThrow(model::readArchSpec(parseJson(input, "config.json"))); });
    if (!spec)
        return requireRefusal(spec.error());
    requireSound(*spec);
    std::int64_t weights = 0;
    for (const model::PlannedTensor& tensor : model::planWeights(*spec)) {
        for (const model::PlannedPart& part : tensor.parts)
            require(isPositive(part.shape), "a planned tensor has a shape");
        weights += tensor.elements();
    }
    require(weights == model::parameterCount(*spec), "the forecast counts what the plan holds");
}

const Target kTarget("config", check);

}  // namespace
}  // namespace hs::fuzz
