#pragma once

#include "analyses/generation.h"
#include "app/support/arguments.h"
#include "base/json.h"
#include "engine/load/open_model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs::app {

/// How a model goes on after the prompt, as the user typed it.
struct GenerationArguments {
    int count = 0;
    double temperature = 0;
    int topK = 0;
    std::uint64_t seed = 1;
    std::vector<std::string> stop;
    int ablateFrom = 0;
};

/// `withSeed` is false for commands that have an option of that name.
void addGenerationOptions(CLI::App& command, GenerationArguments& arguments, bool withSeed = true);

/// What a model wrote.
struct WrittenText {
    analyses::Generation generation;
    std::string text;  // without an end token, and without the text it was stopped by and what follows that

    std::vector<std::int64_t> tokens() const;
};

/// Continues a run; `name` is the model's, as the user gave it. Throws Failure.
WrittenText writeOn(const engine::Workspace& workspace, const std::string& name, engine::RunRequest run,
                    const GenerationArguments& arguments);

/// `generated`, `continuation` and `stopped_by`.
Json toJson(const WrittenText& written, const text::Tokenizer* tokenizer);

}  // namespace hs::app
