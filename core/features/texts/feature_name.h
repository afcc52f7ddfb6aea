#pragma once

#include "features/texts/feature_texts.h"

namespace hs::features {

/// What a feature is called, and where the name comes from.
struct FeatureName {
    enum class Origin {
        Nothing,   // the text is empty
        Label,     // the user's
        FiresOn,   // the word that most of its examples are
        Promotes,  // the token it promotes most
    };
    Origin origin = Origin::Nothing;
    std::string text;  // without spaces around it

    friend bool operator==(const FeatureName&, const FeatureName&) = default;
};

FeatureName nameOf(const FeatureTexts& texts);

}  // namespace hs::features
