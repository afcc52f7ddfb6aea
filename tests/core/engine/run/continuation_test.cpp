#include "engine/run/continuation.h"

#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/npz.h"
#include "support/refusals.h"

#include <cmath>
#include <cstdlib>
#include <numeric>

using namespace hs;

namespace {

using AblationKind = engine::HeadAblation::Kind;

struct Interventions {
    std::string name;
    engine::Ablations ablations;
    std::optional<engine::ScoreGate> gate;
};

std::vector<Interventions> interventionsOf(const HeadShape& shape)
{
    const int last = shape.layers - 1;
    return {{"none", {}, {}},
            {"gate", {}, engine::ScoreGate{0.05}},
            {"zero", {{{0, 1}, {AblationKind::Zero, {}}}, {{last, 0}, {AblationKind::Zero, {}}}}, {}},
            {"mean", {{{last, 0}, {AblationKind::Mean, {}}}}, {}},
            {"an MLP without output, and one with its mean",
             {{HeadId::mlpOf(0), {AblationKind::Zero, {}}}, {HeadId::mlpOf(last), {AblationKind::Mean, {}}}},
             {}},
            {"mean of the first layer, and all together",
             {{{0, 0}, {AblationKind::Mean, {}}}, {{last, 1}, {AblationKind::Zero, {}}}},
             engine::ScoreGate{0.05}}};
}

/// A run of the first tokens of a golden model's prompt, with every token's prediction and small tiles.
engine::RunRequest goldenRequest(const std::string& name)
{
    engine::RunRequest request;
    request.model = test::openGolden(name);
    request.tokens =
        test::readNpz(test::goldenModels() / name / "expected.npz").at("tokens").as<std::int64_t>();
    request.capture.tileSide = 5;
    request.capture.watched.resize(static_cast<std::size_t>(request.model->spec().vocabulary));
    std::iota(request.capture.watched.begin(), request.capture.watched.end(), 0);
    return request;
}

engine::RunRequest firstTokens(engine::RunRequest request, std::size_t count)
{
    request.tokens.resize(count);
    return request;
}

void requireClose(const char* what, double a, double b, double scale = 1)
{
    // Tensor cores cut sums off where the processor rounds them.
    static const double kTolerance = engine::chooseDevice("cuda") ? 2e-5 : 1e-5;
    if (!(std::isnan(a) && std::isnan(b)) && !(std::abs(a - b) <= kTolerance * std::max(scale, std::abs(b))))
        FAIL(what << " " << a << " is not " << b);
}

void requireEqual(const engine::RunResult& grown, const engine::RunResult& whole)
{
    REQUIRE(grown.tokens == whole.tokens);
    REQUIRE(grown.watched.size() == whole.watched.size());
    double largest = 1;
    for (const engine::Prediction& prediction : whole.watched)
        largest = std::max(largest, std::abs(prediction.logit));
    for (std::size_t token = 0; token < whole.watched.size(); ++token) {
        requireClose("probability", grown.watched[token].probability, whole.watched[token].probability);
        requireClose("logit", grown.watched[token].logit, whole.watched[token].logit, largest);
    }
    REQUIRE(grown.loss.has_value() == whole.loss.has_value());
    if (whole.loss)
        requireClose("loss", *grown.loss, *whole.loss);
    requireClose("density", grown.density, whole.density);
    REQUIRE(grown.stats.size() == whole.stats.size());
    using stats::HeadStats;
    for (std::size_t head = 0; head < whole.stats.size(); ++head)
        for (double HeadStats::* const field :
             {&HeadStats::previousToken, &HeadStats::currentToken, &HeadStats::firstToken,
              &HeadStats::duplicateToken, &HeadStats::induction, &HeadStats::entropy,
              &HeadStats::entropyNormalized, &HeadStats::peak, &HeadStats::meanDistance, &HeadStats::density,
              &HeadStats::densityAbove})
            requireClose("metric", grown.stats[head].*field, whole.stats[head].*field);
    REQUIRE(grown.tileRows == whole.tileRows);
    for (int layer = 0; layer < whole.heads.layers; ++layer)
        for (std::size_t cell = 0; cell < whole.heads.heads * whole.tileCells(); ++cell)
            if (std::abs(grown.tiles[layer][cell] - whole.tiles[layer][cell]) > 1)
                FAIL("cell " << cell << " of layer " << layer);
}

}  // namespace

