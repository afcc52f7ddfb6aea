#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace hs {

/// Tells contents apart but is not cryptographic: 64-bit FNV-1a, as sixteen hex digits.
class ContentHash {
public:
    void add(std::span<const std::byte> bytes)
    {
        for (const std::byte byte : bytes)
            m_value = (m_value ^ static_cast<std::uint64_t>(byte)) * 1099511628211u;
    }
    void add(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }
    std::string text() const
    {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(m_value));
        return digits;
    }

private:
    std::uint64_t m_value = 14695981039346656037u;
};

}  // namespace hs
