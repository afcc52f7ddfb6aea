#include "engine/request/forecast.h"

#include "model/weight_plan.h"

#include <algorithm>
#include <set>

namespace hs::engine {

MemoryForecast forecastLoad(const model::ArchSpec& spec, std::uint64_t bytesPerWeight)
{
    MemoryForecast forecast;
    forecast.weights = static_cast<std::uint64_t>(model::parameterCount(spec)) * bytesPerWeight;
    return forecast;
}

MemoryForecast forecastRun(const model::ArchSpec& spec, std::uint64_t bytesPerWeight,
                           std::uint64_t bytesPerNumber, std::int64_t length, const Capture& capture,
                           std::optional<std::int64_t> places)
{
    const auto tokens = static_cast<std::uint64_t>(length);
    const auto heads = static_cast<std::uint64_t>(spec.heads);
    const std::uint64_t layerMap = heads * tokens * tokens * sizeof(float);
    const std::uint64_t headMap = layerMap / heads;
    const auto side = static_cast<std::uint64_t>(places.value_or(length));

    MemoryForecast forecast;
    forecast.residuals = (spec.layers + std::uint64_t{1}) * tokens * spec.hidden * bytesPerNumber;
    if (capture.headOutputs)
        forecast.residuals += static_cast<std::uint64_t>(spec.layers) * tokens *
                              (spec.queryWidth() + spec.hidden) * bytesPerNumber;
    if (capture.headOutputs && capture.headCells)
        forecast.residuals +=
            static_cast<std::uint64_t>(spec.layers) * (layerMap + tokens * spec.kvWidth() * bytesPerNumber);
    if (capture.fullMaps)
        forecast.maps = static_cast<std::uint64_t>(spec.layers) * heads * side * side * sizeof(float);
    if (capture.logits)
        forecast.logits = tokens * spec.vocabulary * sizeof(float);
    // Tiles and statistics are taken as scores are computed; patterns are held only if they are looked at.
    std::uint64_t patterns = 0;
    if (capture.fullMaps || capture.headCells) {
        const std::set<int> windows(spec.windows.begin(), spec.windows.end());
        const std::uint64_t masks = tokens * tokens * (windows.size() + 1);  // one extra while making one
        patterns = 3 * std::min(layerMap, std::max(kScoreChunkBytes, headMap)) + masks;
    }
    const std::uint64_t activations =
        tokens * bytesPerNumber *
        (2 * (spec.queryWidth() + 2 * std::uint64_t(spec.kvWidth())) + 3 * std::uint64_t(spec.intermediate));
    const std::uint64_t logitChunk =
        std::min<std::uint64_t>(tokens, kLogitChunk) * spec.vocabulary * sizeof(float) * 3;
    // Weights narrower than the computation are widened one tensor at a time.
    const std::uint64_t widened = bytesPerWeight < bytesPerNumber
                                      ? 2 * std::uint64_t(spec.hidden) * spec.intermediate * sizeof(float)
                                      : 0;
    forecast.scratch = std::max(patterns + activations, logitChunk) + widened;
    return forecast;
}

}  // namespace hs::engine
