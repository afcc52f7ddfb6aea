#include "model/folder_listing.h"

#include "base/failure.h"

#include <algorithm>

namespace hs::model {
namespace {

constexpr std::size_t kMostEntries = 100'000;

}  // namespace

bool FolderListing::has(std::string_view file) const
{
    return std::ranges::binary_search(files, file);
}

FolderListing listFolder(const std::filesystem::path& folder)
{
    FolderListing listing;
    std::error_code failed;
    std::filesystem::directory_iterator at(folder, failed);
    for (; !failed && at != std::filesystem::directory_iterator(); at.increment(failed)) {
        std::error_code ignored;
        auto& names = at->is_directory(ignored) ? listing.folders : listing.files;
        names.push_back(at->path().filename().string());
        if (listing.files.size() + listing.folders.size() > kMostEntries)
            fail(ErrorCode::BadRequest,
                 folder.string() + " holds too many files for a model; give the model's own folder.");
    }
    if (failed)
        fail(ErrorCode::BadFile,
             folder.string() + " cannot be read (" + failed.message() + "); check its permissions.");
    std::ranges::sort(listing.files);
    std::ranges::sort(listing.folders);
    return listing;
}

}  // namespace hs::model
