#include "features/coders/coder_folder.h"

#include "base/failure.h"
#include "base/untrusted_text.h"
#include "model/config_bounds.h"
#include "model/folder_listing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace hs::features {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestFolder = 3;
constexpr std::size_t kMostFiles = 20'000;

std::optional<int> layerNumber(std::string_view word)
{
    int number = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool isWhole = code == std::errc() && end == word.data() + word.size();
    return isWhole && number >= 0 && number < model::kMostLayers ? std::optional(number) : std::nullopt;
}

void collectFiles(const fs::path& root, const fs::path& below,
                  const std::function<bool(const std::string&)>& isMeant, int depth,
                  std::vector<fs::path>& found)
{
    const model::FolderListing listing = model::listFolder(root / below);
    for (const std::string& file : listing.files)
        if (isMeant(file))
            found.push_back(below / file);
    if (found.size() > kMostFiles)
        fail(ErrorCode::BadFile,
             root.string() + " holds too many files for one set of transcoders; give the set's own folder.");
    if (depth < kDeepestFolder)
        for (const std::string& folder : listing.folders)
            collectFiles(root, below / folder, isMeant, depth + 1, found);
}

}  // namespace

std::optional<int> layerInName(std::string_view path)
{
    static constexpr std::array<std::string_view, 5> kWords = {"layer", "layers", "h", "blocks", "block"};
    std::string_view before;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find_first_of("/._-"), path.size());
        const std::string_view word = path.substr(0, end);
        if (std::ranges::find(kWords, before) != kWords.end())
            if (const std::optional<int> layer = layerNumber(word))
                return layer;
        before = word;
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return {};
}

std::vector<fs::path> filesBelow(const fs::path& folder,
                                 const std::function<bool(const std::string&)>& isMeant)
{
    std::vector<fs::path> found;
    collectFiles(folder, {}, isMeant, 0, found);
    std::ranges::sort(found);
    return found;
}

std::vector<fs::path> filesBelow(const fs::path& folder, std::string_view name)
{
    return filesBelow(folder, [name](const std::string& file) { return file == name; });
}

std::vector<fs::path> byLayer(const fs::path& folder, const std::vector<fs::path>& files,
                              const LayerOf& layerOf)
{
    std::map<int, fs::path> found;
    for (const fs::path& file : files) {
        const std::optional<int> layer = layerOf(file);
        if (!layer)
            fail(ErrorCode::BadFile,
                 "The layer of " + quotedName(file.string()) + " in " + folder.string() +
                     " cannot be told; name its folder after the layer: \"layers.0.mlp\".");
        const auto [other, isNew] = found.emplace(*layer, file);
        if (!isNew)
            fail(ErrorCode::BadFile, folder.string() + " holds two transcoders of layer " +
                                         std::to_string(*layer) + ", " + quotedName(other->second.string()) +
                                         " and " + quotedName(file.string()) +
                                         "; give a folder with one a layer.");
    }
    std::vector<fs::path> paths;
    for (const auto& [layer, file] : found) {
        if (layer != static_cast<int>(paths.size()))
            fail(ErrorCode::BadFile, folder.string() + " holds no transcoder of layer " +
                                         std::to_string(paths.size()) +
                                         ", and a graph needs one of every layer; download the whole set.");
        paths.push_back(folder / file);
    }
    return paths;
}

std::optional<Place> placeOfHook(std::string_view hook, const model::ArchSpec& spec)
{
    if (hook.ends_with("hook_resid_mid"))
        return Place::Middle;
    if (hook.ends_with("mlp.hook_in"))
        return Place::MlpInput;
    // Of LayerNorm models this one moved from behind the norm's weights to before them.
    if (hook.ends_with("ln2.hook_normalized") && spec.norm == model::NormKind::RmsNorm)
        return Place::Normed;
    return {};
}

}  // namespace hs::features
