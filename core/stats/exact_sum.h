#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace hs::stats {

__extension__ using Int128 = __int128;

/// 32 hex digits, and back; what is no such text is 0.
std::string hexOf(Int128 number);
Int128 int128From(std::string_view hex);

/// A sum whose bits do not depend on the order or the grouping of what is added: each number is cut to a multiple of
/// 2^-Fraction, and multiples add up exactly. The sum must stay below 2^(127 - Fraction).
template <int Fraction>
class ExactSum {
public:
    static constexpr int kFraction = Fraction;

    ExactSum() = default;
    explicit ExactSum(Int128 units) : m_units(units) {}

    void add(double value) { addScaled(mantissaOf(value), exponentOf(value)); }
    void add(const ExactSum& other) { m_units += other.m_units; }

    Int128 units() const { return m_units; }
    /// Rounded once.
    double value() const { return high() + low(); }
    /// Two numbers whose sum is this one, up to 106 bits.
    double high() const { return static_cast<double>(m_units) * unit(); }
    double low() const
    {
        return static_cast<double>(m_units - static_cast<Int128>(static_cast<double>(m_units))) * unit();
    }

    friend bool operator==(const ExactSum&, const ExactSum&) = default;

private:
    static constexpr double unit()
    {
        double unit = 1;
        for (int bit = 0; bit < Fraction; ++bit)
            unit /= 2;
        return unit;
    }
    static std::int64_t mantissaOf(double value)
    {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto fraction = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << 52) - 1));
        const std::int64_t mantissa = fraction | ((bits >> 52 & 0x7ff) ? std::int64_t{1} << 52 : 0);
        return bits >> 63 ? -mantissa : mantissa;
    }
    static int exponentOf(double value)  // of the mantissa's last bit
    {
        const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
        return (exponent ? exponent : 1) - 1075;
    }
    void addScaled(std::int64_t mantissa, int exponent)
    {
        const int shift = exponent + Fraction;
        if (shift >= 0)
            m_units += static_cast<Int128>(mantissa) * (static_cast<Int128>(1) << shift);
        else if (shift > -63)
            m_units += mantissa / (std::int64_t{1} << -shift);  // toward 0, for both signs
    }

    Int128 m_units = 0;
};

}  // namespace hs::stats
