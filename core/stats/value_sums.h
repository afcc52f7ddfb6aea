#pragma once

#include "base/json_reader.h"
#include "stats/exact_sum.h"

#include <limits>
#include <vector>

namespace hs::stats {

/// What is known of a quantity from some values of it.
struct Estimate {
    double mean = 0;       // NaN without values
    double deviation = 0;  // of a sample; NaN for fewer than two values
    double low = 0;        // the mean's 95 % confidence interval, by Student's t; NaN for fewer than two
    double high = 0;
    std::int64_t count = 0;
};

/// Sums over values of any order and grouping, with the same bits. Values are cut to multiples of 2^-64 and should not
/// exceed a million; there may be eight million of them.
class ValueSums {
public:
    void add(double value);  // NaN is no value
    void add(const ValueSums& other);

    Estimate estimate() const;
    std::int64_t count() const { return m_count; }
    double least() const { return m_least; }      // infinite without values
    double largest() const { return m_largest; }  // likewise

    friend bool operator==(const ValueSums&, const ValueSums&) = default;

    Json toJson() const;
    static ValueSums from(const JsonReader& reader);  // what toJson wrote; throws Failure

private:
    std::int64_t m_count = 0;
    ExactSum<64> m_sum;
    ExactSum<64> m_squares;
    double m_least = std::numeric_limits<double>::infinity();
    double m_largest = -std::numeric_limits<double>::infinity();
};

Estimate estimateOf(const std::vector<double>& values);

/// Sum of squared distances from the mean of `count` values with this sum and sum of squares, not negative.
template <int Fraction>
double squaresAroundMean(const ExactSum<Fraction>& sum, const ExactSum<Fraction>& squares,
                         std::int64_t count);

/// The distance from the mean, in standard errors, within which the mean of all lies with a probability of 95 %, for a
/// sample of `count` >= 2.
double studentFactor(std::int64_t count);

}  // namespace hs::stats
