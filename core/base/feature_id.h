#pragma once

// Before <compare>, which the moc of Qt 6.4 cannot read by itself.
#include <cstddef>

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace hs {

/// A feature of a set of transcoders: the index-th of those that read at a layer. Its text form is "L3F120".
struct FeatureId {
    int layer = 0;
    int index = 0;

    friend auto operator<=>(const FeatureId&, const FeatureId&) = default;
};

std::string toString(FeatureId id);

/// Reads exactly one feature, "L3F120".
std::optional<FeatureId> parseFeatureId(std::string_view text);

}  // namespace hs
