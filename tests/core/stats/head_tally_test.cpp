#include "stats/head_tally.h"

#include "support/catch.h"

#include <functional>
#include <numeric>

using namespace hs;
using stats::HeadTally;

namespace {

using Tokens = std::vector<std::int64_t>;
using Weight = std::function<double(int query, int key)>;

/// A pattern whose rows sum to one.
std::vector<float> patternOf(int length, const Weight& weight)
{
    std::vector<float> pattern(static_cast<std::size_t>(length * length));
    for (int query = 0; query < length; ++query) {
        double sum = 0;
        for (int key = 0; key <= query; ++key)
            sum += weight(query, key);
        for (int key = 0; key <= query; ++key)
            pattern[static_cast<std::size_t>(query * length + key)] =
                static_cast<float>(weight(query, key) / sum);
    }
    return pattern;
}

/// Adds rows to a tally, numbered from 0.
void addRows(HeadTally& tally, stats::CorpusTokens& corpus, const std::vector<Tokens>& rows,
             const Weight& weight, double scale = 1)
{
    int number = static_cast<int>(tally.counts().rows);
    for (const Tokens& tokens : rows) {
        std::vector<float> pattern = patternOf(static_cast<int>(tokens.size()), weight);
        for (float& cell : pattern)
            cell = static_cast<float>(cell * scale);
        const stats::RepeatedTokens repeats(tokens);
        std::vector<std::uint8_t> tile(tokens.size() * tokens.size());
        const stats::SummaryRules rules{repeats, static_cast<int>(tokens.size()), 64, 0.01};
        const stats::HeadStats head = stats::summarizeHead(
            pattern.data(), rules, stats::causalCells(static_cast<std::int64_t>(tokens.size())), tile.data());
        const std::vector<std::size_t> numbers = corpus.add(tokens);
        tally.add({number++, tokens, numbers, repeats, rules.tileRows()}, pattern.data(), head, tile.data());
    }
}

double sumOf(const stats::AttentionShares& shares)
{
    return shares.first + shares.current + shares.previous + shares.afterCopy + shares.elsewhere +
           shares.nowhere;
}

double previousOnly(int query, int key)
{
    return key == query - 1 || query == 0 ? 1 : 1e-9;
}

}  // namespace

TEST_CASE("a head's shares say where its weight goes, each cell once, and add up to one")
{
    const Tokens tokens = {9, 1, 2, 3, 4, 1, 2, 3, 4, 5};
    stats::CorpusTokens corpus;

    HeadTally previous(2);
    addRows(previous, corpus, {tokens}, previousOnly);
    // The second query's token before is the first one of the row.
    CHECK(previous.shares().previous == Approx(8 / 9.0).epsilon(1e-6));
    CHECK(previous.shares().first == Approx(1 / 9.0).epsilon(1e-6));
    CHECK(sumOf(previous.shares()) == Approx(1));

    HeadTally induction(2);
    addRows(induction, corpus, {tokens}, [&](int query, int key) {
        const bool isAfterCopy =
            key > 0 && key < query &&
            tokens[static_cast<std::size_t>(key) - 1] == tokens[static_cast<std::size_t>(query)];
        return isAfterCopy ? 1e6 : key == 0 ? 1 : 1e-9;
    });
    CHECK(induction.shares().afterCopy == Approx(4 / 9.0).epsilon(1e-4));
    CHECK(induction.shares().first == Approx(5 / 9.0).epsilon(1e-4));
    CHECK(induction.scores().induction == Approx(1).epsilon(1e-4));

    HeadTally gated(2);  // half of everything is closed
    addRows(gated, corpus, {tokens, tokens}, [](int, int) { return 1.0; }, 0.5);
    CHECK(gated.shares().nowhere == Approx(0.5));
    CHECK(sumOf(gated.shares()) == Approx(1));
    CHECK(gated.shares().current ==
          Approx(0.5 *
                 (1 / 2.0 + 1 / 3.0 + 1 / 4.0 + 1 / 5.0 + 1 / 6.0 + 1 / 7.0 + 1 / 8.0 + 1 / 9.0 + 1 / 10.0) /
                 9));
}

