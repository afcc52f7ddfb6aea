#pragma once

#include <filesystem>

namespace hs::train {

/// The folder that a training writes to, locked as long as this lives: two trainings in one folder
/// would overwrite each other's checkpoints. The lock ends with the process, however that ends.
class OutputFolder {
public:
    /// Makes the folder if it does not exist and removes what a killed training left half written. Throws
    /// Failure where `check` does. One who only reads there neither locks nor changes anything.
    OutputFolder(const std::filesystem::path& folder, bool resumes, bool onlyReads = false);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    /// Throws Failure if the folder is in use, holds what would be overwritten, or has nothing to resume.
    /// Changes nothing.
    static void check(const std::filesystem::path& folder, bool resumes);

    std::filesystem::path stateFile() const;
    std::filesystem::path curveFile() const;

private:
    std::filesystem::path m_folder;
    int m_lock = -1;
};

}  // namespace hs::train
