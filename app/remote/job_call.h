#pragma once

#include "base/enum_words.h"

#include <filesystem>
#include <string>

namespace hs::app {

/// What one asks of a daemon about a command that it runs: the "do" of a request. The command runs as long as
/// the call of that name, what it prints is fetched beside it by offsets, so that a lost line loses and doubles
/// nothing.
enum class JobCall {
    Begin,      // "files" → "job", "folder"
    Put,        // "job", "file", "at", "bytes"
    Command,    // "job", "words", "input", "terminal", "debug" → "exit", "files", "problem"
    Output,     // "job", "out", "err" → bytes from there on, and whether that is all
    Fetch,      // "job", "file", "at" → bytes
    Interrupt,  // "job": as Ctrl-C does
};

constexpr auto enumWords(JobCall)
{
    return std::to_array<EnumWord<JobCall>>({{JobCall::Begin, "begin"},
                                             {JobCall::Put, "put"},
                                             {JobCall::Command, "command"},
                                             {JobCall::Output, "output"},
                                             {JobCall::Fetch, "fetch"},
                                             {JobCall::Interrupt, "interrupt"}});
}

/// What the user's machine has where a file of a command is. The other machine makes it look the same, so that
/// the command finds the same faults.
enum class Place {
    Content,  // a file, which is sent along
    Empty,    // a file that will be replaced; its content stays here
    New,      // nothing, and it can be made
    Folder,
    Missing,  // not even a folder to make it in
    Locked,   // a folder that may not be written to
};

constexpr auto enumWords(Place)
{
    return std::to_array<EnumWord<Place>>({{Place::Content, "content"},
                                           {Place::Empty, "empty"},
                                           {Place::New, "new"},
                                           {Place::Folder, "folder"},
                                           {Place::Missing, "missing"},
                                           {Place::Locked, "locked"}});
}

/// A file of a command that runs elsewhere.
struct JobFile {
    std::string name;  // without its folder
    Place place = Place::New;

    /// Where the other machine has it, in the job's own folder.
    std::filesystem::path pathIn(const std::filesystem::path& folder, std::size_t index) const
    {
        return folder / std::to_string(index) / (place == Place::Missing ? "missing" : "") / name;
    }
};

constexpr std::size_t kPiece = 512 << 10;  // bytes of a file or of output that travel at once

}  // namespace hs::app
