#include "app/support/arguments.h"

#include "text/chat_template.h"

namespace hs::app {
namespace {

constexpr const char* kModelWords =
    "Hugging Face folder, any file in it, a GGUF file, a state dict, a LoRA adapter, org/name in the "
    "download cache, "
    "ollama:NAME, demo:dense or demo:sparse, or a file of attention maps where no engine is needed";

void addPlaceOptions(CLI::App& command, engine::ModelArguments& arguments)
{
    command.add_option("--device", arguments.device, kDeviceWords)->capture_default_str();
    command.add_option("--dtype", arguments.dtype, "auto, f32, bf16 or f16")->capture_default_str();
}

}  // namespace

std::vector<engine::ModelArguments> ModelChoice::all() const
{
    if (!isPair())
        return {one};
    return {{dense, one.device, one.dtype}, {sparse, one.device, one.dtype}};
}

engine::GateChoice RunArguments::gateOver(engine::GateChoice choice) const
{
    if (gate)
        choice.kind = chosenBy<engine::GateChoice::Kind>(*gate, "gate");
    if (gateBias)
        choice.bias = gateBias;
    return choice;
}

PromptArguments OtherSide::promptOver(PromptArguments prompt) const
{
    if (!text)
        return prompt;
    PromptArguments other;
    other.text = text;
    other.withoutBos = prompt.withoutBos;
    other.blocks = prompt.blocks;
    return other;
}

RunArguments OtherSide::runOver(RunArguments run) const
{
    const auto replace = [](std::vector<std::string>& list, const std::vector<std::string>& by) {
        if (!by.empty())
            list = by.front() == "none" ? std::vector<std::string>() : by;
    };
    replace(run.ablate, ablate);
    replace(run.adapters, adapters);
    return run;
}

void addOtherPromptOption(CLI::App& command, OtherSide& other)
{
    command.add_option("--sparse-text", other.text, "Another prompt for the model at the right")
        ->type_name("S");
}

void addOtherSideOptions(CLI::App& command, OtherSide& other)
{
    addOtherPromptOption(command, other);
    command
        .add_option("--sparse-ablate", other.ablate,
                    "What is switched off at the right instead of --ablate; none: nothing")
        ->type_name("HEADS");
    command
        .add_option("--sparse-adapter", other.adapters,
                    "Adapters of the model at the right instead of --adapter; none: nothing")
        ->type_name("DIR");
}

void addPairModelOptions(CLI::App& command, std::string& dense, std::string& sparse)
{
    command.add_option("--dense", dense, "The model at the left")->capture_default_str()->type_name("DIR");
    command.add_option("--sparse", sparse, "The model at the right")->capture_default_str()->type_name("DIR");
}

void addModelOptions(CLI::App& command, engine::ModelArguments& arguments)
{
    command.add_option("--model", arguments.model, kModelWords)->required()->type_name("DIR");
    addPlaceOptions(command, arguments);
}

void addModelChoice(CLI::App& command, ModelChoice& choice)
{
    CLI::App& group = *command.add_option_group("model", "One model, or two to compare");
    auto* const model = group.add_option("--model", choice.one.model, kModelWords)->type_name("DIR");
    auto* const dense = group.add_option("--dense", choice.dense, "The first of two models")
                            ->type_name("DIR")
                            ->excludes(model);
    auto* const sparse =
        group.add_option("--sparse", choice.sparse, "The second, to compare it with")->type_name("DIR");
    sparse->excludes(model)->needs(dense);
    dense->needs(sparse);
    group.require_option(1, 2);
    addPlaceOptions(command, choice.one);
}

void addPromptOptions(CLI::App& command, PromptArguments& arguments)
{
    auto* const prompt = command.add_option_group("prompt", "What the model reads");
    prompt->add_option("--text", arguments.text, "The prompt")->type_name("S");
    prompt->add_option("--text-file", arguments.textFile, "A file with the prompt; - for standard input")
        ->type_name("F");
    prompt->add_option("--tokens", arguments.tokens, "Token ids, taken as they are: 1,2,3")->type_name("IDS");
    addChatOptions(command, *prompt, arguments.chat, arguments.chatTemplate);
    prompt->require_option(0, 1);
    command.add_flag("--no-bos", arguments.withoutBos, "Leave out the token that starts a text");
}

void addBlocksOption(CLI::App& command, PromptArguments& arguments)
{
    auto* const blocks = command
                             .add_option("--blocks", arguments.blocks,
                                         "A cell for each pair of words, sentences, lines or messages of a "
                                         "chat, keys summed and queries averaged; or of your own blocks of "
                                         "tokens: 0-4=question,5-12")
                             ->type_name("BLOCKS");
    if (auto* const prompts = command.get_option_no_throw("--prompts"))
        blocks->excludes(prompts);
}

CLI::Option* addChatOptions(CLI::App& command, CLI::App& group, std::string& file, std::string& name)
{
    auto* const chat = group
                           .add_option("--chat", file,
                                       "A JSON file with messages, [{\"role\": \"user\", \"content\": "
                                       "\"Hello\"}]; - for standard input")
                           ->type_name("F");
    command
        .add_option("--chat-template", name,
                    "How messages become a text, if not as the model's own template says: " +
                        text::chatTemplateNames())
        ->type_name("NAME")
        ->needs(chat);
    return chat;
}

void addRunOptions(CLI::App& command, RunArguments& arguments, const std::string& scaling)
{
    command
        .add_option(
            "--ablate", arguments.ablate,
            "Heads and MLPs to switch off: L0H3,L2H*:mean,L4KV1,L4MLP; each item :zero (default) or :mean. "
            "Cells of heads to cut, the query first: L4H3[14<10], L4H3[*<0]:renormalise, "
            "L4H3[8-12<2-4]:scale=0.5")
        ->type_name("HEADS");
    command
        .add_option("--features", arguments.features,
                    "Folder of transcoders; by default \"transcoders\" beside the model")
        ->type_name("DIR");
    command
        .add_option(scaling, arguments.scales,
                    "Features to scale: L3F120=0 switches one off, L3F120@5=0.5 halves it at position 5")
        ->delimiter(',')
        ->type_name("FEATURES");
    command.add_option("--gate", arguments.gate, "auto (as the model was made), off or score")
        ->check(CLI::IsMember({"auto", "off", "score"}))
        ->default_str("auto");
    command
        .add_option("--gate-bias", arguments.gateBias,
                    "Bias of the score gate; by default the model's own, or 0")
        ->type_name("B");
    addTf32Option(command, arguments.tf32);
}

void addAdapterOption(CLI::App& command, RunArguments& arguments)
{
    command
        .add_option(
            "--adapter", arguments.adapters,
            "Folder of a LoRA adapter on the model, or DIR:STRENGTH, where 1 is what was trained and 0 the "
            "model without it. Several add up")
        ->type_name("DIR");
}

void addTf32Option(CLI::App& command, bool& tf32)
{
    command.add_flag("--tf32", tf32,
                     "Faster float32 on a GPU: matrix products may round their factors to ten bits");
}

void addTargetOptions(CLI::App& command, std::string& target, std::optional<std::string>& versus)
{
    command.add_option("--target", target, "One token: its text, or its id where there is no tokenizer")
        ->required()
        ->type_name("T");
    command.add_option("--versus", versus, "A token whose logit is subtracted from the target's")
        ->type_name("U");
}

void addHostOption(CLI::App& command, std::string& host)
{
    command
        .add_option("--host", host,
                    "Compute on another machine, named as for ssh: models and folders are those there, files "
                    "those here")
        ->type_name("USER@HOST");
}

void addShardOption(CLI::App& command, std::string& shard, CLI::Option& file)
{
    command
        .add_option(
            "--shard", shard,
            "i/n: only every n-th line of the file, from the i-th on; auto: by the rank that torchrun "
            "or srun gave; merge joins the JSON files")
        ->needs(&file)
        ->type_name("I/N");
}

}  // namespace hs::app
