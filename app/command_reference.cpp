#include "commands.h"

#include "output.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <vector>

namespace hs {
namespace {

using Options = std::vector<const CLI::Option*>;

constexpr const char* kHead =
    "# Command line\n\n"
    "Every command and option of the program, printed by `headscope reference`. Data goes to standard "
    "output or to the file named, words to standard error. The exit code is 0 when done, 1 when something "
    "failed, 2 when the command line was not understood.\n\n"
    "Heads are written `L3H7`; `L3H*` is a layer, `L3KV0` a key/value group. A model is a folder in Hugging "
    "Face layout, any file in it, a GPT-2 state dict, the `org/name` of one in the download cache, or "
    "`demo:dense` and `demo:sparse`: see [your own models](own-models.md). What the files hold is in [file "
    "formats](file-formats.md).\n";

/// As plain text in a table: no borders, tags or emphasis of its own.
std::string inTable(const std::string& text)
{
    std::string escaped;
    for (const char letter : text) {
        if (letter == '|' || letter == '<' || letter == '*')
            escaped += '\\';
        escaped += letter;
    }
    return escaped;
}

/// "TEXT:{a,b}" of CLI11 is a type with what it may be; only the type goes beside the name.
std::string typeOf(const CLI::Option& option)
{
    if (option.get_items_expected_max() == 0)
        return "";
    const std::string name = option.get_type_name();
    return " " + name.substr(0, name.find(':'));
}

/// What a value may be, where the description does not say so: "one of a, b", "1 to 10".
std::string rangeOf(const CLI::Option& option)
{
    const std::string name = option.get_type_name();
    if (const std::size_t open = name.find('{'); open != std::string::npos) {
        std::istringstream values(name.substr(open + 1, name.find('}') - open - 1));
        std::string list;
        bool isNew = false;
        for (std::string value; std::getline(values, value, ',');) {
            list += (list.empty() ? "one of " : ", ") + value;
            isNew = isNew || option.get_description().find(value) == std::string::npos;
        }
        return isNew ? list : "";
    }
    if (const std::size_t open = name.find('['); open != std::string::npos) {
        std::string bounds = name.substr(open + 1, name.find(']') - open - 1);
        if (const std::size_t dash = bounds.find(" - "); dash != std::string::npos)
            return bounds.replace(dash, 3, " to ");
    }
    return "";
}

std::string namesOf(const std::set<CLI::Option*>& options)
{
    std::vector<std::string> names;  // sorted: the set's order is that of addresses
    for (const CLI::Option* const option : options)
        names.push_back("`" + option->get_name() + "`");
    std::sort(names.begin(), names.end());
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

std::string meaningOf(const CLI::Option& option)
{
    std::string meaning = inTable(option.get_description());
    const auto add = [&meaning](const std::string& words, const std::string& value) {
        if (!value.empty())
            meaning += "; " + words + value;
    };
    add("", option.get_required() ? "required" : "");
    add("", inTable(rangeOf(option)));
    add("by default ", option.get_default_str().empty() ? "" : "`" + option.get_default_str() + "`");
    add("needs ", namesOf(option.get_needs()));
    add("not with ", namesOf(option.get_excludes()));
    return meaning;
}

std::string tableOf(const Options& options, const std::string& title)
{
    if (options.empty())
        return "";
    std::string table = "\n| " + title + " | meaning |\n| --- | --- |\n";
    for (const CLI::Option* const option : options) {
        const std::string name = option->get_name(option->get_positional());
        table += "| `" + name + typeOf(*option) + "` | " + meaningOf(*option) + " |\n";
    }
    return table;
}

bool isHelp(const CLI::Option& option)
{
    return option.check_lname("help");
}

/// Options by the groups that --help shows them in; those of option groups come last.
std::string tablesOf(const CLI::App& command)
{
    const Options all = command.get_options(
        [](const CLI::Option* option) { return option->nonpositional() && !isHelp(*option); });
    const Options positionals =
        command.get_options([](const CLI::Option* option) { return option->get_positional(); });
    Options grouped;
    std::string groupTables;
    for (const CLI::App* const group :
         command.get_subcommands([](const CLI::App* app) { return app->get_name().empty(); })) {
        const Options own = group->get_options([](const CLI::Option* option) { return !isHelp(*option); });
        grouped.insert(grouped.end(), own.begin(), own.end());
        groupTables += tableOf(own, group->get_description());
    }
    std::string tables = tableOf(positionals, "argument");
    for (const std::string& name : command.get_groups()) {
        Options own;
        for (const CLI::Option* const option : all)
            if (option->get_group() == name && std::ranges::find(grouped, option) == grouped.end())
                own.push_back(option);
        tables += tableOf(own, name == "Options" ? "option" : name);
    }
    return tables + groupTables;
}

std::string sectionOf(const CLI::App& command, const std::string& name)
{
    std::string section = "\n## " + name + "\n\n" + command.get_description() + ".\n" + tablesOf(command);
    if (std::string footer = command.get_footer(); !footer.empty()) {
        while (footer.ends_with('\n'))
            footer.pop_back();
        section += "\n" + footer + "\n";
    }
    return section;
}

std::string referenceOf(const CLI::App& app)
{
    std::string page = kHead;
    page += "\n## headscope\n\nThe window, on the demo pair unless models are given.\n" + tablesOf(app);
    for (const CLI::App* const command :
         app.get_subcommands([](const CLI::App* each) { return !each->get_name().empty(); }))
        page += sectionOf(*command, "headscope " + command->get_name());
    return page;
}

}  // namespace

void addReferenceCommand(CLI::App& app, Action& action)
{
    auto out = std::make_shared<std::string>("-");
    CLI::App& command =
        *app.add_subcommand("reference", "Print every command and option as a page of the guide");
    command.add_option("--out", *out, "Where the Markdown goes; - is standard output")
        ->type_name("F")
        ->capture_default_str();
    command.callback([out, &app, &action] { action = [out, &app] { writeOutput(*out, referenceOf(app)); }; });
}

}  // namespace hs
