#include "base/link_bounds.h"

#include "base/failure.h"

#include <algorithm>

namespace hs {
namespace {

namespace fs = std::filesystem;

bool isBelow(const fs::path& folder, const fs::path& file)
{
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

bool isBlob(const fs::path& file)
{
    std::error_code ignored;
    const fs::path blobs = file.parent_path();
    return blobs.filename() == "blobs" && fs::is_directory(blobs.parent_path() / "snapshots", ignored);
}

}  // namespace

void requireNoLinkOut(const fs::path& file)
{
    std::error_code failed;
    const fs::path target = fs::canonical(file, failed);
    if (failed)
        return;  // a missing file is explained better where it is opened
    const fs::path folder = fs::canonical(file.has_parent_path() ? file.parent_path() : ".", failed);
    if (failed || isBelow(folder, target) || isBlob(target))
        return;
    fail(ErrorCode::BadFile, file.string() + " is a link out of the model's folder, to " + target.string() +
                                 "; put the file itself there if you trust the folder.");
}

}  // namespace hs
