#pragma once

#include "engine/device/placement.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hs::engine {

/// What a model takes, and what there is.
struct ModelFit {
    std::uint64_t needed = 0;                // for its weights and a run of some hundred tokens
    std::optional<std::uint64_t> available;  // on the devices it would be opened on; none: not known

    bool fits() const { return needed <= available.value_or(needed); }
    friend bool operator==(const ModelFit&, const ModelFit&) = default;
};

/// Forecasts opening a model with these words of the user, from its config alone; see chooseDevices and
/// chooseDType.
ModelFit fitOf(const model::ArchSpec& spec, const std::string& device, const std::string& dtype,
               const FreeMemory& freeOn = freeNow);

}  // namespace hs::engine
