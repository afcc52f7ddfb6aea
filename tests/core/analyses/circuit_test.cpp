#include "analyses/circuit.h"
#include "engine/request/gate_choice.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/patching.h"
#include "text/single_token.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace hs;

namespace {

analyses::CircuitRequest requestOn(std::shared_ptr<const engine::Model> model)
{
    analyses::CircuitRequest request;
    request.clean.model = request.corrupted.model = std::move(model);
    request.clean.tokens = {3, 14, 15, 9, 26, 5, 3, 14};
    request.corrupted.tokens = {3, 14, 33, 9, 26, 5, 21, 14};
    request.target = test::kTarget;
    request.versus = test::kVersus;
    return request;
}

/// The clean prompt with all but the first `kept` units from the corrupted run, by hand.
double explainedByHand(const analyses::CircuitRequest& request, const analyses::Circuit& circuit, int kept)
{
    const auto corrupted = test::outputsOf(request.corrupted);
    engine::RunRequest run = request.clean;
    for (std::size_t rank = static_cast<std::size_t>(kept); rank < circuit.units.size(); ++rank)
        run.ablations[circuit.units[rank].head] = {engine::HeadAblation::Kind::Replace, corrupted};
    return (test::metricOf(run) - circuit.none) / (circuit.clean - circuit.none);
}

std::string refusal(const analyses::CircuitRequest& request)
{
    engine::Engine engine;
    const auto refused = analyses::findCircuit(engine, request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::BadRequest);
    CHECK(refused.error().message.ends_with("."));
    return refused.error().message;
}

}  // namespace

TEST_CASE("nothing kept explains nothing, everything kept explains all")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "llama-grouped", "gpt_neox-parallel",
                                      "olmo2", "mistral-window", "qwen3");
    INFO(name);
    analyses::CircuitRequest request = requestOn(test::openGolden(name));
    SECTION("as it is") {}
    SECTION("with MLPs among the units")
    {
        request.units = analyses::CircuitUnits::HeadsAndMlps;
    }
    SECTION("gated")
    {
        request.clean.gate = request.corrupted.gate = engine::ScoreGate{0.25};
    }
    SECTION("with heads off")
    {
        request.clean.ablations[{0, 1}] = request.corrupted.ablations[{0, 1}] = {};
        request.clean.ablations[{1, 0}] =
            request.corrupted.ablations[{1, 0}] = {engine::HeadAblation::Kind::Mean, {}};
    }
    const analyses::Circuit circuit = test::circuitOf(request);
    CHECK(circuit.clean == Approx(test::metricOf(request.clean)).margin(1e-6));
    CHECK(circuit.corrupted == Approx(test::metricOf(request.corrupted)).margin(1e-6));
    CHECK(std::abs(circuit.none - circuit.corrupted) <= 1e-5);
    REQUIRE(circuit.curve.size() == circuit.units.size() + 1);
    CHECK(circuit.curve.front() == analyses::CircuitPoint{0, 0});
    CHECK(circuit.curve.back().kept == static_cast<int>(circuit.units.size()));
    CHECK((circuit.curve.back().effect - 1) * (circuit.clean - circuit.none) == Approx(0).margin(1e-5));
}

TEST_CASE("prompts that end in different tokens are measured from where no head is kept")
{
    analyses::CircuitRequest request = requestOn(test::openGolden("gpt2"));
    request.corrupted.tokens.back() = 30;
    const analyses::Circuit circuit = test::circuitOf(request);
    CHECK(std::abs(circuit.none - circuit.corrupted) > 1e-3);
    CHECK(explainedByHand(request, circuit, 0) == Approx(0).margin(1e-5));
    CHECK(circuit.curve.front().effect == 0);
    CHECK(circuit.curve.back().effect == Approx(1).margin(1e-5));
}

TEST_CASE("units and curve are what patching by hand gives")
{
    analyses::CircuitRequest request = requestOn(test::openGolden("llama-grouped"));
    request.units = GENERATE(analyses::CircuitUnits::Heads, analyses::CircuitUnits::HeadsAndMlps);
    const auto units = request.units == analyses::CircuitUnits::Heads ? Units::Heads : Units::HeadsAndMlps;
    const analyses::Circuit circuit = test::circuitOf(request);
    const auto clean = test::outputsOf(request.clean);
    std::set<HeadId> heads;
    for (const analyses::CircuitUnit& unit : circuit.units) {
        heads.insert(unit.head);
        engine::RunRequest patched = request.corrupted;
        patched.ablations[unit.head] = {engine::HeadAblation::Kind::Replace, clean};
        CHECK(unit.effect ==
              Approx((test::metricOf(patched) - circuit.corrupted) / (circuit.clean - circuit.corrupted))
                  .margin(1e-4));
    }
    CHECK(heads.size() == request.clean.model->spec().headShape().all(units).size());
    CHECK(std::is_sorted(circuit.units.begin(), circuit.units.end(),
                         [](const analyses::CircuitUnit& a, const analyses::CircuitUnit& b) {
                             return std::abs(a.effect) > std::abs(b.effect);
                         }));
    for (const analyses::CircuitPoint& point : circuit.curve)
        CHECK(point.effect == Approx(explainedByHand(request, circuit, point.kept)).margin(1e-5));
}

