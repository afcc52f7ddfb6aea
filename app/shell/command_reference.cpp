#include "app/support/commands.h"

#include "app/shell/command_facts.h"
#include "app/support/output.h"

#include <algorithm>
#include <memory>

namespace hs::app {
namespace {

constexpr const char* kHead =
    "# Command line\n\n"
    "Every command and option of the program, printed by `headscope reference`. Data goes to standard "
    "output or to the file named, words to standard error. The exit code is 0 when done, 1 when something "
    "failed, 2 when the command line was not understood.\n\n"
    "Heads are written `L3H7`; `L3H*` is a layer, `L3KV0` a key/value group. A model is a folder in Hugging "
    "Face layout, any file in it, a GGUF file, a GPT-2 state dict, the `org/name` of one in the download "
    "cache, or "
    "`demo:dense` and `demo:sparse`: see [your own models](own-models.md). What the files hold is in [file "
    "formats](file-formats.md).\n";

/// Text for a table cell, in which it makes no borders, tags or emphasis.
std::string inTable(const std::string& text)
{
    return escaped(text, "|<*");
}

/// What a value may be, if the description does not say so: "one of a, b", "1 to 10".
std::string valuesOf(const OptionFacts& option)
{
    return option.namesItsChoices() ? option.range : "one of " + joined(option.choices, ", ");
}

std::string namesInCode(const std::vector<std::string>& names)
{
    return names.empty() ? "" : "`" + joined(names, "`, `") + "`";
}

std::string meaningOf(const OptionFacts& option)
{
    std::string meaning = inTable(option.meaning);
    const auto add = [&meaning](const std::string& words, const std::string& value) {
        if (!value.empty())
            meaning += "; " + words + value;
    };
    add("", option.isRequired ? "required" : "");
    add("", inTable(valuesOf(option)));
    add("by default ", option.byDefault.empty() ? "" : "`" + option.byDefault + "`");
    add("needs ", namesInCode(option.needs));
    add("not with ", namesInCode(option.excludes));
    return meaning;
}

std::string titleOf(const OptionFacts& option)
{
    if (option.isPositional)
        return "argument";
    return option.group == "Options" ? "option" : option.group;
}

/// A table for arguments, and one for each group of options in the help.
std::string tablesOf(const CommandFacts& command)
{
    std::vector<std::pair<std::string, std::string>> tables;  // title, rows
    for (const OptionFacts& option : command.options) {
        if (std::ranges::find(option.names, "--help") != option.names.end())
            continue;
        const std::string title = titleOf(option);
        auto table = std::ranges::find(tables, title, &std::pair<std::string, std::string>::first);
        if (table == tables.end())
            table = tables.insert(option.isPositional ? tables.begin() : tables.end(), {title, ""});
        table->second += "| `" + joined(option.names, ",") +
                         (option.value.empty() ? "" : " " + option.value) + "` | " + meaningOf(option) +
                         " |\n";
    }
    std::string text;
    for (const auto& [title, rows] : tables)
        text += "\n| " + title + " | meaning |\n| --- | --- |\n" + rows;
    return text;
}

std::string sectionOf(const CommandFacts& command)
{
    std::string notes = command.notes;
    while (notes.ends_with('\n'))
        notes.pop_back();
    return "\n## headscope " + command.name + "\n\n" + command.meaning + ".\n" + tablesOf(command) +
           (notes.empty() ? "" : "\n" + notes + "\n");
}

std::string referenceOf(const ProgramFacts& program)
{
    std::string page = kHead;
    page += "\n## headscope\n\nThe window, on the demo pair unless models are given.\n" +
            tablesOf(program.window);
    for (const CommandFacts& command : program.commands)
        page += sectionOf(command);
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
    command.callback([out, &app, &action] {
        action = [out, &app] { writeOutput(*out, referenceOf(programFacts(app))); };
    });
}

}  // namespace hs::app
