#include "base/failure.h"
#include "support/catch.h"
#include "train/task_batches.h"

#include <map>
#include <set>

using namespace hs;

namespace {

train::TaskBatchOptions smallOptions()
{
    train::TaskBatchOptions options;
    options.rows = 32;
    options.heldOutPerTask = 20;
    return options;
}

std::vector<std::int64_t> rowTokens(const train::Batch& batch, int row)
{
    const auto begin = batch.tokens.begin() + std::ptrdiff_t{row} * batch.length;
    return {begin, begin + batch.lengths[static_cast<std::size_t>(row)]};
}

std::size_t cell(const train::Batch& batch, int row, int position)
{
    return static_cast<std::size_t>(row * batch.length + position);
}

/// Checks sizes, padding, and that weights match the number of answers in each row.
void checkLayout(const train::Batch& batch, float contextWeight)
{
    REQUIRE(batch.tokens.size() == cell(batch, batch.rows, 0));
    REQUIRE(batch.weights.size() == batch.tokens.size());
    REQUIRE(batch.lengths.size() == static_cast<std::size_t>(batch.rows));
    REQUIRE(batch.groups.size() == static_cast<std::size_t>(batch.rows));
    for (int row = 0; row < batch.rows; ++row) {
        const int length = batch.lengths[static_cast<std::size_t>(row)];
        int answers = 0;
        for (int position = 0; position < batch.length; ++position) {
            const float weight = batch.weights[cell(batch, row, position)];
            answers += weight == 1.0f;
            if (position < length - 1)
                REQUIRE((weight == 1.0f || weight == contextWeight));
            else
                REQUIRE(weight == 0.0f);
            if (position >= length)
                REQUIRE(batch.tokens[cell(batch, row, position)] == 0);
        }
        REQUIRE(answers > 0);
    }
}

std::string refusal(const train::TaskBatchOptions& options)
{
    const auto made = guarded([&] { return train::TaskBatches(options).training(0).rows; });
    return made ? "" : made.error().message;
}

}  // namespace

TEST_CASE("task batches have weights on what follows and none on padding")
{
    const train::TaskBatches batches(smallOptions());
    for (std::int64_t step = 0; step < 16; ++step)
        checkLayout(batches.training(step), 0.1f);
    for (const train::HeldOutBatch& held : batches.heldOut())
        checkLayout(held.batch, 0.1f);
}

TEST_CASE("a task batch follows from seed and step")
{
    train::TaskBatchOptions options = smallOptions();
    const train::TaskBatches batches(options);
    for (const std::int64_t step : {0, 7, 1000}) {
        CHECK(batches.training(step).tokens == train::TaskBatches(options).training(step).tokens);
        // After three rounds of eight the same tasks are in the same rows again.
        REQUIRE(batches.training(step).groups == batches.training(step + 24).groups);
        CHECK(batches.training(step).tokens != batches.training(step + 24).tokens);
    }
    options.seed = 1;
    const train::TaskBatches others(options);
    CHECK(others.training(0).tokens != batches.training(0).tokens);
    CHECK(others.heldOut()[0].batch.tokens == batches.heldOut()[0].batch.tokens);
}

TEST_CASE("tasks take turns in batches of any size")
{
    train::TaskBatchOptions options = smallOptions();
    options.rows = 4;
    const train::TaskBatches batches(options);
    REQUIRE(batches.groups().size() == static_cast<std::size_t>(train::kTaskCount));
    CHECK(batches.groups()[0] == "indirect objects");
    std::map<std::pair<int, std::int32_t>, int> counts;  // by length and task
    for (std::int64_t step = 0; step < 8 * 6; ++step) {
        const train::Batch batch = batches.training(step);
        for (const std::int32_t group : batch.groups)
            ++counts[{batch.length, group}];
    }
    for (std::int32_t task = 0; task < train::kTaskCount; ++task) {
        CHECK(counts[{train::kLongestPrompt, task}] == 28);
        CHECK(counts[{options.context, task}] == 1);
    }
}

TEST_CASE("every eighth task batch fills the context")
{
    train::TaskBatchOptions options = smallOptions();
    options.context = 100;
    const train::TaskBatches batches(options);
    for (std::int64_t step = 0; step < 24; ++step) {
        const train::Batch batch = batches.training(step);
        CHECK(batch.length == (step % 8 == 7 ? 100 : train::kLongestPrompt));
        CHECK(batch.rows == (step % 8 == 7 ? 8 : 32));
        if (step % 8 == 7)
            for (const std::int32_t length : batch.lengths)
                CHECK(length == 100);
    }
}

TEST_CASE("answers of held-out task batches stand in their rows")
{
    const train::TaskBatches batches(smallOptions());
    std::map<std::int32_t, int> rows;
    for (const train::HeldOutBatch& held : batches.heldOut()) {
        CHECK(held.batch.length == train::kLongestPrompt);
        std::set<std::size_t> predicted;
        for (const train::Answer& answer : held.answers) {
            const std::int64_t written = held.batch.tokens[cell(held.batch, answer.row, answer.position)];
            REQUIRE((written >= answer.first && written <= answer.last));
            predicted.insert(cell(held.batch, answer.row, answer.position - 1));
        }
        for (std::size_t at = 0; at < held.batch.weights.size(); ++at)
            REQUIRE((held.batch.weights[at] == 1.0f) == predicted.contains(at));
        for (const std::int32_t group : held.batch.groups)
            ++rows[group];
    }
    for (std::int32_t task = 0; task < train::kTaskCount; ++task)
        CHECK(rows[task] == 20);
}

TEST_CASE("task batches share no row with those held out")
{
    const train::TaskBatches batches(smallOptions());
    std::set<std::vector<std::int64_t>> held;
    for (const train::HeldOutBatch& batch : batches.heldOut())
        for (int row = 0; row < batch.batch.rows; ++row)
            held.insert(rowTokens(batch.batch, row));
    for (std::int64_t step = 0; step < 200; ++step) {
        const train::Batch batch = batches.training(step);
        for (int row = 0; row < batch.rows; ++row)
            REQUIRE_FALSE(held.contains(rowTokens(batch, row)));
    }
}

TEST_CASE("options that make no task batch are refused with the remedy")
{
    train::TaskBatchOptions options;
    options.context = 31;
    CHECK(refusal(options) == "Prompts of the tasks have up to 32 tokens, but rows have 31; raise --length, "
                              "or take a model with a longer context.");
    options.context = 32;
    CHECK(refusal(options).empty());
    options.rows = 0;
    CHECK(refusal(options) == "A batch needs at least one prompt; give a larger number.");
}
