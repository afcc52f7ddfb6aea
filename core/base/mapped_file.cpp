#include "base/mapped_file.h"

#include "base/failure.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace hs {
namespace {

std::int64_t changeTime(const struct stat& status)
{
    return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

}  // namespace

MappedFile MappedFile::open(const std::filesystem::path& file)
{
    const auto refuse = [&](ErrorCode code, const char* why) {
        const std::string reason = std::strerror(errno);
        fail(code, file.string() + " " + why + " (" + reason + "); check the path and its permissions.");
    };
    const int handle = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (handle < 0)
        refuse(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::BadFile, "cannot be opened");

    struct stat status = {};
    const bool isPlain = ::fstat(handle, &status) == 0 && S_ISREG(status.st_mode);
    if (!isPlain) {
        ::close(handle);
        fail(ErrorCode::BadFile, file.string() + " is not a plain file; give the path of a file.");
    }
    MappedFile mapped;
    mapped.m_path = file;
    mapped.m_handle = handle;
    mapped.m_changed = changeTime(status);
    if (status.st_size > 0) {
        void* const address =
            ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, handle, 0);
        if (address == MAP_FAILED)
            refuse(ErrorCode::BadFile, "cannot be mapped into memory");
        mapped.m_data = static_cast<const std::byte*>(address);
        mapped.m_size = static_cast<std::uint64_t>(status.st_size);
        mapped.m_guard = MappingGuard(address, static_cast<std::size_t>(status.st_size));
    }
    return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_data(std::exchange(other.m_data, nullptr)),
      m_size(std::exchange(other.m_size, 0)), m_changed(other.m_changed),
      m_handle(std::exchange(other.m_handle, -1)), m_guard(std::move(other.m_guard))
{
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    std::swap(m_changed, other.m_changed);
    std::swap(m_handle, other.m_handle);
    std::swap(m_guard, other.m_guard);
    return *this;
}

MappedFile::~MappedFile()
{
    m_guard = {};  // before the addresses can be reused
    if (m_data)
        ::munmap(const_cast<std::byte*>(m_data), static_cast<std::size_t>(m_size));
    if (m_handle >= 0)
        ::close(m_handle);
}

void MappedFile::requireUnchanged() const
{
    struct stat status = {};
    const bool isSame = ::fstat(m_handle, &status) == 0 &&
                        static_cast<std::uint64_t>(status.st_size) == m_size &&
                        changeTime(status) == m_changed && !m_guard.hasLostPages();
    if (!isSame)
        fail(ErrorCode::BadFile, m_path.string() +
                                     " was changed while it was read; wait until whatever writes to it is "
                                     "done, then open it again.");
}

void MappedFile::release(std::uint64_t offset, std::uint64_t length) const
{
    // Only whole pages inside the range: its neighbours may still be needed.
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t begin = (offset + page - 1) / page * page;
    const std::uint64_t end = (offset + length) / page * page;
    if (begin < end && end <= m_size)
        ::madvise(const_cast<std::byte*>(m_data) + begin, end - begin, MADV_DONTNEED);
}

}  // namespace hs
