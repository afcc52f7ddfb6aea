#include "analyses/map_analyses.h"

#include "stats/correlation.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>

using namespace hs;

namespace {

engine::RunRequest mapsRequest(const std::string& name)
{
    engine::RunRequest request;
    request.model = test::openGolden(name);
    request.tokens = {3, 14, 15, 9, 26, 5, 3, 14};
    return request;
}

// A run without full maps computes attention differently: equal up to rounding.
constexpr double kRounding = 1e-5;

/// The whole run with all maps at once, which the analyses avoid.
engine::RunResult fullRun(engine::RunRequest request)
{
    request.capture.fullMaps = true;
    engine::Engine engine;
    return test::value(engine.run(request));
}

void checkNear(const stats::ModelSummary& actual, const stats::ModelSummary& expected)
{
    CHECK(actual.diagonalDominance == expected.diagonalDominance);
    CHECK(actual.meanPeak == Approx(expected.meanPeak).margin(kRounding));
    CHECK(actual.diagonalIntensity == Approx(expected.diagonalIntensity).margin(kRounding));
    CHECK(actual.activeEdges == expected.activeEdges);
    CHECK(actual.offDiagonalAboveHalf == expected.offDiagonalAboveHalf);
    CHECK(actual.headsRetained == expected.headsRetained);
    CHECK(actual.heads == expected.heads);
}

template <class T>
std::string refusal(const Result<T>& result)
{
    REQUIRE_FALSE(result);
    CHECK(result.error().message.ends_with("."));
    return result.error().message;
}

}  // namespace

TEST_CASE("a scatter holds the run's own weights, heads in the order they were named")
{
    const engine::RunRequest request = mapsRequest("llama-grouped");
    const engine::RunResult run = fullRun(request);
    const std::vector<HeadId> heads = {{1, 1}, {0, 0}, {1, 0}};
    engine::Engine engine;
    const stats::HeadScatter scatter = test::value(analyses::scatterHeads(engine, request, heads));
    CHECK(scatter.heads == heads);
    CHECK(scatter.pattern == stats::PatternShape(8));
    for (std::size_t index = 0; index < heads.size(); ++index) {
        const std::vector<float> expected = stats::visibleWeights(run.mapOf(heads[index]), 8);
        REQUIRE(scatter.weights[index].size() == expected.size());
        for (std::size_t cell = 0; cell < expected.size(); ++cell)
            CHECK(scatter.weights[index][cell] == Approx(expected[cell]).margin(kRounding));
    }
    CHECK(scatter.correlation(0, 1) == stats::correlation(scatter.weights[0], scatter.weights[1]));

    CHECK(refusal(analyses::scatterHeads(engine, request, {{9, 0}, {0, 0}})).find("L9H0") !=
          std::string::npos);
    CHECK(refusal(analyses::scatterHeads(engine, request, {{0, 0}})).find("two heads") != std::string::npos);
    CHECK(refusal(analyses::scatterHeads(engine, request, {{0, 0}, {0, 0}})).find("twice") !=
          std::string::npos);
}

TEST_CASE("a flow holds every weight that reaches the threshold, but none of ablated heads")
{
    engine::RunRequest request = mapsRequest("gpt2");
    request.gate = engine::ScoreGate{0.1};
    request.ablations[{0, 1}] = {};
    const engine::RunResult run = fullRun(request);
    engine::Engine engine;
    const stats::TokenFlow flow = test::value(analyses::tokenFlow(engine, request, 0.2));
    std::size_t expected = 0;
    for (int index = 0; index < run.heads.total(); ++index) {
        const HeadId head = run.heads.at(index);
        for (int cell = 0; cell < 64 && head != HeadId{0, 1}; ++cell)
            expected += run.mapOf(head)[cell] >= 0.2f;
    }
    REQUIRE(expected > 0);
    CHECK(flow.edges.size() == expected);
    for (const stats::FlowEdge& edge : flow.edges) {
        CHECK(edge.head != HeadId{0, 1});
        CHECK(edge.weight == Approx(run.mapOf(edge.head)[edge.query * 8 + edge.key]).margin(kRounding));
    }
    CHECK(flow.layers == run.heads.layers);
    CHECK(refusal(analyses::tokenFlow(engine, request, NAN)).find("threshold") != std::string::npos);
    CHECK(refusal(analyses::tokenFlow(engine, request, -0.5)).find("threshold") != std::string::npos);
}

