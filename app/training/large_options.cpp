#include "app/training/large_options.h"

#include "app/training/training_arguments.h"
#include "base/failure.h"

#include <filesystem>

namespace hs::app {

void addAdapterOptions(CLI::App& command, LargeArguments& arguments)
{
    CLI::Option* const part =
        command
            .add_option("--train", arguments.part,
                        "Which weights are trained: all, layers (all but embeddings) or attention")
            ->check(CLI::IsMember(allWords<train::TrainedPart>()))
            ->type_name("PART")
            ->capture_default_str();
    CLI::Option* const lora =
        command
            .add_option(
                "--lora", arguments.rank,
                "Train an adapter of this rank (LoRA) and leave the weights as they are: far less memory")
            ->check(between(1, 65536))
            ->excludes(part)
            ->type_name("RANK");
    command.add_option("--lora-alpha", arguments.alpha, "Its scale times the rank [twice the rank]")
        ->check(between(1e-6, 1e6))
        ->type_name("X")
        ->needs(lora);
    command
        .add_option(
            "--lora-targets", arguments.targets,
            "What it changes, by PEFT's names, such as q_proj,v_proj or c_attn; attention; all-linear "
            "[all-linear]")
        ->delimiter(',')
        ->type_name("LIST")
        ->needs(lora);
    CLI::Option* const merge = command
                                   .add_flag("--merge", arguments.merges,
                                             "Write plain weights with the adapter in them; the default")
                                   ->needs(lora);
    command
        .add_flag("--adapter", arguments.writesAdapter,
                  "Write the adapter by itself, as PEFT reads it, instead of weights")
        ->needs(lora)
        ->excludes(merge);
}

void addMemoryOptions(CLI::App& command, LargeArguments& arguments)
{
    command.add_flag(
        "--checkpoint-activations", arguments.recomputes,
        "Keep only what enters each layer and run layers again for their gradients: less memory, "
        "a third more time");
    command
        .add_option("--optimizer-states", arguments.states,
                    "Type of AdamW's two moments: f32, or bf16 for half their memory")
        ->check(CLI::IsMember({"f32", "bf16"}))
        ->capture_default_str();
}

train::Economy economyOf(const LargeArguments& arguments)
{
    train::Economy economy;
    economy.part = chosenBy<train::TrainedPart>(arguments.part, "--train");
    economy.recomputes = arguments.recomputes;
    economy.states = arguments.states == "bf16" ? model::DType::BF16 : model::DType::F32;
    economy.writesAdapter = arguments.writesAdapter;
    if (arguments.rank > 0) {
        train::AdapterOptions& adapter = economy.adapter.emplace();
        adapter.rank = arguments.rank;
        adapter.alpha = arguments.alpha.value_or(2.0 * arguments.rank);
        if (!arguments.targets.empty())
            adapter.targets = arguments.targets;
    }
    return economy;
}

std::string baseOf(const std::string& given, const model::ModelFiles& files)
{
    namespace fs = std::filesystem;
    if (files.config.empty() || files.format == model::ModelFiles::Format::Gguf)
        fail(ErrorCode::Unsupported, "An adapter by itself needs a model that PEFT opens, a Hugging Face "
                                     "folder, which " +
                                         model::titleOf(files) + " is not; use --merge.");
    const bool isName = !fs::exists(given) && given.find('/') != std::string::npos;
    return isName ? given : fs::absolute(files.folder).lexically_normal().string();
}

}  // namespace hs::app
