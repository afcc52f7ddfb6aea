#include "stats/head_kind.h"

#include "stats/head_summary.h"
#include "support/catch.h"

#include <functional>
#include <numeric>

using namespace hs;

namespace {

std::vector<std::int64_t> differentTokens(int count)
{
    std::vector<std::int64_t> tokens(static_cast<std::size_t>(count));
    std::iota(tokens.begin(), tokens.end(), 10);
    return tokens;
}

struct Head {
    stats::HeadStats stats;
    std::optional<stats::HeadKind> kind;
};

/// A head whose pattern is given as weights, which are scaled so that every row sums to one.
Head headWith(const std::vector<std::int64_t>& tokens,
              const std::function<double(int query, int key)>& weight)
{
    const int length = static_cast<int>(tokens.size());
    std::vector<float> pattern(tokens.size() * tokens.size(), 0.0f);
    for (int query = 0; query < length; ++query) {
        double sum = 0;
        for (int key = 0; key <= query; ++key)
            sum += weight(query, key);
        for (int key = 0; key <= query && sum > 0; ++key)
            pattern[static_cast<std::size_t>(query * length + key)] =
                static_cast<float>(weight(query, key) / sum);
    }
    const stats::RepeatedTokens repeats(tokens);
    std::vector<std::uint8_t> tile(tokens.size() * tokens.size());
    Head head;
    const int side = std::min(length, 64);
    head.stats = stats::summarizeHead(pattern.data(), {repeats, length, side, 0.01},
                                      stats::causalCells(length), tile.data());
    head.kind = stats::kindOf(head.stats, {repeats, length, side}, tile.data());
    return head;
}

std::optional<stats::HeadKind> kindOf(const std::vector<std::int64_t>& tokens,
                                      const std::function<double(int query, int key)>& weight)
{
    return headWith(tokens, weight).kind;
}

}  // namespace

TEST_CASE("patterns of a kind are recognised at every length")
{
    const int length = GENERATE(12, 40, 200);
    const std::vector<std::int64_t> tokens = differentTokens(length);
    CHECK(kindOf(tokens, [](int, int key) { return key == 0 ? 20 : 0.1; }) == stats::HeadKind::Sink);
    CHECK(kindOf(tokens, [](int query, int key) { return key == query - 1 ? 50 : 0.1; }) ==
          stats::HeadKind::PreviousToken);
    CHECK(kindOf(tokens, [](int query, int key) { return key == query ? 50 : 0.01; }) ==
          stats::HeadKind::Local);
    CHECK(kindOf(tokens, [](int query, int key) { return query - key < 3 ? 1 : 0; }) ==
          stats::HeadKind::Local);
    CHECK(kindOf(tokens, [](int, int) { return 1; }) == stats::HeadKind::Broad);
    // One key in the middle of the prompt: neither near nor spread nor the first.
    CHECK(kindOf(tokens, [&](int query, int key) {
              return key == length / 4 ? 50 : key == query ? 1 : 0;
          }) == stats::HeadKind::Mixed);
}

TEST_CASE("what a head does beside the first token decides its kind up to half of its weight")
{
    const std::vector<std::int64_t> tokens = differentTokens(40);
    const auto local = [](double first) {
        return [first](int query, int key) {
            return key == 0 ? first : query - key < 2 ? (1 - first) / 2 : 0;
        };
    };
    CHECK(kindOf(tokens, local(0.4)) == stats::HeadKind::Local);
    CHECK(kindOf(tokens, local(0.6)) == stats::HeadKind::Sink);
}

TEST_CASE("induction is seen where the prompt repeats itself, and nowhere else")
{
    std::vector<std::int64_t> tokens = differentTokens(12);
    const std::vector<std::int64_t> once = tokens;
    tokens.insert(tokens.end(), once.begin(), once.end());
    // On the second half, the token after the earlier copy; otherwise the first one.
    const auto follows = [](int query, int key) {
        return query < 12 ? (key == 0 ? 1.0 : 0.0) : (key == query - 11 ? 1.0 : 0.1);
    };
    CHECK(kindOf(tokens, follows) == stats::HeadKind::Induction);
    CHECK(stats::canShowInduction(std::vector{headWith(tokens, follows).stats}));

    const Head unseen = headWith(once, follows);
    CHECK_FALSE(stats::canShowInduction(std::vector{unseen.stats}));
    CHECK(unseen.kind == stats::HeadKind::Sink);
}

TEST_CASE("a head that always looks at one word is not an induction head where that word follows a copy")
{
    std::vector<std::int64_t> tokens = differentTokens(14);
    tokens[10] = tokens[4];
    const Head head = headWith(tokens, [](int query, int key) { return key == (query < 5 ? 0 : 5) ? 1 : 0; });
    CHECK(head.stats.induction > 0.9);
    CHECK(head.kind == stats::HeadKind::Mixed);
}

TEST_CASE("a previous-token head is not an induction head where tokens alternate")
{
    std::vector<std::int64_t> tokens;
    for (int index = 0; index < 20; ++index)
        tokens.push_back(index % 2 == 0 && index < 4 ? 5 : 100 + index);
    const auto before = [](int query, int key) { return key == query - 1 ? 30 : 0.1; };
    CHECK(headWith(tokens, before).stats.induction > 0.5);
    CHECK(kindOf(tokens, before) == stats::HeadKind::PreviousToken);
}

TEST_CASE("a head that looks nowhere has no kind, nor has one with nothing to choose from")
{
    CHECK_FALSE(kindOf(differentTokens(8), [](int, int) { return 0; }));
    CHECK_FALSE(kindOf({7}, [](int, int) { return 1; }));
}
