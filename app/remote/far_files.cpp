#include "app/remote/far_files.h"

#include "base/descriptor.h"
#include "base/failure.h"
#include "base/text_format.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace hs::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestSent = 256u << 20;
constexpr auto kRead = std::to_array<std::string_view>(
    {"--text-file", "--chat", "--prompts", "--pairs", "--config", "--baseline", "--reference",
     "--dense-result", "--sparse-result", "--from", "--resume", "--corpus"});
constexpr const char* kInput = "-";

/// What a shell writes for <(…): it can be read once, and only here.
bool isOpenPipe(const fs::path& path)
{
    const bool isHandle = path.parent_path() == "/dev/fd" || path.parent_path() == "/proc/self/fd";
    const int flags = isHandle ? fcntl(std::atoi(path.filename().c_str()), F_GETFL) : -1;
    return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY;
}

Place placeOf(const fs::path& path, FileUse use)
{
    std::error_code ignored;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status))
        return Place::Folder;
    if (use == FileUse::Read)
        return fs::is_regular_file(status) || isOpenPipe(path) ? Place::Content
               : fs::is_directory(folder, ignored)             ? Place::New
                                                               : Place::Missing;
    if (fs::exists(status) && !fs::is_regular_file(status))
        return Place::New;  // a device or a pipe, which is written into
    if (!fs::is_directory(folder, ignored))
        return Place::Missing;
    if (access(folder.c_str(), W_OK) != 0)
        return Place::Locked;
    return fs::exists(status) ? Place::Empty : Place::New;
}

FarCommandLine::File fileAt(const std::string& path, FileUse use)
{
    if (path == kInput)
        return {path, {"input", Place::Content}};
    return {path, {fs::path(path).filename().string(), placeOf(path, use)}};
}

/// All that can be read there.
std::string contentOf(int handle, const std::string& name)
{
    std::string content;
    for (ssize_t count = 1; count > 0;) {
        const std::size_t before = content.size();
        content.resize(before + kPiece);
        count = read(handle, content.data() + before, kPiece);
        content.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (count < 0)
            fail(ErrorCode::NotFound, "Cannot read " + name + "; check the path.");
        if (content.size() > kLargestSent)
            fail(ErrorCode::TooLarge,
                 name + " has more than the " + formatBytes(kLargestSent) +
                     " that are sent to another machine; cut it into several, or copy it "
                     "and log in there.");
    }
    return content;
}

}  // namespace

FileUse fileUse(const CLI::Option& option)
{
    if (option.get_type_name() != "F")
        return FileUse::None;
    return std::ranges::count(kRead, option.get_name()) > 0 ? FileUse::Read : FileUse::Written;
}

FarCommandLine farCommandLine(const CLI::App& command, const std::vector<std::string>& typed)
{
    FarCommandLine line;
    for (std::size_t index = 0; index < typed.size(); ++index) {
        const std::string& word = typed[index];
        if (word == "--") {  // what follows is another command's, and all of it is there
            for (; index < typed.size(); ++index)
                line.words.push_back({typed[index], {}});
            break;
        }
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const std::string name = word.substr(0, equals);
        const CLI::Option* const option =
            name.starts_with("--") ? command.get_option_no_throw(name) : nullptr;
        const bool isHost = name == "--host";
        const FileUse use = option ? fileUse(*option) : FileUse::None;
        const bool hasOwnWord = equals == std::string::npos && (isHost || use != FileUse::None);
        if (hasOwnWord && !isHost)
            line.words.push_back({word, {}});
        if (hasOwnWord && ++index == typed.size())
            break;
        if (isHost)
            continue;
        const std::string value = hasOwnWord ? typed[index] : word.substr(std::min(word.size(), equals + 1));
        const std::string before = hasOwnWord ? "" : name + "=";
        // Prompts of a task, which are made there, and what comes with the program.
        const bool isNamed = value.starts_with("task:") || value.starts_with("demo:");
        if (use == FileUse::None || value.empty() || isNamed ||
            (value == kInput && use == FileUse::Written)) {
            line.words.push_back({hasOwnWord ? value : word, {}});
            continue;
        }
        line.words.push_back({before, line.files.size()});
        line.files.push_back(fileAt(value, use));
    }
    return line;
}

std::vector<std::string> FarCommandLine::wordsIn(const fs::path& folder) const
{
    std::vector<std::string> all;
    for (const Word& word : words) {
        all.push_back(word.text);
        if (word.file)
            all.back() += files[*word.file].path == kInput
                              ? kInput
                              : files[*word.file].there.pathIn(folder, *word.file).string();
    }
    return all;
}

std::optional<std::size_t> FarCommandLine::input() const
{
    const auto found = std::ranges::find(files, kInput, &File::path);
    return found == files.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - files.begin()));
}

std::vector<std::string> contentsOf(const FarCommandLine& line, int input)
{
    std::vector<std::string> contents;
    for (const FarCommandLine::File& file : line.files) {
        if (file.there.place != Place::Content)
            contents.emplace_back();
        else if (file.path == kInput)
            contents.push_back(contentOf(input, "Standard input"));
        else
            contents.push_back(
                contentOf(Descriptor(open(file.path.c_str(), O_RDONLY | O_CLOEXEC)).number(), file.path));
    }
    return contents;
}

}  // namespace hs::app