TEST_CASE("a text that grows gives at each step what running the whole of it gives, on every architecture")
{
    const std::string name = GENERATE(from_range(test::goldenNames()));
    engine::RunRequest request = goldenRequest(name);
    for (const Interventions& given : interventionsOf(request.model->spec().headShape())) {
        INFO(name << ", " << given.name);
        request.ablations = given.ablations;
        request.gate = given.gate;
        engine::Continuation continuation;
        engine::Engine engine;
        for (std::size_t count = 3; count <= request.tokens.size(); count += count % 5 == 0 ? 2 : 1) {
            const engine::RunRequest now = firstTokens(request, count);
            INFO(count << " tokens");
            requireEqual(test::value(continuation.run(now)).run, test::value(engine.run(now)));
        }
    }
}

TEST_CASE("ablations, a gate or other tokens from some step on give the whole text with them")
{
    engine::RunRequest request = goldenRequest("llama-grouped");
    engine::Continuation continuation;
    engine::Engine engine;
    const auto check = [&](std::size_t count) {
        INFO(count << " tokens");
        const engine::RunRequest now = firstTokens(request, count);
        requireEqual(test::value(continuation.run(now)).run, test::value(engine.run(now)));
    };
    check(4);
    check(5);
    request.ablations[{0, 1}] = {AblationKind::Zero, {}};
    check(6);
    check(7);
    request.ablations[{1, 0}] = {AblationKind::Mean, {}};
    check(8);
    check(9);
    request.ablations.clear();
    request.gate = engine::ScoreGate{0.1};
    check(10);
    request.gate.reset();
    std::swap(request.tokens[2], request.tokens[3]);
    check(11);
    check(5);
}

TEST_CASE("predictions of a text that grows are read at the position asked for")
{
    engine::RunRequest request = goldenRequest("gpt2");
    engine::Continuation continuation;
    engine::Engine engine;
    for (std::size_t count = 6; count < 9; ++count) {
        request.capture.position = static_cast<int>(count) - 4;
        const engine::RunRequest now = firstTokens(request, count);
        requireEqual(test::value(continuation.run(now)).run, test::value(engine.run(now)));
    }
}

TEST_CASE("a step that was cancelled leaves nothing wrong behind")
{
    const engine::RunRequest request = goldenRequest("qwen3");
    engine::Continuation continuation;
    test::value(continuation.run(firstTokens(request, 5)));
    std::stop_source stop;
    const Hooks hooks{[&](int done, int) {
                          if (done == 1)
                              stop.request_stop();
                      },
                      stop.get_token()};
    const Result<engine::ContinuedRun> cancelled = continuation.run(firstTokens(request, 6), {}, hooks);
    REQUIRE(!cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    engine::Engine engine;
    requireEqual(test::value(continuation.run(firstTokens(request, 7))).run,
                 test::value(engine.run(firstTokens(request, 7))));
}

TEST_CASE("a token is drawn as often as its probability at the temperature says, among the most probable")
{
    engine::RunRequest request = firstTokens(goldenRequest("llama-tied"), 6);
    const int topK = GENERATE(0, 3);
    const double temperature = GENERATE(0.5, 1.0, 2.0);
    static constexpr int kDraws = 200;
    engine::Continuation continuation;
    std::map<std::int64_t, int> counts;
    std::vector<engine::Prediction> all;
    for (int draw = 0; draw < kDraws; ++draw) {
        const engine::ContinuedRun run =
            test::value(continuation.run(request, {temperature, topK, (draw + 0.5) / kDraws}));
        ++counts[run.next.token];
        all = run.run.watched;
        CHECK(run.next.probability == Approx(all.at(run.next.token).probability));
        REQUIRE(run.run.predictions.size() == 10);
    }
    std::ranges::sort(all, std::greater(), &engine::Prediction::logit);
    if (topK > 0)
        all.resize(static_cast<std::size_t>(topK));
    double sum = 0;
    for (const engine::Prediction& token : all)
        sum += std::exp(token.logit / temperature);
    for (const engine::Prediction& token : all)
        CHECK(std::abs(counts[token.token] - kDraws * std::exp(token.logit / temperature) / sum) <= 1.5);
}

TEST_CASE("without a temperature the most probable token comes next")
{
    const engine::ContinuedRun run =
        test::value(engine::Continuation().run(firstTokens(goldenRequest("olmo2"), 6), {0, 5, 0.9}));
    CHECK(run.next == run.run.predictions.at(0));
}

TEST_CASE("what a text that grows cannot give is refused in a sentence")
{
    engine::RunRequest request = firstTokens(goldenRequest("gpt2"), 4);
    engine::Continuation continuation;
    CHECK_FALSE(continuation.run(request, {-1, 0, 0}));
    CHECK_FALSE(continuation.run(request, {1, 0, 1}));
    request.capture.fullMaps = true;
    const Result<engine::ContinuedRun> refused = continuation.run(request);
    REQUIRE(!refused);
    CHECK(refused.error().message.find("run the text instead") != std::string::npos);
}
