#include "stats/value_sums.h"

#include "support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace hs;
using stats::ValueSums;

namespace {

std::vector<double> someValues(int count)
{
    std::mt19937_64 random(7);
    std::vector<double> values;
    for (int index = 0; index < count; ++index)
        values.push_back(std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(random), index % 30 - 15));
    return values;
}

ValueSums sumsOf(const std::vector<double>& values)
{
    ValueSums sums;
    for (const double value : values)
        sums.add(value);
    return sums;
}

}  // namespace

TEST_CASE("sums of values in any order and grouping have the same bits")
{
    std::vector<double> values = someValues(1000);
    const ValueSums sums = sumsOf(values);
    std::ranges::reverse(values);
    CHECK(sumsOf(values) == sums);
    ValueSums parts;
    for (std::size_t first = 0; first < values.size(); first += 7)
        parts.add(sumsOf({values.begin() + static_cast<std::ptrdiff_t>(first),
                          values.begin() + static_cast<std::ptrdiff_t>(std::min(first + 7, values.size()))}));
    CHECK(parts == sums);
    const Json json = sums.toJson();
    CHECK(ValueSums::from(JsonReader(Json::parse(json.dump()), "sums", "make them again")) == sums);
}

TEST_CASE("an estimate of one value is that value, and of equal ones theirs without a deviation")
{
    for (const double value : {0.1, -3e-40, 1e5 / 3, 0.0}) {
        CHECK(sumsOf({value}).estimate().mean == value);
        CHECK(std::isnan(sumsOf({value}).estimate().deviation));
        const stats::Estimate equal = sumsOf({value, value, value}).estimate();
        CHECK(equal.mean == value);
        CHECK(equal.deviation == 0);
        CHECK(equal.low == value);
    }
    CHECK(std::isnan(sumsOf({NAN}).estimate().mean));
    CHECK(sumsOf({NAN, 2}).estimate().count == 1);
}

TEST_CASE("an estimate has the mean, the deviation of a sample and Student's interval")
{
    const stats::Estimate estimate = sumsOf({1, 2, 3, 4}).estimate();
    CHECK(estimate.mean == 2.5);
    CHECK(estimate.deviation == Approx(std::sqrt(5.0 / 3)));
    CHECK(estimate.high - estimate.mean == Approx(3.182446305 * std::sqrt(5.0 / 3) / 2));
    CHECK(estimate.mean - estimate.low == Approx(estimate.high - estimate.mean));
    // Far from 0, where a plain difference of sums would have no digits left.
    CHECK(sumsOf({1e5 + 1e-6, 1e5 - 1e-6}).estimate().deviation ==
          Approx(std::sqrt(2.0) * 1e-6).epsilon(1e-4));
}

TEST_CASE("Student's factors are those of tables")
{
    CHECK(stats::studentFactor(2) == Approx(12.7062047362).epsilon(1e-9));
    CHECK(stats::studentFactor(3) == Approx(4.30265272991).epsilon(1e-9));
    CHECK(stats::studentFactor(31) == Approx(2.04227245630).epsilon(1e-9));
    CHECK(stats::studentFactor(101) == Approx(1.98397151852).epsilon(1e-9));
    CHECK(stats::studentFactor(1001) == Approx(1.96233908083).epsilon(1e-9));
    CHECK(stats::studentFactor(201) - stats::studentFactor(202) ==
          Approx(5.97e-5).epsilon(0.01));  // where the series ends
}
