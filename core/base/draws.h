#pragma once

#include <cstdint>
#include <initializer_list>

namespace hs {

/// 64 bits stirred so that neighbouring inputs have nothing in common: the mixing step of splitmix64.
constexpr std::uint64_t stirred(std::uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

/// Random numbers that depend on a few keys alone and are the same with every standard library: those for
/// step 1,000 can be drawn without the steps before it.
class Draws {
public:
    explicit Draws(std::initializer_list<std::uint64_t> keys)
    {
        for (const std::uint64_t key : keys)
            m_counter = stirred(m_counter + kStride + key);
    }

    std::uint64_t next() { return stirred(m_counter += kStride); }

    /// From 0 to count − 1, for counts that fit into 32 bits.
    std::int64_t below(std::int64_t count)
    {
        return static_cast<std::int64_t>((next() >> 32) * static_cast<std::uint64_t>(count) >> 32);
    }
    std::int64_t between(std::int64_t first, std::int64_t last) { return first + below(last - first + 1); }
    bool coin() { return below(2) == 1; }

private:
    static constexpr std::uint64_t kStride = 0x9e3779b97f4a7c15u;  // odd, so the counter takes every value

    std::uint64_t m_counter = 0;
};

}  // namespace hs
