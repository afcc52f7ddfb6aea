#pragma once

#include "base/feature_id.h"

#include <filesystem>
#include <map>
#include <string>

namespace hs::features {

/// The names that users give to features.
using Labels = std::map<FeatureId, std::string>;

inline constexpr std::size_t kLongestLabel = 1000;  // bytes

/// None if there is no such file. Throws Failure.
Labels readLabels(const std::filesystem::path& file);
Labels labelsFrom(std::string_view json, const std::string& what);
std::string labelsJson(const Labels& labels);

/// Where labels of a set of transcoders are if its own folder cannot be written to: in the user's own data.
std::filesystem::path ownLabelFile(const std::filesystem::path& transcoders);

}  // namespace hs::features
