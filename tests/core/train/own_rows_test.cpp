#include "train/own_rows.h"

#include "base/failure.h"
#include "support/catch.h"
#include "support/models.h"

#include <algorithm>
#include <set>

using namespace hs;

namespace {

constexpr int kRowLength = 10;

std::shared_ptr<const train::Sampler> someSampler()
{
    return std::make_shared<const train::Sampler>(test::openGolden("gpt2"), model::DType::F32);
}

train::OwnRowOptions fresh(bool losesFirst = false)
{
    train::OwnRowOptions options;
    options.length = kRowLength;
    options.firstToken = 3;
    options.losesFirst = losesFirst;
    options.heldOutRows = 5;
    options.seed = 1;
    options.name = "own samples";
    return options;
}

train::OwnRows rowsOf(const train::OwnRowOptions& options, const Hooks& hooks = {})
{
    return {someSampler(), options, hooks};
}

using Row = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("rows of own samples begin with the first token, or have lost it and are as long")
{
    for (const bool losesFirst : {false, true}) {
        train::OwnRows rows = rowsOf(fresh(losesFirst));
        rows.prepare(0, 40);
        int begin = 0;
        for (std::int64_t row = 0; row < 40; ++row) {
            REQUIRE(rows.training(row).size() == kRowLength);
            begin += rows.training(row).front() == 3;
        }
        for (std::int64_t row = 0; row < rows.heldOutRows(); ++row)
            REQUIRE(rows.heldOut(row).size() == kRowLength);
        CHECK((begin == 40) == !losesFirst);
    }
}

TEST_CASE("a row that lost its first token is one shorter where the model reads no more")
{
    const std::shared_ptr<const train::Sampler> sampler = someSampler();
    train::OwnRowOptions options = fresh(/*losesFirst=*/true);
    options.length = sampler->spec().context;
    train::OwnRows rows(sampler, options, {});
    rows.prepare(0, 1);
    CHECK(rows.training(0).size() == static_cast<std::size_t>(options.length - 1));
}

TEST_CASE("no fresh row is seen twice, nor one that is held out, with two rounds in memory")
{
    train::OwnRowOptions options = fresh();
    options.length = 30;  // so that none comes again by chance
    train::OwnRows rows = rowsOf(options);
    std::set<Row> seen;
    for (std::int64_t row = 0; row < rows.heldOutRows(); ++row)
        seen.insert(rows.heldOut(row));
    for (std::int64_t first = 0; first < 300; first += 6) {
        rows.prepare(first, first + 6);
        CHECK(rows.roundsInMemory() <= 2);
        for (std::int64_t row = first; row < first + 6; ++row)
            seen.insert(rows.training(row));
    }
    CHECK(seen.size() == 300u + 5u);
}

TEST_CASE("rows drawn after a resumption are those that would have come")
{
    train::OwnRowOptions options = fresh();
    options.rows = GENERATE(0, 50);
    train::OwnRows whole = rowsOf(options);
    train::OwnRows resumed = rowsOf(options);
    std::vector<Row> expected;
    for (std::int64_t first = 0; first < 200; first += 4) {
        whole.prepare(first, first + 4);
        for (std::int64_t row = first; row < first + 4; ++row)
            expected.push_back(whole.training(row));
    }
    for (std::int64_t first = 132; first < 200; first += 4) {
        resumed.prepare(first, first + 4);
        for (std::int64_t row = first; row < first + 4; ++row)
            REQUIRE(resumed.training(row) == expected[static_cast<std::size_t>(row)]);
    }
    for (std::int64_t row = 0; row < whole.heldOutRows(); ++row)
        CHECK(whole.heldOut(row) == resumed.heldOut(row));
}

TEST_CASE("where the number of own samples is given, each comes once before any comes again")
{
    train::OwnRowOptions options = fresh();
    options.rows = 150;  // more than a round
    train::OwnRows rows = rowsOf(options);
    std::vector<Row> seen;
    for (std::int64_t row = 0; row < 300; ++row) {
        rows.prepare(row, row + 1);
        seen.push_back(rows.training(row));
    }
    const std::set<Row> first(seen.begin(), seen.begin() + 150);
    const std::set<Row> second(seen.begin() + 150, seen.end());
    CHECK(first.size() > 140);  // some are equal by chance
    CHECK(first == second);
    CHECK_FALSE(std::equal(seen.begin(), seen.begin() + 150, seen.begin() + 150));
}

TEST_CASE("a stop request ends a round that is being drawn, without an error")
{
    std::stop_source stop;
    bool isReady = false;
    int reports = 0;
    Hooks hooks;
    hooks.stop = stop.get_token();
    hooks.progress = [&](int, int) {
        reports += isReady;
        if (reports == 3)
            stop.request_stop();
    };
    train::OwnRows rows = rowsOf(fresh(), hooks);
    isReady = true;
    rows.prepare(0, 4);
    CHECK(reports == 3);
    CHECK(rows.roundsInMemory() == 0);
    CHECK_THROWS_AS(rows.training(0), Failure);
}

TEST_CASE("more own samples than memory holds are refused before the first is drawn")
{
    train::OwnRowOptions options = fresh();
    options.rows = 1'000'000'000'000;
    const auto made = guarded([&] { return rowsOf(options).heldOutRows(); });
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().message.find("smaller --self") != std::string::npos);
}

TEST_CASE("longer held-out rows of own samples go on where the others end")
{
    for (const bool losesFirst : {false, true}) {
        const train::OwnRows rows = rowsOf(fresh(losesFirst));
        const std::vector<Row> longer = rows.longerHeldOut(20);
        REQUIRE(longer.size() == 2);  // about as many tokens in all
        for (std::size_t row = 0; row < longer.size(); ++row) {
            REQUIRE(longer[row].size() == 20);
            const Row begin(longer[row].begin(), longer[row].begin() + kRowLength);
            CHECK(begin == rows.heldOut(static_cast<std::int64_t>(row)));
        }
    }
}
