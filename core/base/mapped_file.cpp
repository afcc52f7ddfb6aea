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
    if (status.st_size > 0) {
        void* const address =
            ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, handle, 0);
        if (address == MAP_FAILED) {
            ::close(handle);
            refuse(ErrorCode::BadFile, "cannot be mapped into memory");
        }
        mapped.m_data = static_cast<const std::byte*>(address);
        mapped.m_size = static_cast<std::uint64_t>(status.st_size);
    }
    ::close(handle);
    return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0))
{
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    return *this;
}

MappedFile::~MappedFile()
{
    if (m_data)
        ::munmap(const_cast<std::byte*>(m_data), static_cast<std::size_t>(m_size));
}

void MappedFile::release(std::uint64_t offset, std::uint64_t length) const
{
    // Only whole pages inside the range: its neighbours may still be wanted.
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t begin = (offset + page - 1) / page * page;
    const std::uint64_t end = (offset + length) / page * page;
    if (begin < end && end <= m_size)
        ::madvise(const_cast<std::byte*>(m_data) + begin, end - begin, MADV_DONTNEED);
}

}  // namespace hs
