#pragma once

#include "app/support/arguments.h"
#include "engine/load/open_model.h"
#include "features/coders/transcoders.h"

#include <filesystem>
#include <memory>
#include <string>

namespace hs::app {

/// What to make texts of features from.
struct TextsArguments {
    std::string file;       // a text
    bool hasTasks = false;  // the built-in tasks
    std::int64_t mostTokens = 1'000'000;
    int examples = 8;

    bool isAsked() const { return !file.empty() || hasTasks; }
};

void addTextsOptions(CLI::App& command, TextsArguments& arguments);

/// Reads the corpus and writes texts.json beside the transcoders. Throws Failure.
void writeTexts(const engine::Workspace& workspace, const std::filesystem::path& folder,
                const RunArguments& run, const TextsArguments& arguments);

}  // namespace hs::app
