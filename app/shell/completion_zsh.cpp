#include "app/shell/shell_texts.h"

#include "base/shell_words.h"

#include <algorithm>

namespace hs::app {
namespace {

/// Colons and brackets separate the fields of zsh's descriptions.
std::string inField(const std::string& text)
{
    return escaped(text, ":[]\\");
}

std::string zshValueWords(const OptionFacts& option)
{
    switch (option.values()) {
    case OptionFacts::Values::Choices: return "(" + joined(option.choices) + ")";
    case OptionFacts::Values::Models: return "_headscope_models";
    case OptionFacts::Values::Folders: return "_files -/";
    case OptionFacts::Values::Files: return "_files";
    case OptionFacts::Values::Anything: break;
    }
    return " ";
}

/// One word of _arguments for each name of an option.
std::vector<std::string> specsOf(const OptionFacts& option)
{
    std::vector<std::string> specs;
    const std::string value = ":" + inField(option.value) + ":" + zshValueWords(option);
    if (option.isPositional)
        return {shellQuoted("*" + value)};
    for (const std::string& name : option.names)
        specs.push_back(
            shellQuoted(name + "[" + inField(option.meaning) + "]" + (option.value.empty() ? "" : value)));
    return specs;
}

std::string argumentsOf(const CommandFacts& command, bool withPositional)
{
    std::string lines;
    for (const OptionFacts& option : command.options)
        if (withPositional || !option.isPositional)
            for (const std::string& spec : specsOf(option))
                lines += " \\\n            " + spec;
    return lines;
}

}  // namespace

std::string zshCompletion(const ProgramFacts& program)
{
    std::string script = "#compdef headscope\n"
                         "# Completion of headscope for zsh, written by: headscope completion zsh\n\n"
                         "_headscope_models() {\n"
                         "    compadd -- demo:dense demo:sparse\n"
                         "    _files\n"
                         "}\n\n"
                         "_headscope_first() {\n"
                         "    local -a commands=(\n";
    for (const CommandFacts& command : program.commands)
        script += "        " + shellQuoted(command.name + ":" + inField(command.meaning)) + "\n";
    script += "    )\n"
              "    _describe -t commands command commands\n"
              "    _files -g '*.headscope'\n"
              "}\n\n"
              "_headscope() {\n"
              "    local curcontext=$curcontext state line\n"
              "    _arguments -C" +
              argumentsOf(program.window, false) +
              " \\\n            '1: :_headscope_first' '*:: :->rest'\n"
              "    [[ $state == rest ]] || return\n"
              "    case $words[1] in\n";
    for (const CommandFacts& command : program.commands)
        script +=
            "    " + command.name + ")\n        _arguments" + argumentsOf(command, true) + "\n        ;;\n";
    return script + "    esac\n}\n\n_headscope \"$@\"\n";
}

}  // namespace hs::app
