#pragma once

#include "engine/run/variants.h"

#include <array>

namespace hs::analyses {

/// A number of a reading under the name that tables and files give it.
struct ReadingColumn {
    const char* name;
    double engine::VariantReading::* value;
};

/// All of them, in the order of a table's columns.
inline constexpr std::array kReadingColumns = {
    ReadingColumn{"logit", &engine::VariantReading::logit},
    ReadingColumn{"logit_diff", &engine::VariantReading::logitDifference},
    ReadingColumn{"prob", &engine::VariantReading::probability},
    ReadingColumn{"loss", &engine::VariantReading::loss},
    ReadingColumn{"kl", &engine::VariantReading::divergence}};

}  // namespace hs::analyses
