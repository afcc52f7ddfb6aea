#include "model/folder_diagnosis.h"

#include "base/failure.h"
#include "base/untrusted_text.h"
#include "model/hub_cache.h"
#include "model/weights_file.h"

#include <algorithm>
#include <array>

namespace hs::model {
namespace {

namespace fs = std::filesystem;

constexpr std::array kTokenizerFiles = {"tokenizer.json", "tokenizer.model", "vocab.json", "vocab.txt",
                                        "merges.txt"};
constexpr std::size_t kMostFilesLookedInto = 50;

bool hasUnfinishedDownload(const fs::path& folder)
{
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        return false;
    const FolderListing listing = listFolder(folder);
    return std::ranges::any_of(listing.files,
                               [](const std::string& file) { return file.ends_with(".incomplete"); });
}

/// The cache keeps partial files among its blobs, a download to a folder of the user's in a hidden one there.
void refuseUnfinishedDownload(const fs::path& folder)
{
    const fs::path entry = hubEntryOf(folder);
    if (hasUnfinishedDownload(folder) ||
        hasUnfinishedDownload(folder / ".cache" / "huggingface" / "download") ||
        (!entry.empty() && hasUnfinishedDownload(entry / "blobs")))
        fail(ErrorCode::BadFile,
             "The download of " + folder.string() + " did not finish; " + downloadRemedy(folder) + ".");
}

bool looksLikeModelFolder(const fs::path& folder)
{
    std::error_code ignored;
    return isHubEntry(folder) || fs::exists(folder / "config.json", ignored);
}

void refuseFolderOfModels(const fs::path& folder, const FolderListing& listing)
{
    std::vector<std::string> models;
    std::ranges::copy_if(listing.folders, std::back_inserter(models),
                         [&](const std::string& name) { return looksLikeModelFolder(folder / name); });
    if (models.size() == 1)
        fail(ErrorCode::BadRequest, folder.string() + " is not the model itself; open " +
                                        (folder / models.front()).string() + " in it.");
    if (!models.empty())
        fail(ErrorCode::BadRequest, folder.string() + " is a folder of several models, " +
                                        quotedNames(models) + "; choose one of them.");
}

void refuseForeignFiles(const fs::path& folder, const FolderListing& listing)
{
    std::size_t looked = 0;
    for (const std::string& name : listing.files)
        if (!isCompanionFile(name) && ++looked <= kMostFilesLookedInto)
            refuseForeignFile(folder / name);
}

}  // namespace

bool isCompanionFile(std::string_view name)
{
    return name.ends_with(".json") || name.ends_with(".md") || name.ends_with(".txt") ||
           name.ends_with(".model") || name == "LICENSE";
}

bool hasTokenizer(const FolderListing& listing)
{
    return std::ranges::any_of(kTokenizerFiles, [&](const char* file) { return listing.has(file); });
}

void refuseFolder(const fs::path& folder, const FolderListing& listing)
{
    refuseUnfinishedDownload(folder);
    if (listing.files.empty() && listing.folders.empty())
        fail(ErrorCode::NotFound, folder.string() + " is empty; " + downloadRemedy(folder) + ".");
    if (listing.has("adapter_config.json") || listing.has("adapter_model.safetensors") ||
        listing.has("adapter_model.bin"))
        refuseAdapter(folder);
    refuseForeignFiles(folder, listing);
    refuseFolderOfModels(folder, listing);
    if (listing.has("config.json"))
        fail(ErrorCode::NotFound, folder.string() +
                                      " has a config.json and no weights (model.safetensors or "
                                      "pytorch_model.bin); " +
                                      downloadRemedy(folder) + ".");
    if (hasTokenizer(listing))
        fail(ErrorCode::NotFound, folder.string() +
                                      " holds a tokenizer only; add config.json and model.safetensors of "
                                      "the model, or open the model's own folder.");
    fail(ErrorCode::NotFound,
         folder.string() +
             " holds no model: there is no config.json, model.safetensors, "
             "model.safetensors.index.json, pytorch_model.bin or other state dict, and no GGUF file; "
             "give the folder of a Hugging Face model.");
}

}  // namespace hs::model
