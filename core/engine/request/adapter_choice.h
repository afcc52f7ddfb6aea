#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace hs::engine {

/// Which adapter, and how much of it, as the user says it.
struct AdapterChoice {
    std::string folder;
    double strength = 1;

    friend bool operator==(const AdapterChoice&, const AdapterChoice&) = default;
};

/// "DIR" or "DIR:STRENGTH"; any finite number.
Result<AdapterChoice> parseAdapterChoice(std::string_view text);
std::string toString(const AdapterChoice& choice);

}  // namespace hs::engine
