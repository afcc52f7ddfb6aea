#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hs {

/// An option or argument of a command, as the command line itself declares it.
struct OptionFacts {
    std::vector<std::string> names;  // "-h", "--help"; an argument without a dash has its one name
    std::string meaning;
    std::string value;                 // what it takes, "DIR"; empty for a flag
    std::vector<std::string> choices;  // the only values it takes; empty where they are not listed
    std::string byDefault;
    bool isPositional = false;
    bool isRequired = false;
};

struct CommandFacts {
    std::string name;
    std::string meaning;
    std::vector<OptionFacts> options;
    std::string notes;  // what help says after the options
};

/// Everything that can be typed: manual page and shell completion are written from it, so that neither
/// can lag behind the program.
struct ProgramFacts {
    CommandFacts window;  // no command: the window
    std::vector<CommandFacts> commands;
};

ProgramFacts programFacts(const CLI::App& app);

}  // namespace hs
