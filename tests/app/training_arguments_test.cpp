#include "app/support/commands.h"
#include "app/training/training_arguments.h"

#include "support/catch.h"

#include <algorithm>

using namespace hs;

namespace {

using Words = std::vector<std::string>;

/// Whether the command line takes these words; nothing is trained.
bool isTaken(Words words, const Words& more = {})
{
    CLI::App app;
    app::Action action;
    app::addTrainCommand(app, action);
    app::addSparsifyCommand(app, action);
    app::addTranscodeCommand(app, action);
    words.insert(words.end(), more.begin(), more.end());
    std::ranges::reverse(words);  // CLI11 takes them from the end
    try {
        app.parse(words);
    } catch (const CLI::ParseError&) {
        return false;
    }
    return action != nullptr;
}

const Words kTrain = {"train", "--out", "out"};
const Words kSparsify = {"sparsify", "--model", "demo:dense", "--out", "out"};
const Words kTranscode = {"transcode", "--model", "demo:dense", "--out", "out"};

}  // namespace

TEST_CASE("train and sparsify need tasks or domains of language, and a folder to write to")
{
    CHECK(isTaken(kTrain, {"--tasks"}));
    CHECK(isTaken(kTrain, {"--data", "a.txt", "--data", "b.txt"}));
    CHECK(isTaken(kSparsify, {"--tasks"}));
    CHECK(isTaken(kSparsify, {"--self"}));
    CHECK(isTaken(kSparsify, {"--self", "--steps", "3"}));
    CHECK(isTaken(kSparsify, {"--self", "2.5", "--data", "a.txt", "--data", "b.txt"}));
    CHECK_FALSE(isTaken(kSparsify, {"--data", "a.txt", "b.txt"}));
    CHECK_FALSE(isTaken(kSparsify, {"--tasks", "--self"}));
    CHECK_FALSE(isTaken(kTrain));
    CHECK_FALSE(isTaken({"train", "--tasks"}));
    CHECK_FALSE(isTaken(kTrain, {"--tasks", "--data", "text.txt"}));
    CHECK_FALSE(isTaken(kTrain, {"--tasks", "--tokenizer", "x"}));
    CHECK_FALSE(isTaken(kTrain, {"--tasks", "--steps", "0"}));
    CHECK_FALSE(isTaken(kTrain, {"--tasks", "--save-as", "int8"}));
    CHECK_FALSE(isTaken(kSparsify));
    CHECK_FALSE(isTaken(kSparsify, {"--tasks", "--self", "1"}));
}

TEST_CASE("transcoders need data, and counts that can be")
{
    CHECK(isTaken(kTranscode, {"--tasks", "--cross-layer", "--features", "64", "--target-l0", "4"}));
    CHECK(isTaken(kTranscode, {"--self", "20", "--top-k", "--save-as", "f16"}));
    CHECK(isTaken(kTranscode, {"--data", "a.txt", "--minutes", "5", "--resume"}));
    CHECK_FALSE(isTaken(kTranscode));
    CHECK_FALSE(isTaken({"transcode", "--tasks", "--out", "out"}));
    CHECK_FALSE(isTaken(kTranscode, {"--tasks", "--self"}));
    CHECK_FALSE(isTaken(kTranscode, {"--tasks", "--features", "0"}));
    CHECK_FALSE(isTaken(kTranscode, {"--tasks", "--target-l0", "0"}));
}

TEST_CASE("a number of steps or of minutes is given, not both")
{
    CHECK(isTaken(kTrain, {"--tasks", "--minutes", "20"}));
    CHECK(isTaken(kSparsify, {"--tasks", "--minutes", "0.5"}));
    CHECK_FALSE(isTaken(kSparsify, {"--tasks", "--minutes", "20", "--steps", "300"}));
    CHECK_FALSE(isTaken(kSparsify, {"--tasks", "--minutes", "0"}));
    CHECK_FALSE(isTaken(kSparsify, {"--tasks", "--minutes", "nan"}));
}

TEST_CASE("a plan fits its number of steps, except where the user says otherwise")
{
    app::TrainingArguments arguments;
    const app::TrainingPlan whole = arguments.changed(app::sparsePlan(app::DataKind::Text), 1024);
    CHECK(whole.options.rate == 1.5e-4);
    CHECK(whole.options.sparsity->constrainsWorst);
    CHECK(whole.options.measureEvery == 500);
    arguments.changes.push_back([](app::TrainingPlan& plan) { plan.options.steps = 300; });
    arguments.changes.push_back([](app::TrainingPlan& plan) { plan.pace.speed = 0.5; });
    const app::TrainingPlan brief = arguments.changed(app::sparsePlan(app::DataKind::Text), 1024);
    CHECK(brief.options.warmUp == 30);
    CHECK(brief.options.measureEvery == 10);
    CHECK(brief.options.sparsity->speed == 0.5);
}

TEST_CASE("a setting that is no number, or out of bounds, or without effect is refused")
{
    for (const char* const option :
         {"--rate", "--decay", "--clip", "--averaging", "--checkpoint-every", "--rows", "--seed"}) {
        INFO(option);
        CHECK_FALSE(isTaken(kTrain, {"--tasks", option, "nan"}));
        CHECK_FALSE(isTaken(kTrain, {"--tasks", option, "-1"}));
        CHECK_FALSE(isTaken(kTrain, {"--tasks", option, "1e400"}));
    }
    for (const char* const option : {"--tolerance", "--score-tolerance", "--memory", "--speed", "--price",
                                     "--head-penalty", "--silence", "--kl"}) {
        INFO(option);
        CHECK_FALSE(isTaken(kSparsify, {"--tasks", option, "nan"}));
    }
    CHECK_FALSE(isTaken(kSparsify, {"--self", "nan"}));
    CHECK_FALSE(isTaken(kSparsify, {"--self", "-1"}));
    CHECK_FALSE(isTaken(kSparsify, {"--tasks", "--gate-bias", "4"}));
}

TEST_CASE("an adapter's settings need an adapter, and it is written one way")
{
    const Words tasks = {"--tasks"};
    const auto with = [&](const Words& more) {
        Words words = tasks;
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    CHECK(isTaken(kSparsify, with({"--lora", "16"})));
    CHECK(isTaken(kSparsify, with({"--lora", "16", "--merge", "--lora-alpha", "8"})));
    CHECK(isTaken(kSparsify, with({"--lora", "16", "--adapter", "--lora-targets", "q_proj,v_proj"})));
    CHECK_FALSE(isTaken(kSparsify, with({"--lora", "0"})));
    CHECK_FALSE(isTaken(kSparsify, with({"--lora", "16", "--merge", "--adapter"})));
    for (const Words& alone : {Words{"--lora-alpha", "8"}, Words{"--lora-targets", "c_attn"},
                               Words{"--merge"}, Words{"--adapter"}})
        CHECK_FALSE(isTaken(kSparsify, with(alone)));
    CHECK_FALSE(isTaken(kTrain, with({"--lora", "16"})));
}

TEST_CASE("memory is saved by train and by sparsify, moments in f32 or bf16")
{
    for (const Words& command : {kTrain, kSparsify}) {
        CHECK(isTaken(command, {"--tasks", "--checkpoint-activations", "--optimizer-states", "bf16"}));
        CHECK_FALSE(isTaken(command, {"--tasks", "--optimizer-states", "f16"}));
    }
}
