#include "train/output_folder.h"

#include "base/failure.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <vector>

namespace hs::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStateFile = "training_state.safetensors";
constexpr const char* kCurveFile = "training_curve.csv";
constexpr const char* kModelFile = "model.safetensors";
constexpr const char* kAdapterFile = "adapter_model.safetensors";
constexpr const char* kCodersFile = "config.yaml";  // of a set of transcoders
constexpr std::array kOwnFiles = {kStateFile,  kCurveFile, kModelFile, kAdapterFile,
                                  kCodersFile, "W_enc_",   "W_dec_",   "layer_"};  // or how they begin

/// The handle that holds the lock; -1 where the file system has no locks.
int locked(const fs::path& folder)
{
    const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0 || ::flock(handle, LOCK_EX | LOCK_NB) == 0)
        return handle;
    const bool isTaken = errno == EWOULDBLOCK;
    ::close(handle);
    if (isTaken)
        fail(ErrorCode::BadRequest, "Another training is writing to " + folder.string() +
                                        "; wait until it has ended, or choose another --out.");
    return -1;
}

void unlock(int handle)
{
    if (handle >= 0)
        ::close(handle);
}

void checkContents(const fs::path& folder, bool resumes)
{
    const bool hasState = fs::exists(folder / kStateFile);
    const bool hasCoders = fs::exists(folder / kCodersFile);
    const bool hasModel = hasCoders || fs::exists(folder / kModelFile) || fs::exists(folder / kAdapterFile);
    const std::string written = hasCoders ? "transcoders" : "model";
    if (resumes && !hasState)
        fail(ErrorCode::NotFound, hasModel ? "The training in " + folder.string() +
                                                 " has ended, so there is no checkpoint to resume; its " +
                                                 written + " can be opened."
                                           : "There is no checkpoint to resume in " + folder.string() +
                                                 "; start without --resume, or give the --out of the "
                                                 "training.");
    if (!resumes && hasState)
        fail(ErrorCode::BadRequest, folder.string() +
                                        " holds the checkpoint of a training that has not ended; add "
                                        "--resume to go on with it, or delete " +
                                        kStateFile + ".");
    if (!resumes && hasModel)
        fail(ErrorCode::BadRequest, folder.string() + " holds " + (hasCoders ? "" : "a ") + written +
                                        " already; choose another --out, or delete " +
                                        (hasCoders ? "them" : "it") + " first.");
}

void makeFolder(const fs::path& folder)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
        fail(ErrorCode::BadRequest, "The folder " + folder.string() + " cannot be made (" + failed.message() +
                                        "); choose another --out.");
}

/// Removes a training's unfinished files; nobody else writes them while the folder is locked.
void clearParts(const fs::path& folder)
{
    std::vector<fs::path> parts;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        const bool isOurs =
            std::ranges::any_of(kOwnFiles, [&](const char* own) { return name.starts_with(own); });
        if (isOurs && name.ends_with(".part"))
            parts.push_back(entry.path());
    }
    for (const fs::path& part : parts) {
        std::error_code isOnlyUntidy;
        fs::remove(part, isOnlyUntidy);
    }
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& folder, bool resumes, bool onlyReads) : m_folder(folder)
{
    if (onlyReads)
        return;
    makeFolder(folder);
    m_lock = locked(folder);
    try {
        checkContents(folder, resumes);
        clearParts(folder);
    } catch (...) {
        unlock(m_lock);
        throw;
    }
}

OutputFolder::~OutputFolder()
{
    unlock(m_lock);
}

void OutputFolder::check(const fs::path& folder, bool resumes)
{
    if (folder.empty())
        fail(ErrorCode::BadRequest, "--out is empty; give it the name of a folder.");
    if (fs::is_directory(folder))
        unlock(locked(folder));
    checkContents(folder, resumes);
}

fs::path OutputFolder::stateFile() const
{
    return m_folder / kStateFile;
}

fs::path OutputFolder::curveFile() const
{
    return m_folder / kCurveFile;
}

}  // namespace hs::train
