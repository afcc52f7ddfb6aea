#include "model/adapter/adapter_files.h"

#include "base/failure.h"
#include "base/link_bounds.h"
#include "base/untrusted_text.h"
#include "model/folder_listing.h"
#include "model/hub_cache.h"
#include "model/model_locator.h"
#include "model/revisions/revisions.h"
#include "model/weights_file.h"

#include <algorithm>
#include <array>

namespace hs::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigName = "adapter_config.json";
constexpr std::array kAdapterWeights = {"adapter_model.safetensors", "adapter_model.bin"};

/// The folder that is meant; empty where there is none.
fs::path folderMeant(std::string_view where, const Environment& environment)
{
    std::string text(where);
    while (text.size() > 1 && text.ends_with('/'))
        text.pop_back();
    if (text.empty() || text.find('\0') != std::string::npos)
        return {};
    const fs::path path = environment.expanded(text);
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        return isHubEntry(path) ? hubSnapshot(path) : path;
    const std::string name = path.filename().string();
    if (fs::exists(path, ignored) && (name == kConfigName || std::ranges::count(kAdapterWeights, name) > 0))
        return path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::exists(path, ignored) && isHubName(text))
        if (const fs::path entry = environment.hubCache() / hubEntryName(text); isHubEntry(entry))
            return hubSnapshot(entry);
    return {};
}

/// A checkpoint of a training may have both; then the model is meant.
bool holdsModel(const FolderListing& listing)
{
    static constexpr std::array kNames = {"model.safetensors", "model.safetensors.index.json",
                                          "pytorch_model.bin", "pytorch_model.bin.index.json"};
    return std::ranges::any_of(kNames, [&](const char* name) { return listing.has(name); });
}

AdapterFiles locate(std::string_view where, const Environment& environment)
{
    const fs::path folder = folderMeant(where, environment);
    if (folder.empty())
        fail(ErrorCode::NotFound, "There is no adapter at " + quotedName(std::string(where)) +
                                      "; give the folder that has its adapter_config.json.");
    const FolderListing listing = listFolder(folder);
    if (!listing.has(kConfigName))
        fail(ErrorCode::NotFound, folder.string() +
                                      " holds no adapter_config.json, without which nobody knows what its "
                                      "weights change; give the folder of an adapter that PEFT has saved.");
    AdapterFiles files;
    files.folder = files.weights.folder = folder;
    files.weights.isAdapter = true;
    files.weights.config = folder / kConfigName;
    requireThere(files.weights.config);
    requireNoLinkOut(files.weights.config);
    files.config = readAdapterConfig(readJsonFile(files.weights.config, std::uint64_t{4} << 20), folder);
    for (const char* const name : kAdapterWeights) {
        if (!listing.has(name) || !files.weights.weights.empty())
            continue;
        const fs::path weights = folder / name;
        requireNoLinkOut(weights);
        requireThere(weights);
        refuseForeignFile(weights);
        files.weights.weights = {weights};
        files.weights.format = weights.extension() == ".safetensors" ? ModelFiles::Format::Safetensors
                                                                     : ModelFiles::Format::StateDict;
    }
    if (files.weights.weights.empty())
        fail(ErrorCode::NotFound, folder.string() +
                                      " has an adapter_config.json and no adapter_model.safetensors; " +
                                      downloadRemedy(folder) + ".");
    return files;
}

}  // namespace

std::string lastStepAt(std::string_view where, const Environment& environment)
{
    const std::vector<Revision> steps = revisionsIn(environment.expanded(std::string(where)));
    if (steps.empty() || isAdapter(where, environment) || locateModel(where, environment))
        return std::string(where);
    return steps.back().source;
}

bool isAdapter(std::string_view where, const Environment& environment)
{
    const Result<bool> found = guarded([&] {
        const fs::path folder = folderMeant(where, environment);
        if (folder.empty())
            return false;
        const FolderListing listing = listFolder(folder);
        return listing.has(kConfigName) && !holdsModel(listing);
    });
    return found && *found;
}

Result<AdapterFiles> locateAdapter(std::string_view where, const Environment& environment)
{
    return guarded([&] { return locate(where, environment); });
}

Result<ModelFiles> locateBase(const AdapterFiles& adapter, const Environment& environment)
{
    return guarded([&] {
        const std::string remedy =
            "name the base with --model BASE --adapter " + adapter.folder.string() + ".";
        const std::string& base = adapter.config.base;
        if (base.empty())
            fail(ErrorCode::NotFound, adapter.folder.string() +
                                          " is an adapter that does not say which model it changes; " +
                                          remedy);
        const Result<ModelFiles> here = locateModel(base, environment);
        if (here)
            return *here;
        const fs::path path(base);
        std::error_code ignored;
        if (path.is_relative() && fs::is_directory(adapter.folder / path, ignored))
            if (const Result<ModelFiles> beside = locateModel((adapter.folder / path).string(), environment))
                return *beside;
        fail(ErrorCode::NotFound,
             adapter.folder.string() + " is an adapter of " + quotedName(base) +
                 ", which cannot be opened here; download it, or " + remedy,
             here.error().message);
    });
}

Result<ModelFiles> locateModelBehind(std::string_view name, const Environment& environment)
{
    const std::string where = lastStepAt(name, environment);
    if (!isAdapter(where, environment))
        return locateModel(where, environment);
    return guarded(
        [&] { return orThrow(locateBase(orThrow(locateAdapter(where, environment)), environment)); });
}

}  // namespace hs::model
