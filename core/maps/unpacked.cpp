#include "maps/unpacked.h"

#include "base/failure.h"
#include "base/text_format.h"

#include <zlib.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <vector>

namespace hs::maps {
namespace {

constexpr std::uint64_t kLargestInMemory = 8 << 20;
constexpr std::size_t kUnpackedAtOnce = 1 << 20;

[[noreturn]] void refuseMember(const std::string& what, const std::string& why)
{
    fail(ErrorCode::BadFile, what + " cannot be unpacked (" + why + "); save it again.");
}

/// Unpacks a member and hands it on piece by piece, never more than it says to hold.
void inflateMember(const ZipMember& member, const std::string& what,
                   const std::function<void(std::span<const std::byte>)>& take)
{
    z_stream stream = {};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        fail(ErrorCode::TooLarge, "There is no memory left to unpack " + what + "; close other programs.");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
    std::vector<std::byte> piece(std::min<std::uint64_t>(kUnpackedAtOnce, member.size + 1));
    std::span<const std::byte> rest = member.bytes;
    std::uint64_t size = 0;
    for (int status = Z_OK; status != Z_STREAM_END;) {
        if (stream.avail_in == 0) {
            const std::size_t length = std::min<std::size_t>(rest.size(), 1u << 30);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(rest.data()));
            stream.avail_in = static_cast<uInt>(length);
            rest = rest.subspan(length);
        }
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        status = inflate(&stream, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END)
            refuseMember(what, "its bytes are damaged");
        const std::size_t done = piece.size() - stream.avail_out;
        size += done;
        if (size > member.size)
            refuseMember(what, "it holds more than the " + formatBytes(member.size) + " it speaks of");
        take(std::span(piece).first(done));
        if (status == Z_OK && done == 0 && rest.empty())
            refuseMember(what, "it ends too early");
    }
    if (!rest.empty() || stream.avail_in > 0)
        refuseMember(what, "bytes follow its end");
    if (size != member.size)
        refuseMember(what, "it holds less than the " + formatBytes(member.size) + " it speaks of");
}

/// A file without a name that is gone with this object, mapped once it is written.
class NamelessFile {
public:
    explicit NamelessFile(const std::string& what) : m_what(what)
    {
        std::error_code ignored;
        std::string name = (std::filesystem::temp_directory_path(ignored) / "headscope-XXXXXX").string();
        m_handle = ::mkostemp(name.data(), O_CLOEXEC);
        if (m_handle < 0)
            refuseDisk();
        ::unlink(name.c_str());
    }
    ~NamelessFile()
    {
        if (m_data)
            ::munmap(m_data, m_size);
        if (m_handle >= 0)
            ::close(m_handle);
    }
    NamelessFile(const NamelessFile&) = delete;
    NamelessFile& operator=(const NamelessFile&) = delete;

    void write(std::span<const std::byte> bytes)
    {
        while (!bytes.empty()) {
            const ssize_t done = ::write(m_handle, bytes.data(), bytes.size());
            if (done < 0 && errno == EINTR)
                continue;
            if (done <= 0)
                refuseDisk();
            m_size += static_cast<std::size_t>(done);
            bytes = bytes.subspan(static_cast<std::size_t>(done));
        }
    }
    std::span<const std::byte> map()
    {
        void* const address = ::mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, m_handle, 0);
        if (address == MAP_FAILED)
            refuseDisk();
        m_data = address;
        return {static_cast<const std::byte*>(m_data), m_size};
    }

private:
    [[noreturn]] void refuseDisk() const
    {
        const std::string reason = std::strerror(errno);
        fail(ErrorCode::TooLarge,
             m_what + " does not fit unpacked on the disk for temporary files (" + reason +
                 "); save it with np.savez instead of np.savez_compressed, or set TMPDIR.");
    }

    const std::string m_what;
    int m_handle = -1;
    void* m_data = nullptr;
    std::size_t m_size = 0;
};

}  // namespace

OwnedBytes unpacked(const ZipMember& member, const std::string& what)
{
    uLong checksum = crc32_z(0, nullptr, 0);
    const auto include = [&](std::span<const std::byte> bytes) {
        if (!bytes.empty())
            checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    };
    OwnedBytes result;
    if (member.size <= kLargestInMemory) {
        auto memory = std::make_shared<std::vector<std::byte>>();
        inflateMember(member, what, [&](std::span<const std::byte> bytes) {
            include(bytes);
            memory->insert(memory->end(), bytes.begin(), bytes.end());
        });
        result = {*memory, memory};
    } else {
        auto file = std::make_shared<NamelessFile>(what);
        inflateMember(member, what, [&](std::span<const std::byte> bytes) {
            include(bytes);
            file->write(bytes);
        });
        result = {file->map(), file};
    }
    if (checksum != member.checksum)
        refuseMember(what, "its bytes are damaged");
    return result;
}

void requireChecksum(const ZipMember& member, std::span<const std::byte> bytes, const std::string& what)
{
    if (crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) !=
        member.checksum)
        fail(ErrorCode::BadFile, what + " is damaged; save it again.");
}

}  // namespace hs::maps
