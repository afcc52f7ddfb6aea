#include "model/model_locator.h"

#include "base/failure.h"
#include "base/link_bounds.h"
#include "base/untrusted_text.h"
#include "gguf/container.h"
#include "model/folder_diagnosis.h"
#include "model/hub_cache.h"
#include "model/model_stores.h"
#include "model/shard_index.h"
#include "model/weights_file.h"

#include <algorithm>
#include <array>

namespace hs::model {
namespace {

namespace fs = std::filesystem;

/// In order of preference where a folder has several.
constexpr std::array kWeightsNames = {"model.safetensors", "model.safetensors.index.json",
                                      "pytorch_model.bin", "pytorch_model.bin.index.json"};
constexpr std::array kIndexNames = {"model.safetensors.index.json", "pytorch_model.bin.index.json"};

ModelFiles filesBesideWeights(const fs::path& folder, const FolderListing& listing)
{
    ModelFiles files;
    files.folder = folder;
    if (listing.has("config.json")) {
        files.config = folder / "config.json";
        requireThere(files.config);
        requireNoLinkOut(files.config);
    }
    if (hasTokenizer(listing))
        files.tokenizerFolder = folder;
    return files;
}

/// A GGUF file has its config inside, and a tokenizer; of those beside it only tokenizer.json says more.
void takeGguf(ModelFiles& files, const fs::path& weights)
{
    files.config.clear();
    std::error_code ignored;
    if (!fs::exists(files.folder / "tokenizer.json", ignored))
        files.tokenizerFolder.clear();
    files.weights = gguf::filesOf(weights);
    for (const fs::path& part : files.weights)
        if (part != weights)
            requireNoLinkOut(part);
    files.quantisation = gguf::Container::open(files.weights).quantisation();
}

/// Weights that the user named may be a link to anywhere.
ModelFiles withWeights(ModelFiles files, const fs::path& weights)
{
    files.format = requireWeights(weights);
    files.weights = {weights};
    if (files.format == ModelFiles::Format::Gguf)
        takeGguf(files, weights);
    return files;
}

ShardIndex readIndex(const fs::path& file)
{
    requireNoLinkOut(file);
    return readShardIndex(file);
}

ModelFiles withShards(ModelFiles files, const FolderListing& listing, const fs::path& indexFile)
{
    ShardIndex index = readIndex(indexFile);
    std::vector<std::string> missing;
    std::ranges::copy_if(index.shards, std::back_inserter(missing),
                         [&](const std::string& shard) { return !listing.has(shard); });
    if (!missing.empty())
        fail(ErrorCode::NotFound, files.folder.string() + " lacks " + std::to_string(missing.size()) +
                                      " of " + std::to_string(index.shards.size()) + " weights files, " +
                                      quotedNames(missing) + "; " + downloadRemedy(files.folder) + ".");
    for (const std::string& shard : index.shards) {
        files.weights.push_back(files.folder / shard);
        requireNoLinkOut(files.weights.back());
        const ModelFiles::Format format = requireWeights(files.weights.back());
        if (files.weights.size() > 1 && format != files.format)
            fail(ErrorCode::BadFile,
                 indexFile.string() + " mixes safetensors files and state dicts; download it again.");
        files.format = format;
    }
    files.shardOf = std::move(index.shardOf);
    return files;
}

ModelFiles withOwnWeights(ModelFiles files, const fs::path& weights)
{
    requireNoLinkOut(weights);
    return withWeights(std::move(files), weights);
}

/// Files with the same endings as weights that a trainer leaves beside them.
bool isTrainerState(std::string_view name)
{
    return name.starts_with("training_") || name.starts_with("optimizer") || name.starts_with("scheduler") ||
           name.starts_with("scaler") || name.starts_with("rng_state");
}

/// Weights under unusual names: safetensors files, where there are none state dicts, then GGUF files.
std::vector<std::string> oddlyNamedWeights(const FolderListing& listing)
{
    std::vector<std::string> safetensors;
    std::vector<std::string> stateDicts;
    std::vector<std::string> ggufs;
    for (const std::string& name : listing.files) {
        if (name.starts_with("adapter_") || name.starts_with('.') || isTrainerState(name))
            continue;
        if (name.ends_with(".safetensors"))
            safetensors.push_back(name);
        else if (name.ends_with(".pth") || name.ends_with(".pt") || name.ends_with(".bin"))
            stateDicts.push_back(name);
        else if (isGgufModelName(name))
            ggufs.push_back(name);
    }
    return !safetensors.empty() ? safetensors : !stateDicts.empty() ? stateDicts : ggufs;
}

ModelFiles locateInFolder(const fs::path& folder)
{
    const FolderListing listing = listFolder(folder);
    ModelFiles files = filesBesideWeights(folder, listing);
    for (const std::string name : kWeightsNames)
        if (listing.has(name))
            return name.ends_with(".json") ? withShards(std::move(files), listing, folder / name)
                                           : withOwnWeights(std::move(files), folder / name);
    const std::vector<std::string> weights = oddlyNamedWeights(listing);
    if (weights.empty())
        refuseFolder(folder, listing);
    if (weights.size() > 1)
        fail(ErrorCode::BadRequest, folder.string() + " holds several weights files, " +
                                        quotedNames(weights) +
                                        ", and no index that joins them; give the path of the one to open.");
    return withOwnWeights(std::move(files), folder / weights.front());
}

ModelFiles locateFolder(const fs::path& folder)
{
    if (isHubEntry(folder))
        return locateInFolder(hubSnapshot(folder));
    if (folder.filename() == "snapshots" && isHubEntry(folder.parent_path()))
        return locateInFolder(hubSnapshot(folder.parent_path()));
    return locateInFolder(folder);
}

ModelFiles locateFile(const fs::path& file)
{
    const std::string name = file.filename().string();
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (isCompanionFile(name))
        return locateInFolder(folder);
    const FolderListing listing = listFolder(folder);
    ModelFiles files = filesBesideWeights(folder, listing);
    for (const char* const index : kIndexNames)
        if (listing.has(index) && std::ranges::binary_search(readIndex(folder / index).shards, name))
            return withShards(std::move(files), listing, folder / index);
    return withWeights(std::move(files), file);
}

ModelFiles locateInCache(std::string_view name, const Environment& environment)
{
    const fs::path cache = environment.hubCache();
    const fs::path entry = cache / hubEntryName(name);
    if (!isHubEntry(entry))
        fail(ErrorCode::NotFound, std::string(name) +
                                      " is neither a folder nor in the Hugging Face cache at " +
                                      cache.string() + "; download it with " + downloadCommand(name) + ".");
    return locateInFolder(hubSnapshot(entry));
}

ModelFiles locateDemo(const std::string& name, const Environment& environment)
{
    if (name != "dense" && name != "sparse")
        fail(ErrorCode::BadRequest,
             "There is no demo model " + quotedName(name) + "; use demo:dense or demo:sparse.");
    const fs::path folder = environment.shippedModels / ("demo-" + name);
    if (!fs::is_directory(folder))
        fail(ErrorCode::NotFound,
             "The demo pair is not where it should be (" + folder.string() + "); reinstall HeadScope.");
    return locateInFolder(folder);
}

ModelFiles locateInOllama(std::string_view name, const Environment& environment)
{
    const OllamaModel model = findInOllama(name, environment);
    ModelFiles files;
    files.folder = model.weights.parent_path();
    files.nameInStore = model.name;
    return withWeights(std::move(files), model.weights);
}

ModelFiles locate(std::string where, const Environment& environment)
{
    static constexpr std::string_view kOllama = "ollama:";
    if (where.starts_with(kOllama))
        return locateInOllama(where.substr(kOllama.size()), environment);
    if (where.starts_with("demo:"))
        return locateDemo(where.substr(5), environment);
    while (where.size() > 1 && where.ends_with('/'))
        where.pop_back();
    if (where.empty() || where.find('\0') != std::string::npos)
        fail(ErrorCode::BadRequest, "No model is named; give its folder or a name such as gpt2.");
    const fs::path path = environment.expanded(where);
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        return locateFolder(path);
    if (fs::exists(fs::symlink_status(path, ignored)))
        return locateFile(path);
    if (isHubName(where))
        return locateInCache(where, environment);
    fail(ErrorCode::NotFound, "There is no file or folder " + quotedName(where) +
                                  "; check the path, or give the name of a downloaded model such as gpt2.");
}

}  // namespace

Result<ModelFiles> locateModel(std::string_view where, const Environment& environment)
{
    return guarded([&] { return locate(std::string(where), environment); });
}

}  // namespace hs::model
