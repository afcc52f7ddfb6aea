#pragma once

#include "base/result.h"
#include "model/adapter/adapter_config.h"
#include "model/environment.h"
#include "model/model_files.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace hs::model {

/// An adapter as PEFT saves it, found on disk, its weights not yet read.
struct AdapterFiles {
    std::filesystem::path folder;
    AdapterConfig config;
    ModelFiles weights;  // the one file

    /// For titles: "org/name" of one in the download cache, else its folder's name.
    std::string title() const { return titleOf(weights); }
};

/// What is opened for a name: the last step in a folder of the steps of a training that is neither a model nor an adapter,
/// otherwise the name itself.
std::string lastStepAt(std::string_view where, const Environment& environment = Environment::fromProcess());

/// Whether a folder, a file in it or a name in the download cache holds an adapter and no model.
bool isAdapter(std::string_view where, const Environment& environment = Environment::fromProcess());

/// Finds an adapter: its folder, a file in it, or its name in the download cache. One of a kind that cannot be read is
/// refused by the name of what is missing.
Result<AdapterFiles> locateAdapter(std::string_view where,
                                   const Environment& environment = Environment::fromProcess());

/// The model that an adapter was trained on: where its config says, seen from here or from beside the adapter.
Result<ModelFiles> locateBase(const AdapterFiles& adapter,
                              const Environment& environment = Environment::fromProcess());

/// The model that a name means, or that the adapter there changes: with its tokenizer, sizes and end tokens.
Result<ModelFiles> locateModelBehind(std::string_view where,
                                     const Environment& environment = Environment::fromProcess());

}  // namespace hs::model
