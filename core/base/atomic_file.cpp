#include "base/atomic_file.h"

#include "base/failure.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace hs {
namespace {

constexpr int kMostLinks = 40;  // one behind the other, as many as the kernel follows

[[noreturn]] void refuse(const std::filesystem::path& file, int reason)
{
    const bool isFull = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
    const char* const remedy = isFull ? "free some space, or choose another disk, and save again"
                                      : "check that the folder is there and that you may write to it";
    fail(isFull ? ErrorCode::TooLarge : ErrorCode::BadRequest,
         file.string() + " cannot be written (" + std::strerror(reason) + "); " + remedy + ".");
}

/// Beside the target, since only a rename within one file system is atomic.
std::filesystem::path temporaryFor(const std::filesystem::path& file)
{
    static std::atomic<unsigned> count = 0;
    return file.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".part";
}

/// The file that a path leads to, also where there is none yet, so that a link on the way stays what it is: /dev/stdout
/// is one.
std::filesystem::path behindLinks(std::filesystem::path file)
{
    for (int links = 0; links < kMostLinks; ++links) {
        std::error_code isNone;
        const std::filesystem::path next = std::filesystem::read_symlink(file, isNone);
        if (isNone)
            return file;
        file = file.parent_path() / next;  // which is `next` where that is absolute
    }
    refuse(file, ELOOP);
}

/// A device or a pipe, which has to be written into: a rename would put a file in its place.
bool isStream(const std::filesystem::path& file)
{
    struct stat status = {};
    return ::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// Gives a new file the mode and owner of the one it stands for; false if that is not allowed.
bool keepOwnerAndMode(int handle, const struct stat& target)
{
    struct stat fresh = {};
    const bool hasOwner =
        ::fstat(handle, &fresh) == 0 && fresh.st_uid == target.st_uid && fresh.st_gid == target.st_gid;
    // The mode last: a change of owner clears some of its bits.
    return (hasOwner || ::fchown(handle, target.st_uid, target.st_gid) == 0) &&
           ::fchmod(handle, target.st_mode & 07777) == 0;
}

/// Makes a rename survive a power cut. Not every file system can; the file is whole either way.
void syncFolder(const std::filesystem::path& folder)
{
    const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0)
        return;
    ::fsync(handle);
    ::close(handle);
}

}  // namespace

AtomicFile AtomicFile::create(const std::filesystem::path& file)
{
    AtomicFile created;
    created.m_target = isStream(file) ? file : behindLinks(file);
    struct stat target = {};
    const bool isThere = !isStream(file) && ::stat(created.m_target.c_str(), &target) == 0;
    const mode_t mode = isThere ? 0600 : 0666;  // never more open than the target, not even for a moment
    if (isStream(file)) {
        created.m_handle = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        do {  // one of that name may be left from a process that was killed
            created.m_temporary = temporaryFor(created.m_target);
            created.m_handle =
                ::open(created.m_temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        } while (created.m_handle < 0 && errno == EEXIST);
    }
    if (created.m_handle < 0)
        refuse(file, errno);
    if (isThere)
        created.m_isInPlace = target.st_nlink > 1 || !keepOwnerAndMode(created.m_handle, target);
    return created;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_target(std::move(other.m_target)), m_temporary(std::move(other.m_temporary)),
      m_handle(std::exchange(other.m_handle, -1)), m_isInPlace(other.m_isInPlace),
      m_streamed(other.m_streamed)
{
}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept
{
    std::swap(m_target, other.m_target);
    std::swap(m_temporary, other.m_temporary);
    std::swap(m_handle, other.m_handle);
    std::swap(m_isInPlace, other.m_isInPlace);
    std::swap(m_streamed, other.m_streamed);
    return *this;
}

AtomicFile::~AtomicFile()
{
    if (m_handle < 0)
        return;
    ::close(m_handle);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

void AtomicFile::writeAt(std::uint64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        ssize_t written = ::pwrite(m_handle, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == ESPIPE && offset == m_streamed)  // a pipe takes bytes in their order only
            written = ::write(m_handle, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            refuse(m_target, written < 0 ? errno : ENOSPC);
        offset += static_cast<std::uint64_t>(written);
        m_streamed = offset;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::commit()
{
    if (m_temporary.empty()) {
        ::close(std::exchange(m_handle, -1));
        return;
    }
    if (::fsync(m_handle) != 0)
        refuse(m_target, errno);
    if (m_isInPlace) {
        copyIntoTarget();
        ::unlink(m_temporary.c_str());
    } else if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        refuse(m_target, errno);
    ::close(std::exchange(m_handle, -1));
    syncFolder(m_target.parent_path());
}

/// All bytes are there by now, so that only a crash in the middle of this can leave the target torn.
void AtomicFile::copyIntoTarget() const
{
    struct stat written = {};
    const int target = ::open(m_target.c_str(), O_WRONLY | O_CLOEXEC);
    if (target < 0 || ::fstat(m_handle, &written) != 0)
        refuse(m_target, errno);
    off_t done = 0;
    ssize_t copied = 1;
    while (done < written.st_size && (copied > 0 || errno == EINTR))
        copied = ::sendfile(target, m_handle, &done, static_cast<std::size_t>(written.st_size - done));
    const bool isWhole =
        done == written.st_size && ::ftruncate(target, written.st_size) == 0 && ::fsync(target) == 0;
    const int reason = errno;
    ::close(target);
    if (!isWhole)
        refuse(m_target, reason);
}

void writeFile(const std::filesystem::path& file, std::string_view content)
{
    AtomicFile written = AtomicFile::create(file);
    written.writeAt(0, std::as_bytes(std::span(content)));
    written.commit();
}

}  // namespace hs