TEST_CASE("a rollout is the product of the layers' averaged maps, without ablated heads")
{
    const std::string name = GENERATE(from_range(test::goldenNames()));
    INFO(name);
    engine::RunRequest request = mapsRequest(name);
    request.gate = engine::ScoreGate{0.1};
    request.ablations[{0, 1}] = {};
    const engine::RunResult run = fullRun(request);
    engine::Engine engine;
    const std::vector<double> rollout = test::value(analyses::attentionRollout(engine, request));
    std::vector<double> expected(64);
    for (int token = 0; token < 8; ++token)
        expected[static_cast<std::size_t>(token * 9)] = 1;
    for (int layer = 0; layer < run.heads.layers; ++layer) {
        std::vector<double> above(64);
        for (int query = 0; query < 8; ++query) {
            std::vector<double> row(8);
            const int heads = run.heads.heads - (layer == 0 ? 1 : 0);
            double sum = 0;
            for (int key = 0; key < 8; ++key) {
                for (int head = 0; head < run.heads.heads; ++head)
                    if (HeadId{layer, head} != HeadId{0, 1})
                        row[static_cast<std::size_t>(key)] +=
                            static_cast<double>(run.mapOf({layer, head})[query * 8 + key]) / heads;
                row[static_cast<std::size_t>(key)] += key == query ? 1 : 0;
                sum += row[static_cast<std::size_t>(key)];
            }
            for (int key = 0; key < 8; ++key)
                for (int through = 0; through < 8; ++through)
                    above[static_cast<std::size_t>(query * 8 + key)] +=
                        row[static_cast<std::size_t>(through)] / sum *
                        expected[static_cast<std::size_t>(through * 8 + key)];
        }
        expected = above;
    }
    REQUIRE(rollout.size() == expected.size());
    for (std::size_t cell = 0; cell < expected.size(); ++cell)
        CHECK(rollout[cell] == Approx(expected[cell]).margin(kRounding));
}

TEST_CASE("a comparison layer by layer equals that of full maps")
{
    const engine::RunRequest first = mapsRequest("gpt2");
    engine::RunRequest second = first;
    second.gate = engine::ScoreGate{0.1};
    engine::Engine one, other;
    const analyses::Comparison comparison = test::value(analyses::compareRuns(one, first, other, second));
    const analyses::Comparison expected = analyses::compareHeads(fullRun(first), fullRun(second));
    checkNear(comparison.first, expected.first);
    checkNear(comparison.second, expected.second);
    REQUIRE(comparison.pairs.size() == expected.pairs.size());
    for (std::size_t index = 0; index < expected.pairs.size(); ++index) {
        CHECK(comparison.pairs[index].head == expected.pairs[index].head);
        const stats::PatternDistance& distance = expected.pairs[index].distance;
        CHECK(comparison.pairs[index].distance.totalVariation ==
              Approx(distance.totalVariation).margin(kRounding));
        CHECK(comparison.pairs[index].distance.jensenShannon ==
              Approx(distance.jensenShannon).margin(kRounding));
    }
    CHECK(expected.pairs.front().distance.totalVariation > 0);

    second.tokens.pop_back();
    CHECK(test::value(analyses::compareRuns(one, first, other, second)).pairs.empty());
    second.tokens.clear();
    CHECK(refusal(analyses::compareRuns(one, first, other, second)).find("no tokens") != std::string::npos);
}

TEST_CASE("analyses of maps stop when they are told to")
{
    const engine::RunRequest request = mapsRequest("gpt2");
    std::stop_source stop;
    stop.request_stop();
    const Hooks hooks{{}, stop.get_token()};
    engine::Engine engine, other;
    CHECK(analyses::scatterHeads(engine, request, {{0, 0}, {0, 1}}, hooks).error().code ==
          ErrorCode::Cancelled);
    CHECK(analyses::tokenFlow(engine, request, 0.1, hooks).error().code == ErrorCode::Cancelled);
    CHECK(analyses::attentionRollout(engine, request, hooks).error().code == ErrorCode::Cancelled);
    CHECK(analyses::compareRuns(engine, request, other, request, {}, hooks).error().code ==
          ErrorCode::Cancelled);
}
