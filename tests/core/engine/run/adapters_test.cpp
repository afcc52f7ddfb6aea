#include "analyses/head_circuit.h"
#include "engine/load/open_model.h"
#include "engine/run/continuation.h"
#include "engine/run/engine.h"
#include "engine/run/prompt_batch.h"
#include "support/adapters.h"
#include "support/fresh_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace hs;

namespace {

constexpr double kRank = 3, kAlpha = 4;
constexpr double kOfLargest = 1e-5;  // of the largest logit

engine::RunRequest plainRequest(std::shared_ptr<const engine::Model> model)
{
    engine::RunRequest request;
    request.model = std::move(model);
    for (int position = 0; position < 11; ++position)
        request.tokens.push_back((position * 7 + 3) % request.model->spec().vocabulary);
    request.gate = request.model->spec().gateBias
                       ? std::optional(engine::ScoreGate{*request.model->spec().gateBias})
                       : std::nullopt;
    request.capture.logits = request.capture.fullMaps = true;
    return request;
}

/// A golden model, and random adapters on all of its projections.
struct Adapted {
    explicit Adapted(const std::string& golden, int count = 1) : name(golden), base(test::openOnce(golden))
    {
        for (int index = 0; index < count; ++index) {
            factors.push_back(test::randomFactors(base->spec(), static_cast<std::uint64_t>(11 + index)));
            const auto folder = test::writeAdapterFolder(files / std::to_string(index),
                                                         test::adapterConfig(kRank, kAlpha), factors.back());
            adapters.push_back(test::openAdapter(folder, *base));
        }
    }

    engine::RunRequest request(const std::vector<double>& strengths) const
    {
        engine::RunRequest request = plainRequest(base);
        for (std::size_t index = 0; index < strengths.size(); ++index)
            request.adapters.push_back({adapters[index], strengths[index]});
        return request;
    }

    std::shared_ptr<const engine::Model> merged(const std::vector<double>& strengths) const
    {
        std::vector<std::pair<test::NamedTensors, double>> changes;
        for (std::size_t index = 0; index < strengths.size(); ++index)
            changes.emplace_back(factors[index], strengths[index] * kAlpha / kRank);
        return test::openMerged(name, changes);
    }

    std::string name;
    test::TempDir files;
    std::shared_ptr<const engine::Model> base;
    std::vector<test::NamedTensors> factors;
    std::vector<std::shared_ptr<const engine::Adapter>> adapters;
};

bool isSame(const engine::RunResult& a, const engine::RunResult& b)
{
    bool same = a.predictions == b.predictions && a.loss == b.loss && a.logits == b.logits;
    const std::size_t layerBytes = a.pattern().mapSize() * a.heads.heads * sizeof(float);
    for (std::size_t layer = 0; same && layer < a.maps.size(); ++layer)
        same = std::memcmp(a.maps[layer].get(), b.maps[layer].get(), layerBytes) == 0;
    return same;
}

/// The largest difference of numbers, as a share of the largest of them.
template <class Numbers>
double apart(const Numbers& a, const Numbers& b)
{
    REQUIRE(a.size() == b.size());
    double most = 0, difference = 0;
    for (std::size_t index = 0; index < a.size(); ++index) {
        most = std::max(most, std::abs(static_cast<double>(b[index])));
        difference = std::max(difference, std::abs(static_cast<double>(a[index]) - b[index]));
    }
    return difference / most;
}

std::vector<double> logitsOf(const engine::PromotedTokens& tokens)
{
    std::vector<double> logits;
    for (const engine::TokenWeight& token : tokens.most)
        logits.push_back(token.weight);
    return logits;
}

}  // namespace

TEST_CASE("an adapter at strength 0 leaves its base as it is, bit for bit")
{
    const Adapted adapted(GENERATE(from_range(test::goldenNames())));
    INFO(adapted.name);
    const engine::RunResult plain = test::freshRun(adapted.request({}));
    CHECK(isSame(test::freshRun(adapted.request({0})), plain));
    CHECK(apart(test::freshRun(adapted.request({1})).logits, plain.logits) > 1e-3);
}

