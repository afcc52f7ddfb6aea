#pragma once

#include "features/coders/transcoders.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs::features {

/// A file of one layer of a set, by its path within the set's folder.
using LayerOf = std::function<std::optional<int>(const std::filesystem::path&)>;

/// The layer that a path names: "layers.5.mlp", "blocks.5.hook_mlp_in", "layer_5/width_16k".
std::optional<int> layerInName(std::string_view path);

/// The files of this name in a folder and those below it, relative to it and sorted. Throws Failure.
std::vector<std::filesystem::path> filesBelow(const std::filesystem::path& folder, std::string_view name);

/// The same, but of any name that this holds of.
std::vector<std::filesystem::path> filesBelow(const std::filesystem::path& folder,
                                              const std::function<bool(const std::string&)>& isMeant);

/// Whole paths by layer. Throws Failure for a layer that is there twice or not at all.
std::vector<std::filesystem::path> byLayer(const std::filesystem::path& folder,
                                           const std::vector<std::filesystem::path>& files,
                                           const LayerOf& layerOf);

/// Where an encoder reads by the name that a program has for it; none where names have changed their meaning.
std::optional<Place> placeOfHook(std::string_view hook, const model::ArchSpec& spec);

}  // namespace hs::features
