#include "model/revisions/revisions.h"

#include "model/hub_cache.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace hs::model {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRevisions = 10'000;
/// Any of them makes a folder a model's, or an adapter's.
constexpr std::array kModelFiles = {"config.json", "model.safetensors", "adapter_config.json"};
/// Before the number of a step; the first one that a name has counts.
constexpr std::array<std::string_view, 8> kStepWords = {"step", "checkpoint", "ckpt",  "iteration",
                                                        "iter", "update",     "epoch", "revision"};

/// "stage1-step1000-tokens4B": what is before the word, and the number behind it.
struct StepName {
    std::string stem;
    std::int64_t step = 0;
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The number at the beginning of a text, behind one separator; none where there is none.
std::optional<std::int64_t> leadingNumber(std::string_view text)
{
    if (!text.empty() && std::string_view("-_. ").find(text.front()) != std::string_view::npos)
        text.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !isDigit(text.front()))
        return std::nullopt;
    return number;
}

std::optional<StepName> stepNameOf(std::string_view name)
{
    if (std::ranges::all_of(name, isDigit))
        if (const auto step = leadingNumber(name))
            return StepName{{}, *step};
    for (const std::string_view word : kStepWords)
        for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1))
            if (const auto step = leadingNumber(name.substr(at + word.size())))
                return StepName{std::string(name.substr(0, at)), *step};
    return std::nullopt;
}

/// Steps by the stems of their names.
using StepsByStem = std::map<std::string, std::vector<Revision>>;

void add(StepsByStem& steps, const std::string& name, const fs::path& folder)
{
    if (const auto known = stepNameOf(name))
        steps[known->stem].push_back({known->step, folder.string()});
}

std::vector<Revision> inOrder(std::vector<Revision> revisions)
{
    std::ranges::sort(revisions, {}, [](const Revision& one) { return std::pair(one.step, one.source); });
    if (revisions.size() < 2)
        revisions.clear();
    return revisions;
}

std::vector<Revision> mostFrequent(const StepsByStem& steps)
{
    const auto most = std::ranges::max_element(
        steps, {}, [](const StepsByStem::value_type& entry) { return entry.second.size(); });
    return most == steps.end() ? std::vector<Revision>() : inOrder(most->second);
}

bool holdsModel(const fs::path& folder)
{
    return std::ranges::any_of(kModelFiles, [&](const char* name) {
        std::error_code ignored;
        return fs::exists(folder / name, ignored);
    });
}

StepsByStem stepsIn(const fs::path& folder)
{
    StepsByStem steps;
    std::size_t count = 0;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end && count < kMostRevisions;
         it.increment(failed), ++count)
        if (holdsModel(it->path()))
            add(steps, it->path().filename().string(), it->path());
    return steps;
}

/// Branches of a download whose snapshots are there.
std::vector<Revision> revisionsInEntry(const fs::path& entry)
{
    StepsByStem steps;
    for (const std::string& name : hubReferences(entry))
        if (const fs::path snapshot = hubSnapshot(entry, name); !snapshot.empty())
            add(steps, name, snapshot);
    return mostFrequent(steps);
}

}  // namespace

std::vector<Revision> revisionsIn(const fs::path& folder)
{
    return mostFrequent(stepsIn(folder));
}

std::vector<Revision> revisionsOf(std::string_view where, const Environment& environment)
{
    fs::path path = environment.expanded(std::string(where)).lexically_normal();
    std::error_code ignored;
    if (!fs::exists(path, ignored) && isHubName(where))
        path = environment.hubCache() / hubEntryName(where);
    if (!path.has_filename())  // a slash at the end
        path = path.parent_path();
    if (!fs::is_directory(path, ignored))
        return {};
    if (const fs::path entry = hubEntryOf(path); !entry.empty())
        return revisionsInEntry(entry);
    if (std::vector<Revision> inside = revisionsIn(path); !inside.empty())
        return inside;
    const auto own = stepNameOf(path.filename().string());
    if (!own)
        return {};
    return inOrder(stepsIn(fs::absolute(path, ignored).parent_path())[own->stem]);
}

std::optional<std::size_t> indexOf(const std::vector<Revision>& revisions, const fs::path& folder)
{
    auto found = std::ranges::find(revisions, folder.string(), &Revision::source);
    if (found == revisions.end())  // by another name
        found = std::ranges::find_if(revisions, [&](const Revision& revision) {
            std::error_code ignored;
            return fs::equivalent(revision.source, folder, ignored);
        });
    if (found == revisions.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - revisions.begin());
}

}  // namespace hs::model
