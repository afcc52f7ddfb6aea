#include "text/aligned_text.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "text/utf8.h"

namespace hs::text {

namespace {

// An escaped byte takes three, byte-level symbols two: no stage makes positions overflow 32 bits.
constexpr std::size_t kMaxBytes = 256u << 20;

}  // namespace

AlignedText AlignedText::fromBytes(std::string_view bytes)
{
    if (bytes.size() > kMaxBytes)
        fail(ErrorCode::TooLarge, "The text has " + formatBytes(bytes.size()) + ", more than the " +
                                      formatBytes(kMaxBytes) + " that are tokenized at once; split it.");
    AlignedText aligned;
    aligned.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = validUtf8Length(bytes.substr(at));
        const auto begin = static_cast<std::uint32_t>(at);
        if (length == 0) {
            const auto byte = static_cast<unsigned char>(bytes[at]);
            aligned.append(kEscapeBase + byte, {begin, begin + 1});
            ++at;
        } else {
            aligned.append(bytes.substr(at, length), {begin, begin + static_cast<std::uint32_t>(length)});
            at += length;
        }
    }
    return aligned;
}

ByteSpan AlignedText::origin(ByteSpan range) const
{
    if (m_origin.empty())
        return {};
    if (range.empty()) {
        const std::uint32_t at =
            range.begin < m_origin.size() ? m_origin[range.begin].begin : m_origin.back().end;
        return {at, at};
    }
    return {m_origin[range.begin].begin, m_origin[range.end - 1].end};
}

AlignedText AlignedText::slice(ByteSpan range) const
{
    AlignedText part;
    part.append(*this, range);
    return part;
}

void AlignedText::reserve(std::size_t bytes)
{
    m_text.reserve(bytes);
    m_origin.reserve(bytes);
}

void AlignedText::append(std::string_view text, ByteSpan origin)
{
    m_text.append(text);
    m_origin.insert(m_origin.end(), text.size(), origin);
}

void AlignedText::append(char32_t code, ByteSpan origin)
{
    appendUtf8(m_text, code);
    m_origin.resize(m_text.size(), origin);
}

void AlignedText::append(const AlignedText& other, ByteSpan range)
{
    m_text.append(range.of(other.m_text));
    m_origin.insert(m_origin.end(), other.m_origin.begin() + range.begin, other.m_origin.begin() + range.end);
}

}  // namespace hs::text
