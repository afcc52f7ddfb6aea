#pragma once

#include "features/coders/layouts.h"

namespace hs::features {

// What circuit-tracer calls the kinds of sets.
inline constexpr const char* kPerLayerKind = "transcoder_set";
inline constexpr const char* kCrossLayerKind = "cross_layer_transcoder";

/// Gemma Scope's own files, which others' settings name, too.
inline const UnitNames kGemmaScopeNames{
    .encoder = "W_enc",
    .encoderBias = "b_enc",
    .decoder = "W_dec",
    .decoderBias = "b_dec",
    .threshold = "threshold",
    .skip = {},
    .hasTurnedEncoder = true,
};

}  // namespace hs::features
