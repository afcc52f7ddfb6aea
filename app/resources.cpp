#include "resources.h"

#include "base/failure.h"

namespace hs {

std::filesystem::path resourceFolder()
{
    std::error_code problem;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", problem);
    const std::filesystem::path installed = program.parent_path().parent_path() / "share" / "headscope";
    if (!problem && std::filesystem::is_directory(installed, problem))
        return installed;
    return HS_RESOURCE_DIR;
}

std::filesystem::path demoFolder(const std::string& which)
{
    if (which != "dense" && which != "sparse")
        fail(ErrorCode::BadRequest,
             "There is no demo model \"" + which + "\"; use demo:dense or demo:sparse.");
    const std::filesystem::path folder = resourceFolder() / "models" / ("demo-" + which);
    if (!std::filesystem::is_directory(folder))
        fail(ErrorCode::NotFound,
             "The demo pair is not where it should be (" + folder.string() + "); reinstall HeadScope.");
    return folder;
}

}  // namespace hs
