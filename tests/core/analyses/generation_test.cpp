#include "analyses/generation.h"

#include "engine/load/model_loader.h"
#include "support/catch.h"
#include "support/models.h"

#include <algorithm>

using namespace hs;

namespace {

analyses::GenerationRequest requestOf(const std::string& golden, int count)
{
    analyses::GenerationRequest request;
    request.run.model = test::openGolden(golden);
    request.run.tokens = {1, 5, 9, 2};
    request.run.capture.loss = false;
    request.count = count;
    return request;
}

std::vector<std::int64_t> idsOf(const analyses::Generation& generation)
{
    std::vector<std::int64_t> ids;
    for (const analyses::GeneratedToken& step : generation.tokens)
        ids.push_back(step.token.token);
    return ids;
}

}  // namespace

TEST_CASE("a greedy continuation is the most probable token of the whole text, again and again")
{
    const std::string name = GENERATE("gpt2", "llama-grouped", "mistral-window", "gemma2");
    analyses::GenerationRequest request = requestOf(name, 8);
    request.run.ablations[{0, 0}] = {engine::HeadAblation::Kind::Zero, {}};
    request.run.ablations[{1, 1}] = {engine::HeadAblation::Kind::Mean, {}};
    request.ablateFrom = 3;
    const analyses::Generation generation = test::value(analyses::generate(request));
    REQUIRE(generation.tokens.size() == 8);
    engine::Engine engine;
    engine::RunRequest whole = request.run;
    for (int step = 0; step < 8; ++step) {
        INFO(name << ", step " << step);
        whole.ablations = step < 3 ? engine::Ablations() : request.run.ablations;
        const std::vector<engine::Prediction> expected = test::value(engine.run(whole)).predictions;
        const analyses::GeneratedToken& given = generation.tokens[static_cast<std::size_t>(step)];
        CHECK(given.token.token == expected[0].token);
        CHECK(given.token.probability == Approx(expected[0].probability).epsilon(1e-5));
        REQUIRE(given.runnersUp.size() == 5);
        for (std::size_t rank = 0; rank < 5; ++rank)
            CHECK(given.runnersUp[rank].token == expected[rank + 1].token);
        whole.tokens.push_back(given.token.token);
    }
}

TEST_CASE("the same seed writes the same text, another one another")
{
    analyses::GenerationRequest request = requestOf("llama-tied", 24);
    request.temperature = 1.5;
    const std::vector<std::int64_t> first = idsOf(test::value(analyses::generate(request)));
    CHECK(idsOf(test::value(analyses::generate(request))) == first);
    request.seed = 2;
    CHECK(idsOf(test::value(analyses::generate(request))) != first);
    request.topK = 1;
    const std::vector<std::int64_t> onlyOne = idsOf(test::value(analyses::generate(request)));
    request.temperature = 0;
    request.topK = 0;
    CHECK(idsOf(test::value(analyses::generate(request))) == onlyOne);
}

TEST_CASE("drawn tokens are among the most probable, and never their own runners-up")
{
    analyses::GenerationRequest request = requestOf("qwen2", 16);
    request.temperature = 3;
    request.topK = 3;
    for (const analyses::GeneratedToken& step : test::value(analyses::generate(request)).tokens) {
        const auto better = std::ranges::count_if(step.runnersUp, [&](const engine::Prediction& other) {
            return other.probability > step.token.probability;
        });
        CHECK(better < 3);
        CHECK(std::ranges::find(step.runnersUp, step.token.token, &engine::Prediction::token) ==
              step.runnersUp.end());
    }
}

TEST_CASE("a text stops at an end token, where its listener has enough, or where the model reads no more")
{
    analyses::GenerationRequest request = requestOf("gpt2", 12);
    request.temperature = 2;
    const std::vector<std::int64_t> ids = idsOf(test::value(analyses::generate(request)));
    REQUIRE(ids.size() == 12);
    request.endTokens = {ids[4]};
    const analyses::Generation ended = test::value(analyses::generate(request));
    CHECK(ended.end == analyses::GenerationEnd::EndToken);
    const auto firstEnd = std::ranges::find(ids, ids[4]) - ids.begin();
    CHECK(idsOf(ended) == std::vector(ids.begin(), ids.begin() + firstEnd + 1));

    request.endTokens.clear();
    int heard = 0;
    const analyses::Generation stopped =
        test::value(analyses::generate(request, {}, [&](const auto&, const engine::RunResult& run) {
            CHECK(run.tokens.size() == 4 + static_cast<std::size_t>(heard));
            CHECK(run.tiles.size() == static_cast<std::size_t>(run.heads.layers));
            return ++heard < 3;
        }));
    CHECK(stopped.end == analyses::GenerationEnd::Listener);
    CHECK(stopped.tokens.size() == 3);

    request.count = request.run.model->spec().context + 10;
    const analyses::Generation full = test::value(analyses::generate(request));
    CHECK(full.end == analyses::GenerationEnd::Context);
    CHECK(full.tokens.size() ==
          static_cast<std::size_t>(request.run.model->spec().context) - request.run.tokens.size() + 1);
}

TEST_CASE("a generation that is cancelled says so, and reports its tokens before")
{
    analyses::GenerationRequest request = requestOf("gpt2", 12);
    std::stop_source stop;
    int last = 0;
    const auto cancelled = analyses::generate(request, {[&](int done, int total) {
                                                            last = done;
                                                            CHECK(total == 12);
                                                            if (done == 5)
                                                                stop.request_stop();
                                                        },
                                                        stop.get_token()});
    REQUIRE(!cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    CHECK(last == 5);
}

TEST_CASE("two continuations part at their first different token, and heads differ by their last rows there")
{
    analyses::GenerationRequest request = requestOf("llama-grouped", 6);
    const analyses::Generation first = test::value(analyses::generate(request));
    CHECK_FALSE(analyses::partingStep(first, first));
    analyses::Generation second = first;
    second.tokens[2].token.token += 1;
    CHECK(analyses::partingStep(first, second) == 2);
    second.tokens.resize(2);
    CHECK_FALSE(analyses::partingStep(first, second));

    engine::Engine one, other;
    engine::RunRequest ablated = request.run;
    for (int head = 0; head < ablated.model->spec().heads; ++head)
        ablated.ablations[{0, head}] = {};
    const std::vector<analyses::PartingHead> rows =
        test::value(analyses::headsAtParting({one, request.run, 3}, {other, ablated, 5}));
    const auto spokenBy = [](engine::Engine& engine, const engine::RunRequest& run) {
        return test::value(engine.attribute({run, -1, 3, 5})).heads;
    };
    const std::vector<double> here = spokenBy(one, request.run), there = spokenBy(other, ablated);
    REQUIRE(rows.size() == static_cast<std::size_t>(ablated.model->spec().headShape().total()));
    const int last = static_cast<int>(request.run.tokens.size()) - 1;
    for (const analyses::PartingHead& row : rows) {
        const std::size_t index = ablated.model->spec().headShape().indexOf(row.head);
        CHECK(row.first == here[index]);
        CHECK(row.second == there[index]);
        double apart = 0;
        for (int key = 0; key <= last; ++key) {
            apart += std::abs(test::value(one.cellWeights(request.run, last, key))[index] -
                              test::value(other.cellWeights(ablated, last, key))[index]);
        }
        CHECK(row.distance.totalVariation == Approx(apart / 2).margin(1e-6));
        CHECK((row.head.layer == 0) == (row.distance.totalVariation == 0));
    }
    CHECK(std::ranges::is_sorted(rows, std::greater(),
                                 [](const auto& row) { return std::abs(row.first - row.second); }));
}
