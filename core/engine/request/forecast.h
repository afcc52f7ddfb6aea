#pragma once

#include "engine/request/run_request.h"
#include "model/arch_spec.h"

#include <cstdint>
#include <optional>

namespace hs::engine {

/// Bytes a model or a run will take, derived from config.json and the prompt's length alone.
struct MemoryForecast {
    std::uint64_t weights = 0;
    std::uint64_t residuals = 0;  // kept for re-runs
    std::uint64_t maps = 0;       // full maps, when asked for
    std::uint64_t logits = 0;     // kept, when asked for
    std::uint64_t scratch = 0;    // while running

    std::uint64_t running() const { return residuals + maps + logits + scratch; }
};

MemoryForecast forecastLoad(const model::ArchSpec& spec, std::uint64_t bytesPerWeight);
/// `bytesPerNumber` is the width of the computation, which may be wider than the weights'. Maps have so many `places` a
/// side, if not as many as the prompt has tokens.
MemoryForecast forecastRun(const model::ArchSpec& spec, std::uint64_t bytesPerWeight,
                           std::uint64_t bytesPerNumber, std::int64_t length, const Capture& capture,
                           std::optional<std::int64_t> places = {});

/// Most bytes of float scores the decoder holds at once: it works through a layer's heads in
/// portions of this size.
inline constexpr std::uint64_t kScoreChunkBytes = std::uint64_t{256} << 20;
/// Positions whose logits are held at once for the loss.
inline constexpr std::int64_t kLogitChunk = 128;

}  // namespace hs::engine
