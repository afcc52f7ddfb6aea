#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace hs::app {

/// An option or argument of a command, as the command line itself declares it.
struct OptionFacts {
    std::vector<std::string> names;  // "-h", "--help"; a positional argument has one name
    std::string meaning;
    std::string value;                 // what it takes, "DIR"; empty for a flag
    std::vector<std::string> choices;  // the only values it takes; empty if they are not listed
    std::string range;                 // of the numbers it takes, "1 to 10"; may be empty
    std::string byDefault;
    std::string group;  // the heading that help puts it under
    std::vector<std::string> needs;
    std::vector<std::string> excludes;
    bool isPositional = false;
    bool isRequired = false;

    /// Whether the meaning mentions every choice.
    bool namesItsChoices() const;

    /// What a shell offers for its value.
    enum class Values { Choices, Models, Folders, Files, Anything };
    Values values() const;
};

struct CommandFacts {
    std::string name;
    std::string meaning;
    std::vector<OptionFacts> options;
    std::string notes;  // what help says after the options
};

/// Everything that can be typed: manual page, shell completion and the guide's reference are generated from
/// it, so that none of them can lag behind the program.
struct ProgramFacts {
    CommandFacts window;  // no command: the window
    std::vector<CommandFacts> commands;
};

ProgramFacts programFacts(const CLI::App& app);

/// Text with a backslash before each of these letters.
std::string escaped(const std::string& text, std::string_view letters);

/// Names or choices on one line.
std::string joined(const std::vector<std::string>& words, const std::string& between = " ");

}  // namespace hs::app
