#pragma once

#include "base/enum_words.h"
#include "engine/load/open_model.h"
#include "engine/request/gate_choice.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hs::app {

inline constexpr const char* kDeviceWords =
    "auto, cpu, cuda, cuda:N, or several to spread the layers over: cuda:0,cuda:1";

// The options that commands share, as the user typed them.

/// One model, or two side by side.
struct ModelChoice {
    engine::ModelArguments one;  // its device and type apply to both
    std::string dense;
    std::string sparse;

    bool isPair() const { return !dense.empty(); }
    /// The one, or the dense and the sparse one.
    std::vector<engine::ModelArguments> all() const;
};

struct PromptArguments {
    std::optional<std::string> text;
    std::string textFile;
    std::string tokens;
    std::string chat;          // file
    std::string chatTemplate;  // name; empty: as the chat or the model says
    bool withoutBos = false;
    std::string blocks;  // that it is cut into; empty: tokens

    bool isChat() const { return !chat.empty(); }
    bool isGiven() const { return text || !textFile.empty() || !tokens.empty() || isChat(); }
};

/// What the user is told who gave none.
inline constexpr const char* kNoPrompt = "There is no prompt; give --text, --text-file, --chat or --tokens.";

struct RunArguments {
    std::vector<std::string> ablate;
    std::vector<std::string> adapters;
    std::string features;             // folder of transcoders; empty: the one beside the model
    std::vector<std::string> scales;  // of features
    std::optional<std::string> gate;
    std::optional<double> gateBias;
    bool tf32 = false;

    /// Whether something is changed about the model's own run.
    bool isGiven() const
    {
        return !ablate.empty() || !adapters.empty() || !scales.empty() || gate || gateBias;
    }
    /// `choice`, with whatever the user set about the gate.
    engine::GateChoice gateOver(engine::GateChoice choice = {}) const;
};

/// Where the sparse side is not what the dense one is.
struct OtherSide {
    std::optional<std::string> text;
    std::vector<std::string> ablate;    // "none": nothing
    std::vector<std::string> adapters;  // likewise

    bool isGiven() const { return text || !ablate.empty() || !adapters.empty(); }
    PromptArguments promptOver(PromptArguments prompt) const;
    RunArguments runOver(RunArguments run) const;
};

/// The two models to show side by side.
void addPairModelOptions(CLI::App& command, std::string& dense, std::string& sparse);
void addOtherSideOptions(CLI::App& command, OtherSide& other);
void addOtherPromptOption(CLI::App& command, OtherSide& other);
void addModelOptions(CLI::App& command, engine::ModelArguments& arguments);
void addModelChoice(CLI::App& command, ModelChoice& choice);
void addPromptOptions(CLI::App& command, PromptArguments& arguments);
/// What the prompt is cut into. Sets of prompts are looked at by token.
void addBlocksOption(CLI::App& command, PromptArguments& arguments);
/// A chat as the prompt; its options are in `group`, or in the command itself.
CLI::Option* addChatOptions(CLI::App& command, CLI::App& group, std::string& file, std::string& name);
/// `scaling` names the option that scales features, for commands that have another one of that name.
void addRunOptions(CLI::App& command, RunArguments& arguments, const std::string& scaling = "--scale");
/// Adapters that change the model of a run.
void addAdapterOption(CLI::App& command, RunArguments& arguments);
/// An option that takes one of an enum's words.
template <class Enum>
CLI::Option* addWordOption(CLI::App& command, const std::string& name, Enum& value, const std::string& help)
{
    return command
        .add_option_function<std::string>(
            name, [&value, name](const std::string& word) { value = chosenBy<Enum>(word, name); }, help)
        ->check(CLI::IsMember(allWords<Enum>()))
        ->default_str(std::string(wordOf(value)));
}
/// Whether float32 may be rounded for speed.
void addTf32Option(CLI::App& command, bool& tf32);
/// The token that an analysis is about, and the one it is compared with.
void addTargetOptions(CLI::App& command, std::string& target, std::optional<std::string>& versus);

/// The machine on which a command runs.
void addHostOption(CLI::App& command, std::string& host);

/// Which lines of the file of an option are done here.
void addShardOption(CLI::App& command, std::string& shard, CLI::Option& file);

}  // namespace hs::app
