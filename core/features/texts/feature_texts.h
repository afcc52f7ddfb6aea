#pragma once

#include "base/feature_id.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hs::features {

/// A token that a feature fires on, or one that it promotes.
struct FeatureToken {
    std::string text;
    double value = 0;       // activation, or what it adds to the logit for each unit of activation
    std::string context;    // of one that it fires on: the text around it, and itself
    std::size_t begin = 0;  // of the token in the context, in bytes

    friend bool operator==(const FeatureToken&, const FeatureToken&) = default;
};

/// What a feature is, in words.
struct FeatureTexts {
    FeatureId feature;
    std::string label;                     // the user's, or empty
    std::optional<double> frequency;       // share of tokens that it fires on; none: not known
    std::vector<FeatureToken> firesOn;     // largest activation first
    std::vector<FeatureToken> promotes;    // largest first
    std::vector<FeatureToken> suppresses;  // most negative first

    friend bool operator==(const FeatureTexts&, const FeatureTexts&) = default;
};

}  // namespace hs::features
