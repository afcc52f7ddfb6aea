#include "app/shell/shell_texts.h"

namespace hs::app {
namespace {

std::string fishQuoted(const std::string& text)
{
    return "'" + escaped(text, "'\\") + "'";
}

/// What is offered for a value: -x means only these words, -r a file.
std::string valueWords(const OptionFacts& option)
{
    switch (option.values()) {
    case OptionFacts::Values::Choices: return " -x -a " + fishQuoted(joined(option.choices));
    case OptionFacts::Values::Models: return " -r -F -a 'demo:dense demo:sparse'";
    case OptionFacts::Values::Folders: return " -x -a '(__fish_complete_directories)'";
    case OptionFacts::Values::Files: return " -r -F";
    case OptionFacts::Values::Anything: break;
    }
    return " -x";
}

std::string linesOf(const CommandFacts& command, const std::string& condition)
{
    const std::string start = "complete -c headscope -n " + fishQuoted(condition);
    std::string lines;
    for (const OptionFacts& option : command.options) {
        lines += start;
        if (option.isPositional) {
            lines += option.choices.empty() ? " -F\n" : " -a " + fishQuoted(joined(option.choices)) + "\n";
            continue;
        }
        for (const std::string& name : option.names)
            lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        lines +=
            (option.value.empty() ? "" : valueWords(option)) + " -d " + fishQuoted(option.meaning) + "\n";
    }
    return lines;
}

}  // namespace

std::string fishCompletion(const ProgramFacts& program)
{
    std::string script = "# Completion of headscope for fish, written by: headscope completion fish\n\n"
                         "complete -c headscope -f\n";
    for (const CommandFacts& command : program.commands)
        script += "complete -c headscope -n __fish_use_subcommand -a " + command.name + " -d " +
                  fishQuoted(command.meaning) + "\n";
    script += linesOf(program.window, "__fish_use_subcommand");
    for (const CommandFacts& command : program.commands)
        script += "\n" + linesOf(command, "__fish_seen_subcommand_from " + command.name);
    return script;
}

}  // namespace hs::app
