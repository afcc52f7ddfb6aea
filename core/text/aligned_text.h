#pragma once

#include "text/byte_span.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hs::text {

/// Text on its way through the normalizers and pre-tokenizers: well-formed UTF-8 (see utf8.h), and
/// for each of its bytes the bytes of the user's text that it came from.
class AlignedText {
public:
    AlignedText() = default;

    /// Takes the user's bytes, valid UTF-8 or not. Throws Failure when there are too many.
    static AlignedText fromBytes(std::string_view bytes);

    std::string_view text() const { return m_text; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_text.size()); }
    bool empty() const { return m_text.empty(); }

    /// The user's bytes behind a range of this text, from its first byte to its last.
    ByteSpan origin(ByteSpan range) const;
    ByteSpan origin() const { return origin({0, size()}); }

    AlignedText slice(ByteSpan range) const;

    void reserve(std::size_t bytes);
    void append(std::string_view text, ByteSpan origin);
    void append(char32_t code, ByteSpan origin);
    void append(const AlignedText& other, ByteSpan range);

private:
    std::string m_text;
    std::vector<ByteSpan> m_origin;  // [byte of m_text]
};

}  // namespace hs::text
