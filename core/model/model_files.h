#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace hs::model {

/// The files a model is made of, found on disk and not yet read.
struct ModelFiles {
    enum class Format { Safetensors, StateDict };

    std::filesystem::path folder;
    std::filesystem::path config;           // empty where the folder has none
    std::filesystem::path tokenizerFolder;  // empty where the folder has no tokenizer
    Format format = Format::Safetensors;
    std::vector<std::filesystem::path> weights;
    std::map<std::string, std::string> shardOf;  // tensor → file name of its shard; empty unless split

    friend bool operator==(const ModelFiles&, const ModelFiles&) = default;
};

/// A model's name for titles: "org/name" for one in the download cache, the file's for a lone state
/// dict, else its folder's.
std::string titleOf(const ModelFiles& files);

}  // namespace hs::model
