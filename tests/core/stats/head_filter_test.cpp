#include "stats/head_filter.h"

#include "stats/metric_table.h"
#include "support/catch.h"

#include <limits>
#include <random>
#include <set>

using namespace hs;
using namespace std::string_literals;

namespace {

const HeadShape kShape{6, 8, 2};

bool matches(const std::string& text, HeadId head, const stats::HeadStats& stats = {})
{
    const Result<stats::HeadFilter> filter = stats::HeadFilter::parse(text, kShape);
    INFO(text);
    if (!filter)
        FAIL(filter.error().message);
    return filter->matches(head, stats);
}

std::set<HeadId> matching(const std::string& text)
{
    std::set<HeadId> heads;
    for (int index = 0; index < kShape.total(); ++index)
        if (matches(text, kShape.at(index)))
            heads.insert(kShape.at(index));
    return heads;
}

std::string problem(const std::string& text)
{
    const Result<stats::HeadFilter> filter = stats::HeadFilter::parse(text, kShape);
    INFO(text);
    REQUIRE_FALSE(filter.ok());
    CHECK(filter.error().code == ErrorCode::BadRequest);
    return filter.error().message;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an empty filter matches every head, of any shape")
{
    for (const char* const text : {"", " ", "\t\n "}) {
        CHECK(matches(text, {0, 0}));
        CHECK(matches(text, {99, 99}));
    }
}

TEST_CASE("a filter takes every pattern that a head list takes")
{
    CHECK(matching("L5H*").size() == 8);
    CHECK(matching("L*H3").size() == 6);
    CHECK(matching("L4-5H0-3").size() == 8);
    CHECK(matching("L2KV1") == std::set<HeadId>{{2, 4}, {2, 5}, {2, 6}, {2, 7}});
    CHECK(matching("l2h1, L2H3") == std::set<HeadId>{{2, 1}, {2, 3}});
    CHECK(matching("L*H*").size() == 48);
}

TEST_CASE("heads beyond the shape match nothing and are no error")
{
    for (const char* const text :
         {"L6H0", "L0H8", "L99-2000000000H*", "L0KV2", "L0KV2000000000", "L*H2147483647"})
        CHECK(matching(text).empty());
    CHECK(matching("L5-99H7-99") == std::set<HeadId>{{5, 7}});
    const Result<stats::HeadFilter> withoutModel = stats::HeadFilter::parse("L0H0 | L*KV*", {});
    REQUIRE(withoutModel.ok());
    CHECK_FALSE(withoutModel->matches({0, 0}, {}));
    CHECK_FALSE(matches("L*H*", {6, 0}));
    CHECK_FALSE(matches("L*H*", {-1, -1}));
}

TEST_CASE("every metric can be compared under its name, in any spelling")
{
    for (const stats::Metric& metric : stats::allMetrics()) {
        std::string shouted(metric.name);
        for (char& c : shouted)
            c = c == '_' ? '-' : static_cast<char>(std::toupper(c));
        CHECK(matches(std::string(metric.name) + " = 0", {}));
        CHECK(matches(shouted + "<1", {}));
        CHECK_FALSE(matches(shouted + ">0", {}));
    }
}

TEST_CASE("comparisons hold as in arithmetic, and never with NaN")
{
    stats::HeadStats stats;
    stats.peak = 0.5;
    stats.induction = std::numeric_limits<double>::quiet_NaN();
    const auto holds = [&](const std::string& text) { return matches(text, {}, stats); };
    CHECK((holds("peak<0.6") && !holds("peak<0.5") && holds("peak<=.5") && !holds("peak<=0.4")));
    CHECK((holds("peak>0.4") && !holds("peak>0.5") && holds("peak>=0.5") && !holds("peak>=5e3")));
    CHECK((holds("peak=0.5") && holds("peak == 5e-1") && holds("peak!=1") && !holds("peak != 0.5")));
    CHECK((holds("peak>-1") && holds("peak > +0.25")));
    for (const char* const sign : {"<", "<=", ">", ">=", "=", "!="})
        CHECK_FALSE(holds(std::string("induction") + sign + "0"));
    CHECK(holds("!(induction > 0)"));
}

TEST_CASE("not binds tighter than and, and tighter than or and comma")
{
    CHECK(matching("L0H0 | L1H* & L*H1") == std::set<HeadId>{{0, 0}, {1, 1}});
    CHECK(matching("L1H* & L*H1 | L0H0") == std::set<HeadId>{{0, 0}, {1, 1}});
    CHECK(matching("(L0H0 | L1H*) & L*H1") == std::set<HeadId>{{1, 1}});
    CHECK(matching("L0H0, L1H* & L*H1") == std::set<HeadId>{{0, 0}, {1, 1}});
    CHECK(matching("!L*H* | L0H0") == std::set<HeadId>{{0, 0}});
    CHECK(matching("! L1H* & L0-1H2") == std::set<HeadId>{{0, 2}});
    CHECK(matching("!!L0H0") == std::set<HeadId>{{0, 0}});
    CHECK(matching("NOT(L1-5H*) and not L*H1-7 or L3H3 || L3H4 && L3H*") ==
          std::set<HeadId>{{0, 0}, {3, 3}, {3, 4}});
}

TEST_CASE("an error names the place and what to write instead")
{
    CHECK(contains(problem("L0H0 & densty<1"), "\"densty\" at character 8"));
    for (const stats::Metric& metric : stats::allMetrics())
        CHECK(contains(problem("densty<1"), std::string(metric.name)));
    CHECK(contains(problem("density"), "character 8"));
    CHECK(contains(problem("density 0.1"), "density<0.5"));
    CHECK(contains(problem("density <"), "character 10"));
    CHECK(contains(problem("density < x"), "character 11"));
    CHECK(contains(problem("density < nan"), "number"));
    CHECK(contains(problem("density < 1e999"), "number"));
    CHECK(contains(problem("0.1 < density"), "character 1;"));
    CHECK(contains(problem("(L0H0"), "bracket at character 1 "));
    CHECK(contains(problem("L0H0)"), "character 5"));
    CHECK(contains(problem("(L0H0 L1H1)"), "character 7"));
    CHECK(contains(problem("L0H0 L1H1"), "character 6"));
    CHECK(contains(problem("L0H0 &"), "ends too early"));
    CHECK(contains(problem("L0H0,,L1H1"), "character 6"));
    CHECK(contains(problem("L3"), "\"L3\" at character 1 is not a head"));
    CHECK(contains(problem("L4-2H0"), "L4-6H0-3"));
    CHECK(contains(problem("\xC3\xA9\xC3\xA9 < 1"), "character 1"));
    CHECK(contains(problem("L0H0 \xE2\x89\xA4 \xE2\x89\xA4"), "character 6"));
    CHECK(problem(std::string(5000, 'x')).size() < 600);
}

TEST_CASE("hostile filters are refused and do no harm")
{
    CHECK(contains(problem(std::string(100'000, '(')), "brackets"));
    CHECK(contains(problem(std::string(100'000, '!')), "deep"));
    std::string nots;
    for (int count = 0; count < 30'000; ++count)
        nots += "not ";
    problem(nots);
    std::string wide = "L0H0";
    for (int count = 0; count < 50'000; ++count)
        wide += count % 2 ? "|L0H0" : "&L0H0";
    CHECK(matches(wide, {0, 0}));

    std::mt19937 random(7);
    const std::string alphabet = "LHKV0123456789*-_.,!&|()<>= densitypeak\0\xff\xe2\x82\n"s;
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (int length = static_cast<int>(random() % 12); length > 0; --length)
            text += round % 2 ? alphabet[random() % alphabet.size()] : static_cast<char>(random());
        const Result<stats::HeadFilter> filter = stats::HeadFilter::parse(text, kShape);
        if (filter)
            filter->matches({1, 2}, {});
        else
            CHECK(filter.error().code == ErrorCode::BadRequest);
    }
}

namespace {

/// A random filter as text, together with its truth for one head.
struct RandomFilter {
    std::mt19937& random;
    HeadId head;
    stats::HeadStats stats;

    int pick(int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); }

    std::pair<std::string, bool> leaf()
    {
        if (pick(2)) {
            const int layer = pick(kShape.layers + 1);
            const int first = pick(kShape.heads);
            const int last = first + pick(kShape.heads);
            return {"L" + std::to_string(layer) + "H" + std::to_string(first) + "-" + std::to_string(last),
                    head.layer == layer && head.head >= first && head.head <= last};
        }
        const stats::Metric metric =
            stats::allMetrics()[static_cast<std::size_t>(pick(static_cast<int>(stats::allMetrics().size())))];
        const double number = pick(5) / 4.0;
        const double value = metric.of(stats);
        const std::pair<const char*, bool> tests[] = {
            {"<", value < number},   {"<=", value <= number},  {">", value > number},
            {">=", value >= number}, {" = ", value == number}, {" != ", value < number || value > number}};
        const auto& [sign, holds] = tests[pick(6)];
        return {std::string(metric.name) + sign + std::to_string(number), holds};
    }

    /// Brackets only where precedence 0 (or), 1 (and), 2 (not) requires them.
    std::pair<std::string, bool> expression(int depth, int precedence)
    {
        const int kind = depth == 0 ? 3 : pick(4);
        if (kind == 3)
            return leaf();
        if (kind == 2) {
            const auto [text, holds] = expression(depth - 1, 2);
            return {(pick(2) ? "!" : "not ") + text, !holds};
        }
        const auto [left, leftHolds] = expression(depth - 1, kind);
        const auto [right, rightHolds] = expression(depth - 1, kind);
        static const char* const signs[2][4] = {{"|", " || ", " or ", ", "}, {"&", " && ", " and ", " AND "}};
        const std::string text = left + signs[kind][pick(4)] + right;
        const bool holds = kind == 1 ? leftHolds && rightHolds : leftHolds || rightHolds;
        return {kind < precedence ? "(" + text + ")" : text, holds};
    }
};

}  // namespace

TEST_CASE("random filters hold exactly where their parts, taken by hand, say so")
{
    std::mt19937 random(20);
    for (int round = 0; round < 3000; ++round) {
        RandomFilter made{random, kShape.at(static_cast<int>(random() % 48)), {}};
        made.stats.density = made.pick(5) / 4.0;
        made.stats.peak = made.pick(5) / 4.0;
        made.stats.entropy = made.pick(5) / 4.0;
        made.stats.induction = std::numeric_limits<double>::quiet_NaN();
        const auto [text, holds] = made.expression(5, 0);
        INFO(text);
        CHECK(matches(text, made.head, made.stats) == holds);
    }
}
