#include "app/training/training_arguments.h"

#include "base/failure.h"
#include "base/text_format.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <type_traits>

namespace hs::app {
namespace {

std::string shown(double value)
{
    std::ostringstream text;
    text << value;
    return text.str();
}

std::string shown(std::int64_t value)
{
    return std::to_string(value);
}

std::string shown(int value)
{
    return std::to_string(value);
}

std::string shown(std::uint64_t value)
{
    return std::to_string(value);
}

/// "6000 for tasks, 5000 for text", or only one if they are the same.
template <class Value>
std::string bothDefaults(const Value& tasks, const Value& text)
{
    if (tasks == text)
        return " [" + shown(tasks) + "]";
    return " [" + shown(tasks) + " for tasks, " + shown(text) + " for text]";
}

template <class Value>
std::string bothDefaults(const std::optional<Value>&, const std::optional<Value>&)
{
    return " [fits the number of steps]";
}

template <class Field>
struct ValueIn {
    using Type = Field;
};
template <class Value>
struct ValueIn<std::optional<Value>> {
    using Type = Value;
};
template <class Field>
using ValueOf = typename ValueIn<Field>::Type;

/// Options of one command that change its plan, which is not known until all of them are read.
class Settings {
public:
    Settings(CLI::App& command, TrainingArguments& arguments, PlanFor defaults)
        : m_command(command), m_arguments(arguments), m_tasks(defaults(DataKind::Tasks)),
          m_text(defaults(DataKind::Text))
    {
    }

