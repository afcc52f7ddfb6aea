#pragma once

#include <cstdint>
#include <string_view>

namespace hs::text {

/// A half-open range of bytes. 32 bits are enough: the tokenizer refuses longer texts.
struct ByteSpan {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    std::uint32_t size() const { return end - begin; }
    bool empty() const { return begin == end; }
    std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }

    friend bool operator==(const ByteSpan&, const ByteSpan&) = default;
};

}  // namespace hs::text
