#include "app/shell/shell_texts.h"

#include "base/shell_words.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace hs::app {
namespace {

constexpr const char* kHelpers = R"(# Completion of headscope for bash, written by: headscope completion bash

_headscope_words()
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_headscope_paths()
{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

_headscope_add()
{
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$1" -- "$2")
}

_headscope_models()
{
    _headscope_paths -f "$1"
    _headscope_add 'demo:dense demo:sparse' "$1"
}

_headscope()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= index
    COMPREPLY=()
    # bash takes "demo:dense" for three words.
    if [[ $word == : && $before == demo ]]; then
        _headscope_words 'dense sparse' ''
        return
    elif [[ $before == : && ${COMP_WORDS[COMP_CWORD - 2]} == demo ]]; then
        _headscope_words 'dense sparse' "$word"
        return
    fi
)";

std::string indented(int depth, const std::string& line)
{
    return std::string(static_cast<std::size_t>(4 * depth), ' ') + line + "\n";
}

/// The call that offers the values of an option; empty if nothing is known about them.
std::string offerOf(const OptionFacts& option)
{
    switch (option.values()) {
    case OptionFacts::Values::Choices:
        return "_headscope_words " + shellQuoted(joined(option.choices)) + " \"$word\"";
    case OptionFacts::Values::Models: return "_headscope_models \"$word\"";
    case OptionFacts::Values::Folders: return "_headscope_paths -d \"$word\"";
    case OptionFacts::Values::Files: return "_headscope_paths -f \"$word\"";
    case OptionFacts::Values::Anything: break;
    }
    return "";
}

/// What is offered right after an option that takes a value.
std::string valueCases(const CommandFacts& command)
{
    std::map<std::string, std::vector<std::string>> optionsByOffer;
    for (const OptionFacts& option : command.options)
        if (!option.isPositional && !option.value.empty())
            std::ranges::copy(option.names, std::back_inserter(optionsByOffer[offerOf(option)]));
    std::string cases;
    for (const auto& [offer, options] : optionsByOffer)
        cases +=
            indented(2, joined(options, " | ") + ") " + offer + (offer.empty() ? "" : "; ") + "return ;;");
    return cases.empty() ? "" : indented(2, "case $before in") + cases + indented(2, "esac");
}

/// One command's part of the script. `arguments` are calls that offer anything but options.
std::string branchOf(const CommandFacts& command, const std::string& pattern,
                     std::vector<std::string> arguments)
{
    std::vector<std::string> options;
    for (const OptionFacts& option : command.options)
        if (!option.isPositional)
            std::ranges::copy(option.names, std::back_inserter(options));
        else if (const std::string offer = offerOf(option); !offer.empty())
            arguments.insert(arguments.begin(), offer);
    std::string branch = indented(1, pattern + ")") + valueCases(command);
    branch += indented(2, "if [[ $word == -* ]]; then");
    branch += indented(3, "_headscope_words " + shellQuoted(joined(options)) + " \"$word\"");
    if (!arguments.empty())
        branch += indented(2, "else");
    for (const std::string& offer : arguments)
        branch += indented(3, offer);
    return branch + indented(2, "fi") + indented(2, ";;");
}

}  // namespace

std::string bashCompletion(const ProgramFacts& program)
{
    std::vector<std::string> names;
    for (const CommandFacts& command : program.commands)
        names.push_back(command.name);
    std::string script = kHelpers;
    script += indented(1, "for ((index = 1; index < COMP_CWORD; ++index)); do");
    script += indented(2, "case ${COMP_WORDS[index]} in");
    // After "--" comes a command for array.
    script += indented(2, "--) command= ;;");
    script += indented(2, joined(names, " | ") + ") command=${command:-${COMP_WORDS[index]}} ;;");
    script += indented(2, "esac");
    script += indented(1, "done");
    script += indented(1, "case $command in");
    for (const CommandFacts& command : program.commands)
        script += branchOf(command, command.name, {});
    script += branchOf(program.window, "*", {"_headscope_add " + shellQuoted(joined(names)) + " \"$word\""});
    script += indented(1, "esac");
    return script + "}\n\ncomplete -F _headscope headscope\n";
}

}  // namespace hs::app
