#include "fuzz/target.h"

#include "stats/head_filter.h"

#include <limits>

namespace hs::fuzz {
namespace {

constexpr HeadShape kShape{3, 4, 2};

stats::HeadStats statsOf(int head)
{
    stats::HeadStats stats;
    stats.peak = 0.25 * head;
    stats.density = head == 2 ? std::numeric_limits<double>::quiet_NaN() : 0.01 * head;
    return stats;
}

void check(std::string_view input)
{
    const auto filter = stats::HeadFilter::parse(input, kShape);
    if (!filter)
        return require(filter.error().code == ErrorCode::BadRequest, "a refusal is foreseen");
    const std::string text(input);
    const auto negated = stats::HeadFilter::parse("!(" + text + ")", kShape);  // may nest too deeply
    const auto spaced = stats::HeadFilter::parse(" " + text + "\t", kShape);
    require(spaced.ok(), "white space around a filter means nothing");
    for (int index = 0; index < kShape.total(); ++index) {
        const HeadId head = kShape.at(index);
        const stats::HeadStats stats = statsOf(head.head);
        const bool matches = filter->matches(head, stats);
        require(spaced->matches(head, stats) == matches, "white space around a filter means nothing");
        require(!negated || negated->matches(head, stats) != matches, "a negation is the opposite");
    }
}

const Target kTarget("head_filter", check);

}  // namespace
}  // namespace hs::fuzz
