#include "train/row_batches.h"

#include "base/failure.h"
#include "support/catch.h"

using namespace hs;

namespace {

/// Rows of one kind, with its number and theirs in them, some shorter than others.
class NumberedRows : public train::RowSource {
public:
    NumberedRows(int kind, std::int64_t heldOut, std::vector<std::pair<std::int64_t, std::int64_t>>* prepared)
        : m_kind(kind), m_heldOut(heldOut), m_prepared(prepared)
    {
    }

    std::string name() const override { return "kind " + std::to_string(m_kind); }
    void prepare(std::int64_t first, std::int64_t end) override { m_prepared->emplace_back(first, end); }
    std::vector<std::int64_t> training(std::int64_t row) const override
    {
        return m_kind == 1 ? std::vector<std::int64_t>{m_kind, row, 7}
                           : std::vector<std::int64_t>{m_kind, row, 7, 8};
    }
    std::int64_t heldOutRows() const override { return m_heldOut; }
    std::vector<std::int64_t> heldOut(std::int64_t row) const override { return {m_kind, 100 + row, 7, 8}; }
    std::int64_t rowsPerRound() const override { return 5 * m_kind; }
    std::vector<std::vector<std::int64_t>> longerHeldOut(int length) const override
    {
        return {static_cast<std::size_t>(m_kind),
                std::vector<std::int64_t>(static_cast<std::size_t>(length), m_kind)};
    }

private:
    int m_kind;
    std::int64_t m_heldOut;
    std::vector<std::pair<std::int64_t, std::int64_t>>* m_prepared;
};

struct ThreeKinds {
    std::vector<std::pair<std::int64_t, std::int64_t>> prepared[3];

    train::RowBatches batches(int rows)
    {
        std::vector<std::unique_ptr<train::RowSource>> kinds;
        for (int kind = 0; kind < 3; ++kind)
            kinds.push_back(std::make_unique<NumberedRows>(kind, 2 + kind, &prepared[kind]));
        return {std::move(kinds), rows, 4};
    }
};

}  // namespace

TEST_CASE("kinds of rows take turns over steps, and each row comes once")
{
    for (const int rows : {1, 2, 3, 4, 7}) {
        ThreeKinds three;
        const train::RowBatches batches = three.batches(rows);
        std::vector<std::int64_t> next(3, 0);
        std::int64_t number = 0;
        for (std::int64_t step = 0; step < 30; ++step) {
            const train::Batch batch = batches.training(step);
            REQUIRE(batch.rows == rows);
            REQUIRE(batch.tokens.size() == static_cast<std::size_t>(rows) * 4);
            for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
                const int kind = batch.groups[row];
                REQUIRE(kind == number++ % 3);
                REQUIRE(batch.tokens[row * 4] == kind);
                REQUIRE(batch.tokens[row * 4 + 1] == next[kind]++);
            }
        }
    }
}

TEST_CASE("just the rows of a step are prepared for it")
{
    for (const int rows : {1, 2, 3, 4, 7}) {
        ThreeKinds three;
        train::RowBatches batches = three.batches(rows);
        for (std::int64_t step = 0; step < 20; ++step) {
            batches.prepare(step);
            const train::Batch batch = batches.training(step);
            for (int kind = 0; kind < 3; ++kind) {
                const auto [first, end] = three.prepared[kind].back();
                std::int64_t expected = first;
                for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
                    if (batch.groups[row] == kind)
                        REQUIRE(batch.tokens[row * 4 + 1] == expected++);
                REQUIRE(expected == end);
            }
        }
    }
}

TEST_CASE("every token of a row but the first is to be predicted, and padding is not")
{
    ThreeKinds three;
    const train::Batch batch = three.batches(3).training(0);
    CHECK(batch.lengths == std::vector<std::int32_t>{4, 3, 4});
    CHECK(batch.weights == std::vector<float>{1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 0});
    CHECK(batch.tokens[7] == 0);
}

TEST_CASE("held-out rows of all kinds come in batches of the usual size")
{
    ThreeKinds three;
    const std::vector<train::HeldOutBatch> held = three.batches(4).heldOut();
    REQUIRE(held.size() == 3);
    CHECK(held[0].batch.groups == std::vector<std::int32_t>{0, 0, 1, 1});
    CHECK(held[1].batch.groups == std::vector<std::int32_t>{1, 2, 2, 2});
    CHECK(held[2].batch.groups == std::vector<std::int32_t>{2});
    CHECK(held[2].batch.tokens == std::vector<std::int64_t>{2, 103, 7, 8});
    CHECK(held[0].answers.empty());
}

TEST_CASE("longer held-out rows come in batches of about as many tokens")
{
    ThreeKinds three;
    const std::vector<train::HeldOutBatch> held = three.batches(4).longerHeldOut(8);
    REQUIRE(held.size() == 2);
    CHECK(held[0].batch.groups == std::vector<std::int32_t>{1, 2});
    CHECK(held[1].batch.groups == std::vector<std::int32_t>{2});
    CHECK(held[1].batch.length == 8);
    CHECK(held[1].batch.tokens == std::vector<std::int64_t>(8, 2));
}

TEST_CASE("a round lasts until the first kind runs out of rows")
{
    ThreeKinds three;
    CHECK(three.batches(3).stepsPerRound() == 5);
    CHECK(three.batches(100).stepsPerRound() == 1);
}

TEST_CASE("the groups of a batch are its kinds")
{
    ThreeKinds three;
    CHECK(three.batches(1).groups() == std::vector<std::string>{"kind 0", "kind 1", "kind 2"});
    CHECK_THROWS_AS(three.batches(0), Failure);
}
