#include "base/temporary_folder.h"

#include "base/failure.h"

#include <cstdlib>
#include <vector>

namespace hs {

TemporaryFolder::TemporaryFolder(const std::string& name)
{
    std::string pattern = (std::filesystem::temp_directory_path() / (name + "-XXXXXX")).string();
    if (!mkdtemp(pattern.data()))
        fail(ErrorCode::NotFound, "No folder can be made in " +
                                      std::filesystem::temp_directory_path().string() +
                                      "; make room there, or set TMPDIR to a folder that has some.");
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder()
{
    // Not remove_all: libtorch 2 exports its own std::filesystem, in which that call crashes.
    std::error_code ignored;
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator entry(m_path, ignored), end; entry != end;
         entry.increment(ignored))
        files.push_back(entry->path());
    for (const std::filesystem::path& file : files)
        std::filesystem::remove(file, ignored);
    std::filesystem::remove(m_path, ignored);
}

}  // namespace hs
