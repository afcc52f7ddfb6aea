#pragma once

#include <filesystem>
#include <string>

namespace hs {

/// A folder for files that only this user can read, and that is gone with this object. Folders in it stay.
class TemporaryFolder {
public:
    /// Throws Failure if the disk for temporary files has no room.
    explicit TemporaryFolder(const std::string& name);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

}  // namespace hs
