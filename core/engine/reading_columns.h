#pragma once

#include "engine/variants.h"

#include <array>

namespace hs {

/// A number of a reading under the name that tables and files give it.
struct ReadingColumn {
    const char* name;
    double VariantReading::*value;
};

/// Every one, in the order of a table's columns.
inline constexpr std::array kReadingColumns = {ReadingColumn{"logit", &VariantReading::logit},
                                               ReadingColumn{"logit_diff", &VariantReading::logitDifference},
                                               ReadingColumn{"prob", &VariantReading::probability},
                                               ReadingColumn{"loss", &VariantReading::loss},
                                               ReadingColumn{"kl", &VariantReading::divergence}};

}  // namespace hs
