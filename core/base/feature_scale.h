#pragma once

#include "base/feature_id.h"
#include "base/result.h"

namespace hs {

/// A feature whose activation is multiplied, everywhere or at one position. Its text form is "L3F120=0" or
/// "L3F120@5=0.5".
struct FeatureScale {
    FeatureId feature;
    std::optional<int> position;  // none: wherever it fires
    double factor = 0;            // 0 switches it off, 1 leaves it as it is

    friend auto operator<=>(const FeatureScale&, const FeatureScale&) = default;
};

std::string toString(const FeatureScale& scale);

/// Reads exactly one.
Result<FeatureScale> parseFeatureScale(std::string_view text);

}  // namespace hs