TEST_CASE("the smallest circuit is the first that reaches the level")
{
    analyses::CircuitRequest request = requestOn(test::openGolden("qwen2"));
    request.level = GENERATE(1e-9, 0.3, 0.9, 1.0);
    const analyses::Circuit circuit = test::circuitOf(request);
    CHECK(circuit.level == request.level);
    for (const analyses::CircuitPoint& point : circuit.curve) {
        if (point.kept < circuit.smallest)
            CHECK(point.effect < request.level);
        if (point.kept == circuit.smallest)
            CHECK(point.effect >= request.level - 1e-5);
    }
}

TEST_CASE("of many heads the curve has few points, and none is missing where it crosses the level")
{
    model::ArchSpec spec = test::openGolden("gpt2")->spec();
    spec.layers = 16;
    spec.windows.assign(16, 0);
    const analyses::CircuitRequest request =
        requestOn(test::value(engine::randomModel(spec, 3, test::testOptions())));
    const analyses::Circuit circuit = test::circuitOf(request);
    REQUIRE(circuit.units.size() == 96);
    CHECK(circuit.curve.size() < 40);
    const auto reached =
        std::find_if(circuit.curve.begin(), circuit.curve.end(),
                     [&](const analyses::CircuitPoint& point) { return point.effect >= 0.9; });
    REQUIRE(reached != circuit.curve.end());
    CHECK(reached->kept == circuit.smallest);
    REQUIRE(reached != circuit.curve.begin());
    CHECK(std::prev(reached)->kept == circuit.smallest - 1);
    CHECK(circuit.curve.back().kept == 96);
    CHECK(circuit.curve.back().effect == Approx(1).margin(1e-5));
    CHECK(std::is_sorted(
        circuit.curve.begin(), circuit.curve.end(),
        [](const analyses::CircuitPoint& a, const analyses::CircuitPoint& b) { return a.kept < b.kept; }));
}

TEST_CASE("a search reports rising progress to its end and can be cancelled on its way")
{
    const analyses::CircuitRequest request = requestOn(test::openGolden("gpt2"));
    engine::Engine engine;
    int last = -1, total = 0;
    bool isRising = true;
    const Hooks watching = {[&](int done, int of) {
                                isRising = isRising && done >= last && done <= of;
                                last = done;
                                total = of;
                            },
                            {}};
    test::value(analyses::findCircuit(engine, request, watching));
    CHECK(isRising);
    CHECK(last == total);

    std::stop_source stop;
    const Hooks cancelling = {[&](int done, int) {
                                  if (done >= 2)
                                      stop.request_stop();
                              },
                              stop.get_token()};
    const auto cancelled = analyses::findCircuit(engine, request, cancelling);
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
}

TEST_CASE("pairs of prompts without an effect to explain are refused in a sentence")
{
    const analyses::CircuitRequest good = requestOn(test::openGolden("gpt2"));
    analyses::CircuitRequest bad = good;
    bad.corrupted.tokens.push_back(2);
    CHECK(refusal(bad).find("8 tokens") != std::string::npos);
    bad = good;
    bad.corrupted.tokens = bad.clean.tokens;
    CHECK(refusal(bad).find("are the same") != std::string::npos);
    bad = good;
    bad.versus = test::kTarget;
    CHECK(refusal(bad).find("Target and versus") != std::string::npos);
    bad = good;
    bad.target = 61;
    CHECK(refusal(bad).find("from 0 to 60") != std::string::npos);
    bad = good;
    bad.corrupted.model = test::openGolden("olmo");
    CHECK(refusal(bad).find("one model") != std::string::npos);
    for (const double level : {0.0, -1.0, 1.5, std::nan("")}) {
        bad = good;
        bad.level = level;
        CHECK(refusal(bad).find("choose a level") != std::string::npos);
    }
    bad = good;
    bad.corrupted.tokens = bad.clean.tokens;
    bad.corrupted.tokens.front() = 4;  // with every head off, only the last token counts
    for (int index = 0; index < 12; ++index)
        bad.clean.ablations[{index / 6, index % 6}] = bad.corrupted.ablations[{index / 6, index % 6}] = {};
    CHECK(refusal(bad).find("no effect to explain") != std::string::npos);
    bad.corrupted.tokens.back() = 30;
    CHECK(refusal(bad).find("last token alone") != std::string::npos);
}

TEST_CASE("on the demo pair the sparse model's circuit is the smaller one")
{
    const auto smallest = [](const std::string& name) {
        const auto folder = std::filesystem::path(HS_SOURCE_DIR) / "resources" / "models" / name;
        const auto tokenizer = test::value(text::Tokenizer::load(folder));
        analyses::CircuitRequest request = requestOn(test::openModel(folder));
        request.clean.gate = request.corrupted.gate =
            engine::chooseGate({}, request.clean.model->spec().gateBias);
        request.clean.tokens =
            test::value(tokenizer->encode("When Mary and John went to the store , John gave a drink to")).ids;
        request.corrupted.tokens =
            test::value(tokenizer->encode("When Mary and John went to the store , Mary gave a drink to")).ids;
        request.target = test::value(text::singleToken(*tokenizer, "Mary"));
        request.versus = test::value(text::singleToken(*tokenizer, "John"));
        return test::circuitOf(request).smallest;
    };
    CHECK(smallest("demo-sparse") < smallest("demo-dense"));
}
