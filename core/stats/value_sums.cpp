#include "stats/value_sums.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace hs::stats {
namespace {

/// How probable it is that Student's t with this many degrees of freedom is within ±t: a finite series.
double probabilityWithin(double t, std::int64_t freedom)
{
    const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
    const double square = std::cos(angle) * std::cos(angle);
    double term = freedom % 2 ? std::cos(angle) : 1;
    double sum = freedom == 1 ? 0 : term;
    for (std::int64_t step = freedom % 2 ? 3 : 2; step <= freedom - 2; step += 2) {
        term *= square * static_cast<double>(step - 1) / static_cast<double>(step);
        sum += term;
    }
    return freedom % 2 ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}

}  // namespace

double studentFactor(std::int64_t count)
{
    static constexpr double z = 1.959963984540054;  // of the normal distribution
    static constexpr std::int64_t kManyDegrees = 200;
    const std::int64_t freedom = count - 1;
    if (freedom > kManyDegrees) {  // the expansion around it, right to nine digits
        const double share = 1 / static_cast<double>(freedom);
        return z * (1 + share / 4 *
                            ((z * z + 1) + share / 24 * ((5 * z * z + 16) * z * z + 3) +
                             share * share / 96 * (((3 * z * z + 19) * z * z + 17) * z * z - 15)));
    }
    double low = 1, high = 13;
    for (int step = 0; step < 60; ++step)
        (probabilityWithin((low + high) / 2, freedom) < 0.95 ? low : high) = (low + high) / 2;
    return high;
}

template <int Fraction>
double squaresAroundMean(const ExactSum<Fraction>& sum, const ExactSum<Fraction>& squares, std::int64_t count)
{
    // squares - mean * sum - mean * (sum - count * mean), in twice the digits: most of them cancel where values lie
    // close together, and the last term is what the mean was rounded by.
    const double mean = sum.value() / static_cast<double>(count);
    const double product = mean * sum.high();
    const double rest = std::fma(mean, sum.high(), -product);
    const double off = std::fma(-static_cast<double>(count), mean, sum.high()) + sum.low();
    return std::max(0.0, (squares.high() - product) + (squares.low() - rest - mean * sum.low() - mean * off));
}

template double squaresAroundMean(const ExactSum<64>&, const ExactSum<64>&, std::int64_t);
template double squaresAroundMean(const ExactSum<96>&, const ExactSum<96>&, std::int64_t);

std::string hexOf(Int128 number)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string hex(32, '0');
    for (int digit = 0; digit < 32; ++digit)
        hex[31 - digit] = kDigits[static_cast<int>(number >> (4 * digit) & 15)];
    return hex;
}

Int128 int128From(std::string_view hex)
{
    std::uint64_t halves[2] = {};
    for (int half = 0; hex.size() == 32 && half < 2; ++half)
        std::from_chars(hex.data() + 16 * half, hex.data() + 16 * (half + 1), halves[half], 16);
    return static_cast<Int128>(halves[0]) << 64 | halves[1];
}

Json ValueSums::toJson() const
{
    if (m_count == 0)
        return Json::array();
    return {m_count, hexOf(m_sum.units()), hexOf(m_squares.units()), m_least, m_largest};
}

ValueSums ValueSums::from(const JsonReader& reader)
{
    ValueSums sums;
    if (reader.list().empty())
        return sums;
    sums.m_count = static_cast<std::int64_t>(reader[std::size_t{0}].number(1, 1e15));
    sums.m_sum = ExactSum<64>(int128From(reader[1].text()));
    sums.m_squares = ExactSum<64>(int128From(reader[2].text()));
    sums.m_least = reader[3].number();
    sums.m_largest = reader[4].number();
    return sums;
}

void ValueSums::add(double value)
{
    if (!std::isfinite(value))
        return;
    ++m_count;
    m_sum.add(value);
    m_squares.add(value * value);
    m_squares.add(std::fma(value, value, -(value * value)));  // what the product was rounded by
    m_least = std::min(m_least, value);
    m_largest = std::max(m_largest, value);
}

void ValueSums::add(const ValueSums& other)
{
    m_count += other.m_count;
    m_sum.add(other.m_sum);
    m_squares.add(other.m_squares);
    m_least = std::min(m_least, other.m_least);
    m_largest = std::max(m_largest, other.m_largest);
}

Estimate ValueSums::estimate() const
{
    if (m_count == 0)
        return {NAN, NAN, NAN, NAN, 0};
    const auto count = static_cast<double>(m_count);
    // Equal values have that mean to the last bit, however small they are.
    const double mean = m_least == m_largest ? m_least : m_sum.value() / count;
    if (m_count == 1)
        return {mean, NAN, NAN, NAN, 1};
    const double deviation =
        m_least == m_largest ? 0 : std::sqrt(squaresAroundMean(m_sum, m_squares, m_count) / (count - 1));
    const double reach = studentFactor(m_count) * deviation / std::sqrt(count);
    return {mean, deviation, mean - reach, mean + reach, m_count};
}

Estimate estimateOf(const std::vector<double>& values)
{
    ValueSums sums;
    for (const double value : values)
        sums.add(value);
    return sums.estimate();
}

}  // namespace hs::stats
