#include "engine/request/gate_choice.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "train/model_measure.h"
#include "train/passages.h"

#include <algorithm>
#include <numeric>

using namespace hs;

namespace {

constexpr double kBias = 0.1;

/// Tokens that repeat nothing for a while.
train::MeasuredText textOf(std::int64_t vocabulary, int count, std::int64_t document = 0)
{
    train::MeasuredText text;
    text.document = document;
    for (int at = 0; at < count; ++at)
        text.tokens.push_back(static_cast<std::int32_t>((7 * at + at * at / 5) % vocabulary));
    return text;
}

engine::RunResult runOf(const std::shared_ptr<const engine::Model>& model, const train::Batch& batch, int row,
                        std::optional<double> bias)
{
    engine::RunRequest request;
    request.model = model;
    if (bias)
        request.gate = engine::ScoreGate{*bias};
    const auto begin = batch.tokens.begin() + std::ptrdiff_t{row} * batch.length;
    request.tokens.assign(begin, begin + batch.length);
    return test::value(engine::Engine().run(request));
}

}  // namespace

TEST_CASE("a pair's measures are means over runs of the passages")
{
    for (const std::string name : {"gpt2", "llama-grouped", "qwen3"}) {
        INFO(name);
        const auto model = test::openGolden(name);
        const train::HeldOutBatch held =
            train::passagesOf(textOf(model->spec().vocabulary, 90), 12, 5, std::int64_t{2});
        const train::PairMeasure both =
            test::value(train::measurePair({*model, std::nullopt}, {*model, kBias}, {held}));
        const int heads = both.dense.heads;
        double dense = 0, sparse = 0, density = 0, active = 0;
        int most = 0;
        std::vector<double> byHead(static_cast<std::size_t>(heads));
        std::vector<bool> isUsed(static_cast<std::size_t>(heads));
        for (int row = 0; row < held.batch.rows; ++row) {
            dense += *runOf(model, held.batch, row, {}).loss / held.batch.rows;
            const engine::RunResult gated = runOf(model, held.batch, row, kBias);
            sparse += *gated.loss / held.batch.rows;
            density += gated.density / held.batch.rows;
            int used = 0;
            for (int head = 0; head < heads; ++head) {
                const double own = gated.stats[static_cast<std::size_t>(head)].density;
                byHead[static_cast<std::size_t>(head)] += own / held.batch.rows;
                used += own > 0;
                if (own > 0)
                    isUsed[static_cast<std::size_t>(head)] = true;
            }
            active += static_cast<double>(used) / held.batch.rows;
            most = std::max(most, used);
        }
        CHECK(both.dense.crossEntropy == Approx(dense).epsilon(1e-5));
        CHECK(both.sparse.crossEntropy == Approx(sparse).epsilon(1e-5));
        CHECK(both.dense.density == 1);
        CHECK(both.sparse.density == Approx(density));
        CHECK(density < 1);
        REQUIRE(both.sparse.headDensity.size() == byHead.size());
        for (std::size_t head = 0; head < byHead.size(); ++head)
            CHECK(both.sparse.headDensity[head] == Approx(byHead[head]).margin(1e-12));
        CHECK(both.sparse.meanHeadsActive == Approx(active));
        CHECK(both.sparse.mostHeadsActive == most);
        CHECK(both.sparse.headsEverActive == std::count(isUsed.begin(), isUsed.end(), true));
        CHECK(both.sparse.divergence > 0);
        CHECK(both.sparse.groups.front().agreement < 1);
    }
}

TEST_CASE("a model compared with itself agrees everywhere at no divergence")
{
    const auto model = test::openGolden("llama-grouped");
    const train::HeldOutBatch held = train::passagesOf(textOf(model->spec().vocabulary, 60), 10, 4, {});
    for (const std::optional<double> bias : {std::optional<double>(), std::optional<double>(kBias)}) {
        const train::PairMeasure both =
            test::value(train::measurePair({*model, bias}, {*model, bias}, {held}));
        CHECK(both.sparse.divergence == Approx(0).margin(1e-6));
        CHECK(both.sparse.groups.front().agreement == 1);
        CHECK(both.sparse.crossEntropy == both.dense.crossEntropy);
        CHECK(both.sparse.headDensity == both.dense.headDensity);
    }
    // The other way round the models change places; the divergence is another one.
    const auto there = test::value(train::measurePair({*model, std::nullopt}, {*model, kBias}, {held}));
    const auto back = test::value(train::measurePair({*model, kBias}, {*model, std::nullopt}, {held}));
    CHECK(there.dense.crossEntropy == back.sparse.crossEntropy);
    CHECK(there.sparse.headDensity == back.dense.headDensity);
    CHECK(there.sparse.groups.front().agreement == back.sparse.groups.front().agreement);
    CHECK(there.sparse.divergence != back.sparse.divergence);
}

TEST_CASE("passages of a running text share no token, and have the first token in front where it is wanted")
{
    train::MeasuredText text;
    text.tokens.resize(1000);
    std::iota(text.tokens.begin(), text.tokens.end(), 10);
    for (const int length : {16, 64, 256}) {
        const train::Batch plain = train::passagesOf(text, length, 8, {}).batch;
        const train::Batch begun = train::passagesOf(text, length, 8, std::int64_t{1}).batch;
        CHECK(plain.rows == std::min(8, 1000 / length));
        REQUIRE(plain.length == length);
        REQUIRE(begun.length == length);
        for (int row = 0; row < plain.rows; ++row) {
            const std::int64_t* const tokens = plain.tokens.data() + row * length;
            CHECK(tokens[length - 1] == tokens[0] + length - 1);
            if (row > 0)
                CHECK(tokens[0] > tokens[-1]);
            CHECK(begun.tokens[static_cast<std::size_t>(row) * length] == 1);
            CHECK(plain.weights[(static_cast<std::size_t>(row) + 1) * length - 1] == 0);
        }
    }
    CHECK(train::passagesOf(text, 900, 8, {}).batch.rows == 1);
}

TEST_CASE("passages of documents are their beginnings, whatever the length")
{
    const train::MeasuredText text = textOf(500, 4 * 30, 30);
    for (const int length : {5, 16, 31}) {
        const train::Batch begun = train::passagesOf(text, length, 4, std::int64_t{9}).batch;
        REQUIRE(begun.rows == 4);
        REQUIRE(begun.length == length);
        for (int row = 0; row < 4; ++row)
            CHECK(std::equal(begun.tokens.begin() + row * length + 1,
                             begun.tokens.begin() + (row + 1) * length, text.tokens.begin() + row * 30));
    }
    CHECK(train::passagesOf(text, 31, 4, {}).batch.length == 30);
    CHECK(train::passageLengths(text, 1000, true) == std::vector{16});
    CHECK(train::passageLengths(textOf(500, 2000), 300, false) == std::vector{16, 64, 256});
    CHECK(train::passageLengths(textOf(500, 2000), 9, false) == std::vector{9});
    CHECK_THROWS_AS(train::passageLengths(textOf(500, 1), 100, true), Failure);
}
