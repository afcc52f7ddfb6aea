#include "app/shell/command_facts.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace hs::app {
namespace {

/// CLI11 names the type of a checked option "TEXT:{a,b}" or "INT:INT in [1 - 9]".
std::string valueOf(const CLI::Option& option)
{
    if (option.get_items_expected_max() == 0)
        return {};
    const std::string type = option.get_type_name();
    return type.substr(0, type.find(':'));
}

std::vector<std::string> choicesOf(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{');
    if (open == std::string::npos)
        return {};
    std::istringstream list(type.substr(open + 1, type.find('}') - open - 1));
    std::vector<std::string> choices;
    for (std::string choice; std::getline(list, choice, ',');)
        choices.push_back(choice);
    return choices;
}

std::string rangeOf(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('[');
    const std::size_t dash = type.find(" - ", open);
    if (open == std::string::npos || dash == std::string::npos)
        return {};
    return type.substr(open + 1, dash - open - 1) + " to " + type.substr(dash + 3, type.find(']') - dash - 3);
}

std::vector<std::string> namesOf(const std::set<CLI::Option*>& options)
{
    std::vector<std::string> names;
    for (const CLI::Option* const option : options)
        names.push_back(option->get_name());
    std::ranges::sort(names);  // the set is ordered by address
    return names;
}

OptionFacts factsOf(const CLI::Option& option, const std::string& group)
{
    OptionFacts facts;
    for (const std::string& name : option.get_snames())
        facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        facts.names.push_back("--" + name);
    facts.isPositional = option.get_positional();
    if (facts.isPositional)
        facts.names.push_back(option.get_name(true));
    facts.meaning = option.get_description();
    facts.value = valueOf(option);
    facts.choices = choicesOf(option);
    facts.range = rangeOf(option);
    facts.byDefault = option.get_default_str();
    facts.group = group;
    facts.needs = namesOf(option.get_needs());
    facts.excludes = namesOf(option.get_excludes());
    facts.isRequired = option.get_required();
    return facts;
}

/// CLI11 keeps groups of options as commands without a name.
std::vector<const CLI::App*> groupsOf(const CLI::App& command)
{
    return command.get_subcommands([](const CLI::App* part) { return part->get_name().empty(); });
}

/// Adds the options of a command and of its groups; newer CLI11 also lists the latter as the command's own.
void addOptions(const CLI::App& command, std::vector<OptionFacts>& options)
{
    std::set<const CLI::Option*> ofGroups;
    for (const CLI::App* const group : groupsOf(command))
        for (const CLI::Option* const option : group->get_options({}))
            ofGroups.insert(option);
    const bool isGroup = command.get_name().empty();
    for (const CLI::Option* const option : command.get_options({}))
        if (!ofGroups.contains(option) && !option->get_group().empty() &&
            !(isGroup && option == command.get_help_ptr()))
            options.push_back(factsOf(*option, isGroup ? command.get_description() : option->get_group()));
    for (const CLI::App* const group : groupsOf(command))
        addOptions(*group, options);
}

CommandFacts factsOf(const CLI::App& command)
{
    CommandFacts facts{command.get_name(), command.get_description(), {}, command.get_footer()};
    addOptions(command, facts.options);
    return facts;
}

}  // namespace

bool OptionFacts::namesItsChoices() const
{
    return std::ranges::all_of(
        choices, [this](const std::string& choice) { return meaning.find(choice) != std::string::npos; });
}

OptionFacts::Values OptionFacts::values() const
{
    static constexpr std::array kModelOptions = {"--model", "--dense", "--sparse"};
    if (!choices.empty())
        return Values::Choices;
    if (std::ranges::find_first_of(names, kModelOptions) != names.end())
        return Values::Models;
    if (value == "DIR")
        return Values::Folders;
    return value == "F" || value == "FILE" ? Values::Files : Values::Anything;
}

ProgramFacts programFacts(const CLI::App& app)
{
    ProgramFacts facts{factsOf(app), {}};
    for (const CLI::App* const command : app.get_subcommands({}))
        if (!command->get_name().empty())
            facts.commands.push_back(factsOf(*command));
    return facts;
}

std::string escaped(const std::string& text, std::string_view letters)
{
    std::string result;
    for (const char letter : text) {
        if (letters.find(letter) != std::string_view::npos)
            result += '\\';
        result += letter;
    }
    return result;
}

std::string joined(const std::vector<std::string>& words, const std::string& between)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

}  // namespace hs::app
