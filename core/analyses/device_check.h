#pragma once

#include "base/head_id.h"
#include "base/hooks.h"
#include "base/result.h"
#include "engine/device/placement.h"
#include "engine/load/model.h"
#include "engine/request/run_result.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::analyses {

/// Tokens that a device is held against the processor with.
inline constexpr std::size_t kCheckedTokens = 8;

/// A difference that is no number, or larger, counts as this.
inline constexpr double kFarthest = 1e6;

/// How far two runs may be apart that differ by nothing but rounding, in shares of what is compared (Euclidean norms).
struct DeviceTolerance {
    double attention = 0;  // of a head's pattern, in the 255 levels that tiles have
    double logits = 0;     // of the logits at all positions
};

/// By the precision of the computation, as precisionName gives it.
DeviceTolerance toleranceOf(const std::string& precision);

/// A run on a device, held against the same weights on the processor.
struct DeviceCheck {
    struct Difference {
        std::optional<HeadId> head;  // none: patterns are alike, but not the logits
        double size = 0;
        double allowed = 0;

        friend bool operator==(const Difference&, const Difference&) = default;
    };
    int layers = 0;    // how many were compared, from the first on
    std::string left;  // a sentence: why the others were not; empty if all were
    std::optional<Difference>
        beyond;  // where they first differ by more than rounding: the head that does most

    friend bool operator==(const DeviceCheck&, const DeviceCheck&) = default;
};

/// The first difference beyond the tolerance in the first `layers` layers, whose tiles have a cell for each token. Logits
/// are compared where both runs have them.
std::optional<DeviceCheck::Difference> findDifference(const engine::RunResult& onDevice,
                                                      const engine::RunResult& onProcessor, int layers,
                                                      const DeviceTolerance& tolerance);

/// Runs the first few of the tokens on the model's device and with a copy of its weights on the processor, of as many
/// layers as there is room for. `freeOn` says how much that is.
Result<DeviceCheck> checkDevice(std::shared_ptr<const engine::Model> model, std::vector<std::int64_t> tokens,
                                bool tf32, const Hooks& hooks,
                                const engine::FreeMemory& freeOn = engine::freeNow);

/// What to tell the user about a difference: where it is, and what to do.
std::string warningOf(const DeviceCheck::Difference& difference, const std::string& model,
                      const std::string& device, const std::string& precision);

}  // namespace hs::analyses
