#include "base/inflate.h"

#include "base/failure.h"
#include "base/text_format.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace hs {
namespace {

constexpr std::size_t kInflatedAtOnce = std::size_t{1} << 16;
constexpr int kAnyHeader = 32;  // added to the window's bits: zlib's or gzip's

}  // namespace

std::string inflated(std::span<const std::byte> packed, std::size_t mostBytes, const std::string& what)
{
    const auto refuse = [&](const std::string& why) {
        fail(ErrorCode::BadFile, what + " cannot be unpacked (" + why + "); fetch it again.");
    };
    if (packed.size() > std::numeric_limits<uInt>::max())
        refuse("it is larger than any of its kind");
    z_stream stream = {};
    if (inflateInit2(&stream, MAX_WBITS + kAnyHeader) != Z_OK)
        fail(ErrorCode::TooLarge, "There is no memory left to unpack " + what + "; close other programs.");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string text;
    for (int status = Z_OK; status != Z_STREAM_END;) {
        const std::size_t before = text.size();
        text.resize(before + kInflatedAtOnce);
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
        stream.avail_out = static_cast<uInt>(kInflatedAtOnce);
        status = inflate(&stream, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END)
            refuse(status == Z_BUF_ERROR ? "it ends too early" : "its bytes are damaged");
        text.resize(text.size() - stream.avail_out);
        if (text.size() > mostBytes)
            refuse("it holds more than " + formatBytes(mostBytes));
        if (status == Z_OK && text.size() == before)
            refuse("it ends too early");
    }
    return text;
}

}  // namespace hs
