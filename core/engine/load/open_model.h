#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/load/adapter_shelf.h"
#include "model/model_files.h"
#include "text/tokenizer.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hs::engine {

/// Which model, and where and in what type it runs, as the user typed it.
struct ModelArguments {
    std::string model;
    std::string device = "auto";
    std::string dtype = "auto";
};

/// A model with its tokenizer, ready for requests.
struct Workspace {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const text::Tokenizer> tokenizer;  // null where it has none
    std::shared_ptr<const AdapterShelf> adapters;      // its own, and those that runs name
    std::filesystem::path folder;
    std::string fingerprint;         // see fingerprintOf
    std::vector<std::string> notes;  // what the user should know
    double loadMilliseconds = 0;
};

/// Opens models by the names users give, and adapters on their bases: such a model has the base's weights, shared, and
/// the adapter as its own. Weights and tokenizers still in use are not read again. Called by one thread.
class ModelOpener {
public:
    Result<Workspace> open(const ModelArguments& arguments, const Hooks& hooks = {});

private:
    /// What was opened, without what the user should know.
    Workspace openBase(const model::ModelFiles& files, const ModelArguments& arguments, const Hooks& hooks);
    Workspace openAdapter(const ModelArguments& arguments, const Hooks& hooks);

    struct Shared {
        std::weak_ptr<const Model> model;
        std::weak_ptr<const text::Tokenizer> tokenizer;
        std::weak_ptr<const AdapterShelf> adapters;
        std::vector<std::string> tokenizerNotes;
    };

    std::map<std::string, Shared> m_open;  // by folder, content, devices and type
    bool m_hasLookedForGpu = false;        // that there is none is said once
};

}  // namespace hs::engine