TEST_CASE("weights by distance and by token are all of a head's weight")
{
    Tokens tokens(40);
    std::iota(tokens.begin(), tokens.end(), 100);
    stats::CorpusTokens corpus;
    HeadTally tally(2);
    addRows(tally, corpus, {tokens, {7, 7, 8}}, [](int, int) { return 1.0; });
    const std::span<const double> byDistance = tally.byDistance();
    CHECK(std::accumulate(byDistance.begin(), byDistance.end(), 0.0) == Approx(43));
    CHECK(byDistance[0] == Approx(43 * tally.scores().self));
    CHECK(byDistance[1] == Approx(41 * tally.scores().previous));
    const double first = 41 * tally.shares().first + 2;  // and the two first queries
    CHECK(std::accumulate(tally.asKey().begin(), tally.asKey().end(), 0.0) == Approx(43 - first));
    CHECK(std::accumulate(tally.asQuery().begin(), tally.asQuery().end(), 0.0) == Approx(43 - first));
    CHECK(corpus.size() == 42);
    CHECK(corpus.count(40) == 2);
    CHECK(corpus.token(40) == 7);
}

TEST_CASE("examples are the rows with the largest weights, no two with the same query and key")
{
    stats::CorpusTokens corpus;
    HeadTally tally(2);
    const auto strong = [](double share) {
        return [share](int query, int key) {
            return query == 2 && key == 1 ? share : query == 2 ? 1 - share : 1;
        };
    };
    // Weights of the cell are share / (share + 2 (1 - share)).
    addRows(tally, corpus, {{1, 2, 3}}, strong(0.5));
    addRows(tally, corpus, {{1, 4, 5}}, strong(0.7));
    addRows(tally, corpus, {{1, 2, 3}}, strong(0.9));
    addRows(tally, corpus, {{1, 6, 7}}, strong(0.8));
    addRows(tally, corpus, {{1, 2, 3}}, strong(0.9));
    REQUIRE(tally.examples().size() == 2);
    CHECK(tally.examples()[0].row == 2);
    CHECK(tally.examples()[0].most.query == 2);
    CHECK(tally.examples()[0].most.key == 1);
    CHECK(tally.examples()[0].most.weight == Approx(0.9 / 1.1));
    CHECK(tally.examples()[1].row == 3);
    CHECK(tally.examples()[1].tokens == Tokens{1, 6, 7});
    const std::span<const std::int64_t> byLevel = tally.byLevel();
    CHECK(std::accumulate(byLevel.begin(), byLevel.end(), std::int64_t{0}) == 5);
}

TEST_CASE("tokens that an ablation changes are those with the largest changes")
{
    HeadTally tally(2);
    const Tokens tokens = {1, 2, 3, 4, 5};
    const stats::RepeatedTokens repeats(tokens);
    const std::vector<std::size_t> numbers(5);
    tally.addAblation({4, tokens, numbers, repeats, 5}, std::vector<double>{1, 2, 3, 4},
                      std::vector<double>{1.5, 1, 5, 4.25});
    CHECK(tally.ablation().estimate().mean == Approx((0.5 - 1 + 2 + 0.25) / 4));
    REQUIRE(tally.harmed().size() == 2);
    CHECK(tally.harmed()[0].position == 3);
    CHECK(tally.harmed()[0].change == Approx(2));
    CHECK(tally.harmed()[0].loss == Approx(3));
    CHECK(tally.harmed()[0].context == Tokens{1, 2, 3, 4});
    CHECK(tally.harmed()[1].position == 1);
    REQUIRE(tally.helped().size() == 1);
    CHECK(tally.helped()[0].position == 2);
}

TEST_CASE("a tally that was written and read goes on with the same bits")
{
    const std::vector<Tokens> rows = {{1, 2, 3, 1, 2}, {3, 4}, {5, 5, 5, 6}};
    const auto weight = [](int query, int key) { return 1.0 / (1 + (query * 7 + key * 3) % 5); };
    stats::CorpusTokens whole, part;
    HeadTally all(2), begun(2);
    addRows(all, whole, rows, weight);
    addRows(begun, part, {rows[0]}, weight);
    const Json corpus = Json::from_cbor(Json::to_cbor(part.toJson()));
    const Json tally = Json::from_cbor(Json::to_cbor(begun.toJson()));
    stats::CorpusTokens resumed = stats::CorpusTokens::from(JsonReader(corpus, "corpus", "begin again"));
    HeadTally rest = HeadTally::from(JsonReader(tally, "tally", "begin again"), 2);
    addRows(rest, resumed, {rows[1], rows[2]}, weight);
    CHECK(Json::to_cbor(rest.toJson()) == Json::to_cbor(all.toJson()));
    CHECK(Json::to_cbor(resumed.toJson()) == Json::to_cbor(whole.toJson()));
}
