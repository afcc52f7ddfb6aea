#include "model/hub_cache.h"

#include "base/failure.h"
#include "base/link_bounds.h"
#include "base/mapped_file.h"

#include <algorithm>
#include <cctype>

namespace hs::model {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "models--";
constexpr std::size_t kLongestName = 96;

bool isNamePart(std::string_view part)
{
    const auto isEdge = [](char c) { return c == '-' || c == '.'; };
    return !part.empty() && !isEdge(part.front()) && !isEdge(part.back()) &&
           part.find("--") == std::string_view::npos && part.find("..") == std::string_view::npos &&
           std::ranges::all_of(
               part, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; });
}

fs::path newestSnapshot(const fs::path& entry)
{
    fs::path newest;
    fs::file_time_type newestTime;
    std::error_code ignored;
    for (fs::directory_iterator it(entry / "snapshots", ignored), end; !ignored && it != end;
         it.increment(ignored)) {
        if (!it->is_directory(ignored))
            continue;
        const fs::file_time_type time = it->last_write_time(ignored);
        if (newest.empty() || std::pair(time, it->path()) > std::pair(newestTime, newest)) {
            newest = it->path();
            newestTime = time;
        }
    }
    return newest;
}

}  // namespace

bool isHubName(std::string_view name)
{
    if (name.size() > kLongestName)
        return false;
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos)
        return isNamePart(name);
    return isNamePart(name.substr(0, slash)) && isNamePart(name.substr(slash + 1));
}

std::string hubEntryName(std::string_view name)
{
    std::string folder(name);
    if (const std::size_t slash = folder.find('/'); slash != std::string::npos)
        folder.replace(slash, 1, "--");
    return std::string(kPrefix) + folder;
}

bool isHubEntry(const fs::path& folder)
{
    std::error_code ignored;
    return fs::is_directory(folder / "snapshots", ignored) &&
           (folder.filename().string().starts_with(kPrefix) || fs::is_directory(folder / "blobs", ignored));
}

fs::path hubSnapshot(const fs::path& entry)
{
    fs::path snapshot = hubSnapshot(entry, "main");
    if (snapshot.empty())
        snapshot = newestSnapshot(entry);
    if (snapshot.empty())
        fail(ErrorCode::NotFound, entry.string() + " holds no snapshot, its download did not finish; " +
                                      downloadRemedy(entry) + ".");
    requireNoLinkOut(snapshot);
    return snapshot;
}

std::vector<std::string> hubReferences(const fs::path& entry)
{
    std::vector<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator it(entry / "refs", failed), end; !failed && it != end; it.increment(failed))
        names.push_back(it->path().filename().string());
    return names;
}

fs::path hubSnapshot(const fs::path& entry, const std::string& reference)
{
    const fs::path file = entry / "refs" / reference;
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored))
        return {};
    const MappedFile mapped = MappedFile::open(file);
    std::string_view commit = mapped.text();
    commit = commit.substr(0, commit.find_first_of(" \r\n\t"));
    const bool isPlain = std::ranges::all_of(commit, [](unsigned char c) { return std::isalnum(c) != 0; });
    if (commit.empty() || !isPlain || !fs::is_directory(entry / "snapshots" / commit, ignored))
        return {};
    return entry / "snapshots" / commit;
}

std::string hubNameOf(const fs::path& entry)
{
    const std::string folder = entry.filename().string();
    if (!folder.starts_with(kPrefix))
        return {};
    std::string name = folder.substr(kPrefix.size());
    if (const std::size_t separator = name.find("--"); separator != std::string::npos)
        name.replace(separator, 2, "/");
    return isHubName(name) ? name : std::string();
}

fs::path hubEntryOf(const fs::path& folder)
{
    std::error_code failed;
    const fs::path absolute = fs::absolute(folder, failed);
    if (failed)
        return {};
    for (fs::path at = absolute; at.has_relative_path(); at = at.parent_path())
        if (isHubEntry(at))
            return at;
    return {};
}

std::string downloadRemedy(const fs::path& folder)
{
    const std::string name = hubNameOf(hubEntryOf(folder));
    return name.empty() ? "download the model again (`hf download org/name` continues where it stopped)"
                        : "run " + downloadCommand(name) + " again";
}

std::string downloadCommand(std::string_view name)
{
    const std::string model(name);
    return "`hf download " + model + "` (`huggingface-cli download " + model + "` in old versions)";
}

}  // namespace hs::model
