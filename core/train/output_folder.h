#pragma once

#include <filesystem>

namespace hs::train {

/// The folder that a training writes to, its own as long as this lives: two trainings in one folder
/// would overwrite each other's checkpoints. The lock goes with the process, however that ends.
class OutputFolder {
public:
    /// Makes the folder where there is none and clears away what a killed training left half written.
    /// Throws Failure where `check` does.
    OutputFolder(const std::filesystem::path& folder, bool resumes);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    /// Throws Failure where the folder is in use, holds what would be overwritten, or has nothing to
    /// resume. Changes nothing.
    static void check(const std::filesystem::path& folder, bool resumes);

    std::filesystem::path stateFile() const;
    std::filesystem::path curveFile() const;

private:
    std::filesystem::path m_folder;
    int m_lock = -1;
};

}  // namespace hs::train
