#include "program.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <cctype>
#include <regex>
#include <set>
#include <sstream>

using namespace hs::test;

namespace {

std::string printedBy(const std::vector<std::string>& arguments)
{
    const Outcome outcome = headscope(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return outcome.out;
}

/// Every match of a pattern's first group in a text.
std::vector<std::string> allOf(const std::string& text, const char* pattern)
{
    std::vector<std::string> found;
    const std::regex expression(pattern, std::regex::multiline);
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

/// What --help itself lists: commands are indented and come after "Subcommands:".
std::vector<std::string> commandsOfHelp()
{
    const std::string help = printedBy({"--help"});
    return allOf(help.substr(help.find("Subcommands:")), "^  ([a-z]+) ");
}

std::vector<std::string> optionsOfHelp(const std::string& command)
{
    const std::string help = command.empty() ? printedBy({"--help"}) : printedBy({command, "--help"});
    std::vector<std::string> options;
    for (const std::string& names : allOf(help, "^ +((?:-[a-z],)?--[a-z0-9-]+)"))
        options.push_back(names.substr(names.find("--")));
    return options;
}

/// The part of a text from one mark to the next.
std::string partBetween(const std::string& text, const std::string& from, const std::string& to)
{
    const std::size_t start = text.find(from);
    REQUIRE(start != std::string::npos);
    const std::size_t end = text.find(to, start + from.size());
    return text.substr(start, end == std::string::npos ? end : end - start);
}

/// Whether a text contains this option as a whole word.
bool hasOption(const std::string& text, const std::string& option)
{
    const auto isPart = [&](std::size_t at) {
        return at < text.size() && (std::islower(text[at]) || std::isdigit(text[at]) || text[at] == '-');
    };
    for (std::size_t at = text.find(option); at != std::string::npos; at = text.find(option, at + 1))
        if ((at == 0 || !isPart(at - 1)) && !isPart(at + option.size()))
            return true;
    return false;
}

std::string linesWith(const std::string& text, const std::string& words)
{
    std::istringstream lines(text);
    std::string found;
    for (std::string line; std::getline(lines, line);)
        if (line.find(words) != std::string::npos)
            found += line + "\n";
    return found;
}

/// What bash offers for these words, the last of which is being typed.
std::set<std::string> bashOffers(const TempDir& folder, const std::vector<std::string>& words)
{
    std::string line = "cd " + folder.path().string() + "; . ./completion; COMP_WORDS=(headscope";
    for (const std::string& word : words)
        line += " '" + word + "'";
    line += "); COMP_CWORD=" + std::to_string(words.size()) +
            "; _headscope; [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' \"${COMPREPLY[@]}\"";
    const Outcome outcome = runProgram({"bash", "-c", line});
    INFO(line);
    CHECK(outcome.err == "");
    REQUIRE(outcome.exitCode == 0);
    std::istringstream lines(outcome.out);
    std::set<std::string> offers;
    for (std::string offer; std::getline(lines, offer);)
        offers.insert(offer);
    return offers;
}

}  // namespace

TEST_CASE("the manual page and every shell know each command and option that help lists")
{
    std::string manual = printedBy({"manual"});
    manual = std::regex_replace(manual, std::regex(R"(\\-)"), "-");
    const std::string bash = printedBy({"completion", "bash"});
    const std::string zsh = printedBy({"completion", "zsh"});
    const std::string fish = printedBy({"completion", "fish"});
    const std::vector<std::string> commands = commandsOfHelp();
    REQUIRE(commands.size() > 15);
    for (const std::string& command : commands) {
        CAPTURE(command);
        const std::string page = partBetween(manual, "\n.SS headscope " + command + "\n", "\n.S");
        const std::string branch = partBetween(bash, "\n    " + command + ")\n", "\n        ;;");
        const std::string arguments = partBetween(zsh, "\n    " + command + ")\n", "\n        ;;");
        const std::string rules = linesWith(fish, "_from " + command + "'");
        CHECK(zsh.find("'" + command + ":") != std::string::npos);
        CHECK(fish.find("__fish_use_subcommand -a " + command + " ") != std::string::npos);
        const std::vector<std::string> options = optionsOfHelp(command);
        CHECK_FALSE(options.empty());
        for (const std::string& option : options) {
            CAPTURE(option);
            CHECK(hasOption(linesWith(page, "\\fB"), option));
            CHECK(hasOption(branch, option));
            CHECK(arguments.find("'" + option + "[") != std::string::npos);
            CHECK(hasOption(rules, "-l " + option.substr(2)));
        }
    }
    for (const std::string& option : optionsOfHelp("")) {
        CAPTURE(option);
        CHECK(partBetween(manual, ".SH OPTIONS", ".SH COMMANDS").find(option) != std::string::npos);
        CHECK(hasOption(partBetween(bash, "\n    *)\n", "\n        ;;"), option));
        CHECK(partBetween(zsh, "_arguments -C", "case").find("'" + option + "[") != std::string::npos);
        CHECK(hasOption(linesWith(fish, "'__fish_use_subcommand'"), "-l " + option.substr(2)));
    }
}

TEST_CASE("bash completes commands, options, values and files")
{
    const TempDir folder;
    folder.write("completion", printedBy({"completion", "bash"}));
    folder.write("one.json", "");
    folder.write("a model/config.json", "");
    using Offers = std::set<std::string>;
    CHECK(bashOffers(folder, {"spa"}) == Offers{"sparsify"});
    CHECK(bashOffers(folder, {"run", "--gen"}) == Offers{"--generate"});
    CHECK(bashOffers(folder, {"--no-bos", "--den"}) == Offers{"--dense"});
    CHECK(bashOffers(folder, {"run", "--gate", ""}) == Offers{"auto", "off", "score"});
    CHECK(bashOffers(folder, {"run", "--json", "one"}) == Offers{"one.json"});
    CHECK(bashOffers(folder, {"run", "--model", "a"}) == Offers{"a model"});
    CHECK(bashOffers(folder, {"run", "--model", "de"}) == Offers{"demo:dense", "demo:sparse"});
    CHECK(bashOffers(folder, {"run", "--model", "demo", ":"}) == Offers{"dense", "sparse"});
    CHECK(bashOffers(folder, {"run", "--model", "demo", ":", "de"}) == Offers{"dense"});
    CHECK(bashOffers(folder, {"run", "--text", "on"}).empty());
    CHECK(bashOffers(folder, {"merge", "on"}) == Offers{"one.json"});
    CHECK(bashOffers(folder, {"completion", "f"}) == Offers{"fish"});
    CHECK(bashOffers(folder, {"run", "--text", "sweep", "--gen"}) == Offers{"--generate"});
    CHECK(bashOffers(folder, {"array", "--parts", "8", "--", "swe"}) == Offers{"sweep"});
    CHECK(bashOffers(folder, {"array", "--parts", "8", "--", "sweep", "--unit"}) == Offers{"--units"});
}
