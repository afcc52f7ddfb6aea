#pragma once

#include "base/json.h"
#include "features/texts/feature_texts.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hs::features {

/// The name of the file beside transcoders; it may be there packed by gzip instead.
inline constexpr const char* kTextsFile = "texts.json";
inline constexpr const char* kPackedTextsFile = "texts.json.gz";

/// What features fire on and promote, as one file. Features are read when they are asked for.
class TextsFile {
public:
    /// Packed or not. Throws Failure.
    explicit TextsFile(const std::filesystem::path& file);
    TextsFile(Json json, std::string what);  // which names it in errors

    std::int64_t tokens() const { return m_tokens; }  // that were read to make it

    /// Nothing but its name of a feature that is not in the file. Throws Failure.
    FeatureTexts textsOf(FeatureId feature) const;
    std::vector<FeatureId> features() const;

private:
    std::string m_what;
    Json m_json;
    std::int64_t m_tokens = 0;
};

/// The content of such a file.
std::string textsJson(const std::vector<FeatureTexts>& texts, std::int64_t tokens);

}  // namespace hs::features