TEST_CASE("an adapter at full strength is the model that it is merged into")
{
    const Adapted adapted(GENERATE(from_range(test::mergeableNames())));
    INFO(adapted.name);
    for (const double strength : {1.0, -0.5, 1.75})
        CHECK(apart(test::freshRun(adapted.request({strength})).logits,
                    test::freshRun(plainRequest(adapted.merged({strength}))).logits) < kOfLargest);
}

TEST_CASE("what adapters change adds up")
{
    const Adapted adapted(GENERATE(from_range(test::mergeableNames())), 2);
    INFO(adapted.name);
    const auto together = test::freshRun(adapted.request({0.5, 1.5})).logits;
    CHECK(apart(together, test::freshRun(plainRequest(adapted.merged({0.5, 1.5}))).logits) < kOfLargest);
    engine::RunRequest other = adapted.request({0.5, 1.5});
    std::swap(other.adapters[0], other.adapters[1]);
    CHECK(apart(test::freshRun(other).logits, together) < kOfLargest);
    engine::RunRequest twice = adapted.request({0.5});
    twice.adapters.push_back({adapted.adapters[0], 0.5});
    CHECK(apart(test::freshRun(twice).logits, test::freshRun(adapted.request({1})).logits) < kOfLargest);
}

TEST_CASE("a run after a strength was turned equals a fresh one, bit for bit")
{
    const Adapted adapted(GENERATE(from_range(test::goldenNames())), 2);
    INFO(adapted.name);
    engine::Engine engine;
    for (const std::vector<double>& strengths :
         std::vector<std::vector<double>>{{}, {1, 0}, {0.5, 0}, {0.5, 2}, {0, 2}, {0, 0}, {1, 1}, {}}) {
        const engine::RunRequest request = adapted.request(strengths);
        const engine::RunResult turned = test::value(engine.run(request));
        CHECK(isSame(turned, test::freshRun(request)));
    }
    // Two sums in another order are other bits.
    engine::RunRequest swapped = adapted.request({1, 1});
    test::value(engine.run(swapped));
    std::swap(swapped.adapters[0], swapped.adapters[1]);
    CHECK(isSame(test::value(engine.run(swapped)), test::freshRun(swapped)));
}

TEST_CASE("a turned strength is computed from the first layer that it changes")
{
    const auto base = test::openOnce(GENERATE(as<std::string>(), "gpt2", "llama-grouped", "gemma2"));
    const int last = base->spec().layers - 1;
    const test::TempDir files;
    const auto factors = test::randomFactors(
        base->spec(), 5, 3, [last](int layer, const model::LinearModule&) { return layer == last; });
    engine::RunRequest request = plainRequest(base);
    engine::Engine engine;
    test::value(engine.run(request));
    const auto adapter =
        test::openAdapter(test::writeAdapterFolder(files / "last", test::adapterConfig(), factors), *base);
    for (const double strength : {1.0, 0.25, 0.0}) {
        request.adapters = {{adapter, strength}};
        const engine::RunResult turned = test::value(engine.run(request));
        CHECK(turned.firstLayerComputed == last);
        CHECK(isSame(turned, test::freshRun(request)));
    }
}

TEST_CASE("heads of an adapted model are ablated as those of the merged one")
{
    const Adapted adapted(GENERATE(from_range(test::mergeableNames())));
    INFO(adapted.name);
    const auto ablated = [](engine::RunRequest request) {
        request.ablations[{0, 1}] = {};
        request.ablations[{1, 0}] = {engine::HeadAblation::Kind::Mean, {}};
        request.ablations[HeadId::mlpOf(0)] = {};
        return request;
    };
    const engine::RunRequest request = ablated(adapted.request({1}));
    const auto merged = test::freshRun(ablated(plainRequest(adapted.merged({1}))));
    CHECK(apart(test::freshRun(request).logits, merged.logits) < kOfLargest);
    // From a run that remembers the whole model, or the plain base.
    engine::Engine engine;
    test::value(engine.run(adapted.request({1})));
    CHECK(isSame(test::value(engine.run(request)), test::freshRun(request)));
    test::value(engine.run(ablated(adapted.request({}))));
    CHECK(isSame(test::value(engine.run(request)), test::freshRun(request)));
}

