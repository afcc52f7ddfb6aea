#include "app/support/arguments.h"

#include "app/shell/command_facts.h"
#include "support/catch.h"

#include <algorithm>

using namespace hs;

namespace {

/// Whether a command with the options that `add` adds takes these words.
template <class Add>
bool takes(Add&& add, std::vector<std::string> words)
{
    CLI::App app;
    add(app);
    std::ranges::reverse(words);  // CLI11 takes them from the end
    try {
        app.parse(words);
    } catch (const CLI::ParseError&) {
        return false;
    }
    return true;
}

}  // namespace

TEST_CASE("a command takes one model, or a dense and a sparse one, and not both or half")
{
    app::ModelChoice choice;
    const auto add = [&](CLI::App& app) {
        choice = {};
        app::addModelChoice(app, choice);
    };
    CHECK(takes(add, {"--model", "a", "--device", "cpu"}));
    CHECK_FALSE(choice.isPair());
    REQUIRE(choice.all().size() == 1);
    CHECK(choice.all().front().model == "a");

    CHECK(takes(add, {"--dense", "a", "--sparse", "b", "--device", "cpu", "--dtype", "f16"}));
    CHECK(choice.isPair());
    REQUIRE(choice.all().size() == 2);
    CHECK(choice.all()[0].model == "a");
    CHECK(choice.all()[1].model == "b");
    for (const engine::ModelArguments& model : choice.all()) {
        CHECK(model.device == "cpu");
        CHECK(model.dtype == "f16");
    }

    CHECK_FALSE(takes(add, {}));
    CHECK_FALSE(takes(add, {"--dense", "a"}));
    CHECK_FALSE(takes(add, {"--sparse", "b"}));
    CHECK_FALSE(takes(add, {"--model", "a", "--sparse", "b"}));
    CHECK_FALSE(takes(add, {"--model", "a", "--dense", "a", "--sparse", "b"}));
}

TEST_CASE("a prompt is given in one way at most, and may be an empty text")
{
    app::PromptArguments prompt;
    const auto add = [&](CLI::App& app) {
        prompt = {};
        app::addPromptOptions(app, prompt);
    };
    CHECK(takes(add, {}));
    CHECK_FALSE(prompt.text);
    CHECK(takes(add, {"--text", ""}));
    CHECK(prompt.text == "");
    CHECK(takes(add, {"--tokens", "1,2,3", "--no-bos"}));
    CHECK(prompt.tokens == "1,2,3");
    CHECK(prompt.withoutBos);
    CHECK_FALSE(takes(add, {"--text", "a", "--tokens", "1"}));
    CHECK_FALSE(takes(add, {"--text-file", "a", "--text", "b"}));
    CHECK(takes(add, {"--chat", "chat.json", "--chat-template", "llama3"}));
    CHECK((prompt.isChat() && prompt.isGiven() && prompt.chatTemplate == "llama3"));
    CHECK_FALSE(takes(add, {"--chat", "chat.json", "--text", "b"}));
    CHECK_FALSE(takes(add, {"--text", "a", "--chat-template", "llama3"}));
}

TEST_CASE("a gate is one of its words, and its bias a number that is told from none")
{
    app::RunArguments run;
    const auto add = [&](CLI::App& app) {
        run = {};
        app::addRunOptions(app, run);
    };
    CHECK(takes(add, {}));
    CHECK(run.gateOver() == engine::GateChoice{});
    CHECK(takes(add, {"--gate", "score", "--gate-bias", "-0.5", "--ablate", "L0H3"}));
    CHECK(run.gateOver() == engine::GateChoice{engine::GateChoice::Kind::Score, -0.5});
    CHECK(run.ablate == std::vector<std::string>{"L0H3"});
    CHECK_FALSE(takes(add, {"--gate", "on"}));
    CHECK_FALSE(takes(add, {"--gate-bias", "half"}));
}

TEST_CASE("what a command declares is what manual, completion and reference read")
{
    CLI::App app;
    CLI::App& command = *app.add_subcommand("paint", "Paints");
    int count = 3;
    std::string colour = "red";
    bool isQuick = false;
    std::vector<std::string> parts;
    CLI::App& group = *command.add_option_group("how", "In what way");
    group.add_option("--colour", colour, "red or blue")->check(CLI::IsMember({"red", "blue"}));
    auto* const counted =
        command.add_option("-n,--count", count, "How often")->check(CLI::Range(1, 9))->capture_default_str();
    command.add_flag("--quick", isQuick, "Without care")->excludes(counted);
    command.add_option("parts", parts, "What to paint")->required()->type_name("F");

    const app::ProgramFacts program = app::programFacts(app);
    REQUIRE(program.commands.size() == 1);
    const app::CommandFacts& facts = program.commands.front();
    CHECK(facts.name == "paint");
    CHECK(facts.meaning == "Paints");
    const auto named = [&](const std::string& name) {
        const auto at = std::ranges::find_if(facts.options, [&](const app::OptionFacts& option) {
            return std::ranges::count(option.names, name) == 1;
        });
        REQUIRE(at != facts.options.end());
        return *at;
    };
    CHECK(named("--count").names == std::vector<std::string>{"-n", "--count"});
    CHECK(named("--count").range == "1 to 9");
    CHECK(named("--count").byDefault == "3");
    CHECK(named("--colour").choices == std::vector<std::string>{"red", "blue"});
    CHECK(named("--colour").namesItsChoices());
    CHECK(named("--colour").group == "In what way");
    CHECK(named("--quick").value.empty());
    CHECK(named("--quick").excludes == std::vector<std::string>{"--count"});
    CHECK(named("parts").isPositional);
    CHECK(named("parts").isRequired);
    CHECK(named("parts").value == "F");
    CHECK(std::ranges::count(facts.options, std::vector<std::string>{"--colour"}, &app::OptionFacts::names) ==
          1);
}
