#include "remote/frame.h"

#include "base/failure.h"
#include "base/text_format.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace hs::remote {
namespace {

constexpr std::uint8_t kCompressed = 1, kLast = 2;
constexpr std::size_t kWorthPacking = 256;

template <class T>
T readAt(std::string_view bytes, std::size_t at)
{
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

struct Header {
    std::uint32_t length;
    Kind kind;
    std::uint8_t flags;
    std::uint32_t request;
    std::uint32_t unpacked;
};

Header readHeader(std::string_view bytes)
{
    const auto kind = readAt<std::uint8_t>(bytes, 4);
    if (kind < static_cast<std::uint8_t>(Kind::Hello) || kind > static_cast<std::uint8_t>(Kind::Pad))
        refuseLine("a message of the unknown kind " + std::to_string(kind));
    const Header header{readAt<std::uint32_t>(bytes, 0), Kind(kind), readAt<std::uint8_t>(bytes, 5),
                        readAt<std::uint32_t>(bytes, 8), readAt<std::uint32_t>(bytes, 12)};
    if (header.flags > (kCompressed | kLast) || readAt<std::uint16_t>(bytes, 6) != 0)
        refuseLine("a message with unknown marks");
    const std::size_t most = largestBody(header.kind);
    if (header.length > most || header.unpacked > most)
        refuseLine("a message of " + formatBytes(std::max(header.length, header.unpacked)) +
                   " where at most " + formatBytes(most) + " are allowed");
    if (!(header.flags & kCompressed) && header.unpacked != header.length)
        refuseLine("a message of another length than it says");
    return header;
}

std::string unpacked(const Header& header, std::string_view body)
{
    if (!(header.flags & kCompressed))
        return std::string(body);
    std::string content(header.unpacked, '\0');
    thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                                    ZSTD_freeDCtx);
    const std::size_t size =
        ZSTD_decompressDCtx(context.get(), content.data(), content.size(), body.data(), body.size());
    if (ZSTD_isError(size) || size != content.size())
        refuseLine("a message that cannot be unpacked");
    return content;
}

std::string packed(std::string_view body)
{
    std::string content(ZSTD_compressBound(body.size()), '\0');
    // Making its tables anew would take longer than a small frame.
    thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                                    ZSTD_freeCCtx);
    const std::size_t size =
        ZSTD_compressCCtx(context.get(), content.data(), content.size(), body.data(), body.size(), 1);
    content.resize(ZSTD_isError(size) ? body.size() : size);
    return content;
}

}  // namespace

void refuseLine(const std::string& what)
{
    fail(ErrorCode::BadFile,
         "The other machine sent " + what + ", so the line was closed; update HeadScope on both machines.");
}

std::string makeFrame(Kind kind, std::uint32_t request, std::string_view body, bool isLast)
{
    std::string shorter = body.size() >= kWorthPacking ? packed(body) : std::string();
    const bool isPacked = !shorter.empty() && shorter.size() < body.size();
    const std::string_view content = isPacked ? std::string_view(shorter) : body;
    const std::uint32_t length = static_cast<std::uint32_t>(content.size());
    const std::uint32_t plain = static_cast<std::uint32_t>(body.size());
    std::string frame(kFrameHeader, '\0');
    std::memcpy(frame.data(), &length, 4);
    frame[4] = static_cast<char>(kind);
    frame[5] = static_cast<char>((isPacked ? kCompressed : 0) | (isLast ? kLast : 0));
    std::memcpy(frame.data() + 8, &request, 4);
    std::memcpy(frame.data() + 12, &plain, 4);
    frame += content;
    return frame;
}

std::string makePadding()
{
    return makeFrame(Kind::Pad, 0, "\n", true);
}

void FrameReader::add(std::string_view bytes)
{
    m_bytes.erase(0, m_at);
    m_at = 0;
    m_bytes += bytes;
}

std::optional<Frame> FrameReader::next()
{
    for (;;) {
        const std::string_view rest = std::string_view(m_bytes).substr(m_at);
        if (rest.size() < kFrameHeader)
            return std::nullopt;
        const Header header = readHeader(rest);
        if (rest.size() - kFrameHeader < header.length)
            return std::nullopt;
        m_at += kFrameHeader + header.length;
        ++m_count;
        if (header.kind == Kind::Pad)
            continue;
        return Frame{header.kind, (header.flags & kLast) != 0, header.request,
                     unpacked(header, rest.substr(kFrameHeader, header.length)),
                     kFrameHeader + header.length};
    }
}

std::optional<std::string> WordSearch::add(std::string_view bytes)
{
    const std::size_t overlap = std::min(m_heard.size(), kFirstWord.size() - 1);
    const std::size_t from = m_heard.size() - overlap;
    m_heard += bytes;
    const std::size_t at = m_heard.find(kFirstWord, from);
    if (at <= m_mostNoise) {  // npos is more
        std::string rest = m_heard.substr(at + kFirstWord.size());
        m_heard.resize(at);
        return rest;
    }
    if (m_heard.size() >= m_mostNoise + kFirstWord.size()) {
        m_heard.resize(m_mostNoise);
        refuseLine("other text than HeadScope's");
    }
    return std::nullopt;
}

}  // namespace hs::remote