TEST_CASE("whatever reads the weights of a model reads them with its adapters")
{
    const Adapted adapted(
        GENERATE(as<std::string>(), "gpt2", "llama-grouped", "gpt_neox-parallel", "gemma2", "olmo2", "phi3"));
    INFO(adapted.name);
    const engine::RunRequest ours = adapted.request({0.75});
    const auto merged = adapted.merged({0.75});
    const engine::RunRequest theirs = plainRequest(merged);
    constexpr double kClose = 1e-4;
    engine::Engine engine, other;

    const auto attribution = test::value(engine.attribute({ours, -1, 3, 5}));
    CHECK(apart(attribution.heads, test::value(other.attribute({theirs, -1, 3, 5})).heads) < kClose);
    double sum = 0;
    for (const engine::AttributionPart& part : attribution.parts)
        sum += part.value;
    CHECK(sum == Approx(attribution.logit).epsilon(1e-3).margin(1e-3));

    for (const std::optional<int> key : {std::optional<int>(), std::optional(2)})
        CHECK(apart(logitsOf(test::value(engine.headWrite(ours, {1, 1}, key)).tokens),
                    logitsOf(test::value(other.headWrite(theirs, {1, 1}, key)).tokens)) < kClose);
    CHECK(apart(logitsOf(test::value(analyses::tokensWritten(ours, {1, 0}, 4, 5))),
                logitsOf(test::value(analyses::tokensWritten(*merged, {1, 0}, 4, 5)))) < kClose);
    CHECK(apart(logitsOf(test::value(analyses::keysPreferred(ours, {1, 0}, 4, 5))),
                logitsOf(test::value(analyses::keysPreferred(*merged, {1, 0}, 4, 5)))) < kClose);
    CHECK(test::value(analyses::copyingScore(ours, {1, 0})) ==
          Approx(test::value(analyses::copyingScore(*merged, {1, 0}))).margin(1e-3));

    const auto length = ours.tokens.size();
    const auto weighted = [&](engine::Engine& asked, const engine::RunRequest& request) {
        const auto map = test::value(asked.layerMaps(request, 1, engine::MapKind::ValueWeighted));
        return std::vector<float>(map.get(), map.get() + length * length);
    };
    CHECK(apart(weighted(engine, ours), weighted(other, theirs)) < kClose);

    const auto swept = [](engine::Engine& asked, const engine::RunRequest& request) {
        engine::VariantRequest variants{request, {}, 3, 5};
        variants.variants = {{{{0, 0}, {}}}, {{{1, 1}, {}}}, {{HeadId::mlpOf(1), {}}}, {}};
        std::vector<double> differences;
        for (const auto& reading : test::value(asked.runVariants(variants)).variants)
            differences.push_back(reading.logitDifference);
        return differences;
    };
    CHECK(apart(swept(engine, ours), swept(other, theirs)) < kClose);

    const auto salient = [](engine::Engine& asked, const engine::RunRequest& request) {
        return test::value(asked.saliency({request, 3, 5, 4, {}})).integrated;
    };
    CHECK(apart(salient(engine, ours), salient(other, theirs)) < 1e-3);
}

TEST_CASE("a text goes on with the adapters that it began with")
{
    const Adapted adapted("llama-grouped");
    engine::Continuation continuation;
    for (const double strength : {1.0, 0.5, 0.0, 1.0}) {
        engine::RunRequest request = adapted.request({strength});
        request.capture = {};
        for (const std::int64_t token : {5, 9, 2}) {
            request.tokens.push_back(token);
            CHECK(*test::value(continuation.run(request)).run.loss ==
                  Approx(*test::freshRun(request).loss).epsilon(1e-5));
        }
    }
}

TEST_CASE("prompts of a set run with adapters as each by itself")
{
    const Adapted adapted("llama-grouped");
    engine::RunRequest request = adapted.request({1});
    request.capture = {};
    CHECK(engine::promptsTogether(request) == 1);
    const auto together = test::value(engine::runTogether({{request}}));
    CHECK(*together.front().loss == Approx(*test::freshRun(request).loss).epsilon(1e-5));
}

TEST_CASE("an adapter of another model is refused by the run")
{
    const Adapted adapted("gpt2");
    engine::RunRequest request = plainRequest(test::openOnce("llama-grouped"));
    request.adapters = {{adapted.adapters.front(), 1}};
    const auto refused = engine::Engine().run(request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("was opened on another model") != std::string::npos);
    request = adapted.request({std::nan("")});
    REQUIRE_FALSE(engine::Engine().run(request));
}
