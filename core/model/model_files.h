#pragma once

#include "base/json.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace hs::model {

/// The files a model is made of, found on disk and not yet read.
struct ModelFiles {
    enum class Format { Safetensors, StateDict, Gguf };

    std::filesystem::path folder;
    std::filesystem::path config;           // empty where there is none; a GGUF file has its own inside
    std::filesystem::path tokenizerFolder;  // empty where the folder has no tokenizer
    Format format = Format::Safetensors;
    std::vector<std::filesystem::path> weights;
    std::map<std::string, std::string> shardOf;  // tensor → file name of its shard; empty unless split
    std::string nameInStore;   // "llama3.2:1b", where the files are kept under hashes; else empty
    std::string quantisation;  // "Q4_K_M", of a GGUF file
    bool isAdapter = false;    // the weights are what an adapter adds to a model's

    friend bool operator==(const ModelFiles&, const ModelFiles&) = default;
};

/// A model's name for titles: "org/name" for one in the download cache, the file's for a lone state dict or
/// a GGUF file, else its folder's. What weights were rounded to is part of it.
std::string titleOf(const ModelFiles& files);

/// What config.json says, or the keys of a GGUF file in its place; an empty object where there is neither.
/// Throws Failure.
Json configOf(const ModelFiles& files);

}  // namespace hs::model