    /// `access` gives the field of a plan that the option sets.
    template <class Access>
    CLI::Option* add(const std::string& name, const std::string& help, const CLI::Validator& check,
                     Access access)
    {
        using Value = ValueOf<std::remove_reference_t<decltype(access(m_tasks))>>;
        auto& changes = m_arguments.changes;
        return m_command
            .add_option_function<Value>(
                name,
                [&changes, access](const Value& value) {
                    changes.push_back([access, value](TrainingPlan& plan) { access(plan) = value; });
                },
                help + bothDefaults(access(m_tasks), access(m_text)))
            ->check(check)
            ->type_name(std::is_integral_v<Value> ? "N" : "X");
    }

private:
    CLI::App& m_command;
    TrainingArguments& m_arguments;
    TrainingPlan m_tasks;
    TrainingPlan m_text;
};

}  // namespace

CLI::Validator between(double least, double most)
{
    return {[least, most](const std::string& text) -> std::string {
                const double value = std::strtod(text.c_str(), nullptr);
                if (value >= least && value <= most)  // false for "nan"
                    return {};
                return "Value " + text + " is not from " + shown(least) + " to " + shown(most);
            },
            ""};
}

namespace {

const CLI::Validator kCount = between(1.0, 1e12);
const CLI::Validator kCountOrNone = between(0.0, 1e12);
const CLI::Validator kPositive = between(1e-12, 1e12);
const CLI::Validator kNotNegative = between(0.0, 1e12);
const CLI::Validator kShare = between(0.0, 1.0);
const CLI::Validator kMemory = between(0.0, 0.999999);
const CLI::Validator kRows = between(1.0, 1e6);

}  // namespace

TrainingPlan TrainingArguments::changed(TrainingPlan plan, int context) const
{
    for (const auto& change : changes)
        change(plan);
    if (length && *length > context)
        fail(ErrorCode::BadRequest, "The model reads " + formatCount(context) + " tokens, but --length is " +
                                        formatCount(*length) + "; give a shorter --length.");
    plan.length = length.value_or(std::min(plan.length, context));
    plan.options = train::fitted(plan.options, plan.pace, plan.options.steps);
    return plan;
}

TrainingPlace trainingPlace(const std::string& device, const std::string& dtype)
{
    TrainingPlace place;
    place.device = orThrow(engine::chooseDevice(device));
    place.computedIn = orThrow(engine::chooseDType(dtype))
                           .value_or(place.device.isCuda() ? model::DType::BF16 : model::DType::F32);
    if (!place.device.isCuda() && place.computedIn != model::DType::F32)
        fail(ErrorCode::BadRequest, "On the processor trainings run in float32; leave out --dtype.");
    if (place.computedIn == model::DType::F16)
        fail(ErrorCode::BadRequest,
             "float16 is too narrow for the gradients of a training; use --dtype bf16 or f32.");
    return place;
}

model::DType savedType(const std::string& text, model::DType otherwise)
{
    return text.empty() ? otherwise : orThrow(engine::chooseDType(text)).value_or(otherwise);
}

void addTrainingOptions(CLI::App& command, CLI::App& data, TrainingArguments& arguments, PlanFor defaults)
{
    command.add_option("--out", arguments.out, "Folder for the model, its curve (CSV) and its checkpoints")
        ->required()
        ->type_name("DIR");
    CLI::Option* const tasks = data.add_flag("--tasks", arguments.isOnTasks, "The built-in tasks");
    data.add_option("--data", arguments.data, "A text file; may be repeated, and each gets as many rows")
        ->allow_extra_args(false)
        ->type_name("FILE")
        ->excludes(tasks);
    data.require_option(1, 0);

    Settings settings(command, arguments, defaults);
    CLI::Option* const steps =
        settings.add("--steps", "Steps to make", kCount,
                     [](TrainingPlan& plan) -> std::int64_t& { return plan.options.steps; });
    command
        .add_option("--minutes", arguments.minutes,
                    "Make as many steps as end within so many minutes, from the command's start")
        ->check(between(0.01, 1e6))
        ->excludes(steps)
        ->type_name("X");
    settings.add("--rate", "Highest learning rate", kPositive,
                 [](TrainingPlan& plan) -> double& { return plan.options.rate; });
    settings.add("--warm-up", "Steps over which the rate rises", kCountOrNone,
                 [](TrainingPlan& plan) -> auto& { return plan.pace.warmUp; });
    settings.add("--decay", "Weight decay of matrices (AdamW)", kNotNegative,
                 [](TrainingPlan& plan) -> double& { return plan.options.decay; });
    settings.add("--clip", "Longest gradient; longer ones are cut to it", kPositive,
                 [](TrainingPlan& plan) -> double& { return plan.options.clip; });
    settings.add("--averaging", "Memory of the average of weights that is kept", kMemory,
                 [](TrainingPlan& plan) -> auto& { return plan.pace.averaging; });
    settings.add("--seed", "Of everything that is random", kNotNegative,
                 [](TrainingPlan& plan) -> std::uint64_t& { return plan.options.seed; });
    settings.add("--rows", "Prompts or documents a step", kRows,
                 [](TrainingPlan& plan) -> int& { return plan.rows; });
    settings.add("--measure-every", "Steps between looks at the held-out part", kCount,
                 [](TrainingPlan& plan) -> auto& { return plan.pace.measureEvery; });

    command
        .add_option("--length", arguments.length,
                    "Tokens of the longest row" +
                        bothDefaults(defaults(DataKind::Tasks).length, defaults(DataKind::Text).length))
        ->check(kRows)
        ->type_name("N");
    command
        .add_option("--checkpoint-every", arguments.checkpointSeconds,
                    "Seconds between checkpoints; 0: after each step")
        ->check(kNotNegative)
        ->capture_default_str();
    command
        .add_option("--keep-every", arguments.keepEvery,
                    "Steps between models that are kept as step0, step500 … in --out, to see what became of "
                    "heads over the training; 0: none")
        ->check(kNotNegative)
        ->capture_default_str()
        ->type_name("STEPS");
    command.add_flag("--resume", arguments.resumes, "Go on from the checkpoint in --out");
    command.add_option("--device", arguments.device, "auto, cpu, cuda or cuda:N")->capture_default_str();
    command
        .add_option("--dtype", arguments.dtype,
                    "Type to compute in: auto (bf16 on a GPU, f32 on the processor), bf16 or f32")
        ->capture_default_str();
    command.add_option("--save-as", arguments.saveAs, "Type of the written weights: f16, bf16 or f32")
        ->check(CLI::IsMember({"f16", "bf16", "f32"}));
    command.add_flag("--plain", arguments.isPlain,
                     "Use torch's own operations instead of the fused ones, to compare");
    command.footer("While it runs: loss is in nats a token; of the held-out part, which is never learnt\n"
                   "from, it is shown with the share of right answers of each task. The weights with the\n"
                   "lowest loss there are written. Ctrl-C saves and stops, --resume goes on.");
}

void addOwnDataOptions(CLI::App& command, CLI::App& data, TrainingArguments& arguments)
{
    data.add_option("--self", arguments.millions,
                    "So many million tokens that the model writes itself; without N as many as the "
                    "steps need, none seen twice")
        ->expected(0, 1)
        ->default_str("0")
        ->check(between(0, 1e6))
        ->type_name("N")
        ->excludes(data.get_option("--tasks"));
    command
        .add_option("--tokenizer", arguments.tokenizer, "The tokenizer, where the model's folder has none")
        ->type_name("DIR");
}

void addSparsityOptions(CLI::App& command, TrainingArguments& arguments)
{
    command.footer(
        "While it runs: KL is how far the model is from the dense one, in nats a token; density the\n"
        "share of the causal edges of attention that are open (expected: summed over the gates'\n"
        "probabilities); price what an edge costs in the loss, rising as long as the tolerance is\n"
        "kept. Of the weights that keep it on the held-out part, which is never learnt from, the\n"
        "sparsest are written. Ctrl-C saves and stops, --resume goes on.");
    Settings settings(command, arguments, sparsePlan);
    auto& changes = arguments.changes;
    command.add_flag_callback(
        "--sampled",
        [&changes] {
            changes.push_back([](TrainingPlan& plan) { plan.options.sparsity->isSampled = true; });
        },
        "Open gates at random while training, with probability sigmoid(score + bias)");
    command
        .add_option_function<std::string>(
            "--constraint",
            [&changes](const std::string& which) {
                const bool isWorst = which == "worst";
                changes.push_back(
                    [isWorst](TrainingPlan& plan) { plan.options.sparsity->constrainsWorst = isWorst; });
            },
            "What is held to the tolerance: the worst task or kind of text, or the mean of all [worst]")
        ->check(CLI::IsMember({"worst", "mean"}));
    CLI::Option* const biasSteps =
        settings.add("--bias-steps", "Steps over which the bias falls", kCountOrNone,
                     [](TrainingPlan& plan) -> std::int64_t& { return plan.options.sparsity->biasSteps; });
    settings
        .add("--gate-bias", "First bias of the gate, which falls to 0", between(-100, 100),
             [](TrainingPlan& plan) -> double& { return plan.options.sparsity->firstBias; })
        ->needs(biasSteps);
    settings.add("--kl", "Weight of KL(dense || sparse) in the loss", kNotNegative,
                 [](TrainingPlan& plan) -> double& { return plan.options.sparsity->divergenceWeight; });
    settings.add("--ce", "Weight of the data's cross entropy in the loss", kNotNegative,
                 [](TrainingPlan& plan) -> double& { return plan.options.sparsity->crossEntropyWeight; });
    settings.add("--tolerance", "Nats a token by which the model may be worse than the dense one", kPositive,
                 [](TrainingPlan& plan) -> double& { return plan.options.sparsity->tolerance; });
    settings.add("--score-tolerance", "Share of answers by which each task may be worse", kPositive,
                 [](TrainingPlan& plan) -> double& { return plan.options.sparsity->scoreTolerance; });
    settings.add("--memory", "Of the moving average that is held to the tolerance", kMemory,
                 [](TrainingPlan& plan) -> auto& { return plan.pace.memory; });
    settings.add("--speed", "Share by which the price of an edge may change a step", kShare,
                 [](TrainingPlan& plan) -> auto& { return plan.pace.speed; });
    settings.add("--price", "First price of an edge", kPositive,
                 [](TrainingPlan& plan) -> double& { return plan.options.sparsity->firstPrice; });
    settings.add("--head-penalty",
                 "What a head's first edge on a row costs beyond the price of an edge, in edges; the n-th "
                 "costs an n-th of it",
                 kNotNegative,
                 [](TrainingPlan& plan) -> double& { return plan.options.sparsity->headPenalty; });
    settings.add("--silence", "Heads to silence before the first step: those that are missed least",
                 kCountOrNone, [](TrainingPlan& plan) -> int& { return plan.options.sparsity->silentHeads; });
}

}  // namespace hs::app
