#pragma once

#include "app/remote/job_call.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hs::app {

/// A command line as another machine gets it. Files (options that take F) are those of this machine: what is read
/// is sent along, what was written comes back. Everything else, models and folders among it, is there.
struct FarCommandLine {
    struct Word {
        std::string text;                 // all of it, or what comes before the file: "--json="
        std::optional<std::size_t> file;  // of `files`
    };
    struct File {
        std::string path;  // as it was typed; "-": standard input
        JobFile there;
    };

    std::vector<Word> words;
    std::vector<File> files;

    /// The words, once the other machine has made its folder for the files.
    std::vector<std::string> wordsIn(const std::filesystem::path& folder) const;
    std::optional<std::size_t> input() const;  // the file that is standard input
};

/// Whether a command reads the file of an option, or writes it; neither for what is no file.
enum class FileUse { None, Read, Written };
FileUse fileUse(const CLI::Option& option);

/// From a command's name and arguments as typed, which the command has accepted; --host is left out.
FarCommandLine farCommandLine(const CLI::App& command, const std::vector<std::string>& typed);

/// The content of each file that is sent along; nothing for the others. `input` is standard input. Throws Failure,
/// also for what is too large to be sent.
std::vector<std::string> contentsOf(const FarCommandLine& line, int input);

}  // namespace hs::app
