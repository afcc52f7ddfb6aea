#include "analyses/circuit.h"
#include "engine/load/model.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/patching.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace hs;

namespace {

constexpr double kLogits = 1e-5;  // by which sums in another order differ; shares of a small gap differ more

analyses::CircuitRequest requestOn(const std::string& name, analyses::CircuitUnits units)
{
    analyses::CircuitRequest request;
    request.clean.model = request.corrupted.model = test::openGolden(name);
    request.clean.tokens = {3, 14, 15, 9, 26, 5, 3, 14};
    request.corrupted.tokens = {3, 14, 15, 33, 26, 5, 21, 14};
    request.target = test::kTarget;
    request.versus = test::kVersus;
    request.units = units;
    return request;
}

double metricWith(engine::RunRequest run, const analyses::CircuitUnit& unit,
                  const std::shared_ptr<const engine::HeadOutputs>& source)
{
    engine::HeadAblation ablation{engine::HeadAblation::Kind::Replace, source};
    if (unit.cell)
        ablation.cells = std::make_shared<const engine::CellMask>(engine::CellMask{{*unit.cell}});
    run.ablations[unit.head] = ablation;
    return test::metricOf(run);
}

/// The clean prompt with all but some units from the corrupted run, listing every patched cell.
double explainedByHand(const analyses::CircuitRequest& request, const analyses::Circuit& circuit,
                       const std::set<int>& kept)
{
    const auto corrupted = test::outputsOf(request.corrupted);
    engine::RunRequest run = request.clean;
    std::map<HeadId, engine::CellMask> masks;
    for (int rank = 0; rank < static_cast<int>(circuit.units.size()); ++rank) {
        const analyses::CircuitUnit& unit = circuit.units[rank];
        if (kept.contains(rank))
            continue;
        if (unit.cell)
            masks[unit.head].cells.push_back(*unit.cell);
        else
            run.ablations[unit.head] = {engine::HeadAblation::Kind::Replace, corrupted};
    }
    for (const auto& [head, mask] : masks)
        run.ablations[head] = {engine::HeadAblation::Kind::Replace, corrupted,
                               std::make_shared<const engine::CellMask>(mask)};
    return (test::metricOf(run) - circuit.none) / (circuit.clean - circuit.none);
}

std::set<int> firstRanks(int count)
{
    std::set<int> ranks;
    for (int rank = 0; rank < count; ++rank)
        ranks.insert(rank);
    return ranks;
}

/// Pearson's correlation over units, matched by head and cell.
double correlation(const analyses::Circuit& a, const analyses::Circuit& b,
                   double analyses::CircuitUnit::* effect)
{
    std::map<std::pair<HeadId, CellId>, double> ofB;
    for (const analyses::CircuitUnit& unit : b.units)
        ofB[{unit.head, unit.cell.value_or(CellId{})}] = unit.*effect;
    double xx = 0, yy = 0, xy = 0;
    for (const analyses::CircuitUnit& unit : a.units) {
        const double x = unit.*effect;
        const double y = ofB.at({unit.head, unit.cell.value_or(CellId{})});
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    return xy / std::sqrt(xx * yy);
}

}  // namespace

TEST_CASE("no edge kept explains nothing, every edge kept explains all")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "llama-grouped", "gpt_neox-parallel",
                                      "olmo2", "mistral-window", "qwen3");
    INFO(name);
    analyses::CircuitRequest request = requestOn(name, analyses::CircuitUnits::Edges);
    SECTION("as it is") {}
    SECTION("gated")
    {
        request.clean.gate = request.corrupted.gate = engine::ScoreGate{0.25};
    }
    SECTION("with a head off")
    {
        request.clean.ablations[{0, 1}] = request.corrupted.ablations[{0, 1}] = {};
    }
    const analyses::Circuit circuit = test::circuitOf(request);
    CHECK(circuit.none == Approx(circuit.corrupted).margin(kLogits));
    CHECK(circuit.curve.front() == analyses::CircuitPoint{0, 0});
    CHECK(circuit.curve.back().kept == static_cast<int>(circuit.units.size()));
    const double difference = circuit.clean - circuit.none;
    CHECK((circuit.curve.back().effect - 1) * difference == Approx(0).margin(kLogits));
    CHECK(explainedByHand(request, circuit, {}) * difference == Approx(0).margin(kLogits));
}

TEST_CASE("every edge's effects are those of its patch in a run of its own, both ways")
{
    const std::string name = GENERATE(as<std::string>(), "llama-grouped", "mistral-window");
    analyses::CircuitRequest request = requestOn(name, analyses::CircuitUnits::Edges);
    request.ranking = GENERATE(analyses::CircuitRanking::Restore, analyses::CircuitRanking::Remove);
    SECTION("as it is") {}
    SECTION("gated and read before the end")
    {
        request.clean.gate = request.corrupted.gate = engine::ScoreGate{0.25};
        request.clean.capture.position = request.corrupted.capture.position = 6;
    }
    const analyses::Circuit circuit = test::circuitOf(request);
    const auto clean = test::outputsOf(request.clean);
    const auto corrupted = test::outputsOf(request.corrupted);
    const double way = circuit.clean - circuit.corrupted;
    std::set<std::pair<HeadId, CellId>> seen;
    for (const analyses::CircuitUnit& unit : circuit.units) {
        seen.insert({unit.head, *unit.cell});
        INFO(toString(unit.head) << " " << unit.cell->query << " " << unit.cell->key);
        REQUIRE(unit.effect * way ==
                Approx(metricWith(request.corrupted, unit, clean) - circuit.corrupted).margin(kLogits));
        REQUIRE(unit.removal * way ==
                Approx(circuit.clean - metricWith(request.clean, unit, corrupted)).margin(kLogits));
        if (unit.cell->query < 3)
            REQUIRE(unit.effect == 0);
    }
    const model::ArchSpec& spec = request.clean.model->spec();
    std::size_t visible = 0;
    for (const int window : spec.windows)
        for (int query = 0; query < 8; ++query)
            visible += static_cast<std::size_t>(spec.heads * std::min(query + 1, window > 0 ? window : 8));
    CHECK(seen.size() == visible);
    CHECK(circuit.units.size() == visible);
    const auto asked = [&](const analyses::CircuitUnit& unit) {
        return std::abs(request.ranking == analyses::CircuitRanking::Remove ? unit.removal : unit.effect);
    };
    CHECK(std::ranges::is_sorted(circuit.units, std::greater(), asked));
}

TEST_CASE("the curve of edges is what keeping them by hand gives, and crosses the level without a gap")
{
    const analyses::CircuitRequest request = requestOn("qwen2", analyses::CircuitUnits::Edges);
    const analyses::Circuit circuit = test::circuitOf(request);
    CHECK(circuit.curve.size() < circuit.units.size());
    for (const analyses::CircuitPoint& point : circuit.curve) {
        CHECK(point.effect == Approx(explainedByHand(request, circuit, firstRanks(point.kept))).margin(1e-5));
        if (point.kept < circuit.smallest)
            CHECK(point.effect < request.level);
    }
    const auto reached = std::ranges::find(circuit.curve, circuit.smallest, &analyses::CircuitPoint::kept);
    REQUIRE(reached != circuit.curve.end());
    CHECK(reached->effect >= request.level - 1e-5);
    CHECK(std::prev(reached)->kept == circuit.smallest - 1);
}

TEST_CASE("heads are measured both ways")
{
    analyses::CircuitRequest request = requestOn("olmo", analyses::CircuitUnits::Heads);
    const analyses::Circuit restored = test::circuitOf(request);
    request.ranking = analyses::CircuitRanking::Remove;
    const analyses::Circuit removed = test::circuitOf(request);
    const auto corrupted = test::outputsOf(request.corrupted);
    for (const analyses::CircuitUnit& unit : removed.units)
        CHECK(unit.removal == Approx((removed.clean - metricWith(request.clean, unit, corrupted)) /
                                     (removed.clean - removed.corrupted))
                                  .margin(1e-5));
    CHECK(std::ranges::is_sorted(removed.units, std::greater(),
                                 [](const analyses::CircuitUnit& unit) { return std::abs(unit.removal); }));
    CHECK(correlation(restored, removed, &analyses::CircuitUnit::effect) == Approx(1));
    CHECK(correlation(restored, removed, &analyses::CircuitUnit::removal) == Approx(1));
}

TEST_CASE("the gradient's estimates go with what is measured, both ways")
{
    const std::string name =
        GENERATE(as<std::string>(), "gpt2", "llama-grouped", "olmo2", "gpt_neox-parallel");
    INFO(name);
    analyses::CircuitRequest request =
        requestOn(name, GENERATE(analyses::CircuitUnits::Heads, analyses::CircuitUnits::Edges));
    SECTION("as it is") {}
    SECTION("gated")
    {
        request.clean.gate = request.corrupted.gate = engine::ScoreGate{0.25};
    }
    const analyses::Circuit measured = test::circuitOf(request);
    request.ranking = analyses::CircuitRanking::Gradient;
    const analyses::Circuit estimated = test::circuitOf(request);
    REQUIRE(estimated.units.size() == measured.units.size());
    CHECK(correlation(measured, estimated, &analyses::CircuitUnit::effect) > 0.7);
    CHECK(correlation(measured, estimated, &analyses::CircuitUnit::removal) > 0.7);
    CHECK(std::ranges::is_sorted(estimated.units, std::greater(),
                                 [](const analyses::CircuitUnit& unit) { return std::abs(unit.effect); }));
    const double whole = estimated.clean - estimated.none;
    CHECK(estimated.curve.back().effect * whole == Approx(whole).margin(kLogits));
}

TEST_CASE("a refined circuit reaches the level, and no unit of it can go")
{
    analyses::CircuitRequest request =
        requestOn(GENERATE(as<std::string>(), "gpt2", "qwen3"),
                  GENERATE(analyses::CircuitUnits::Heads, analyses::CircuitUnits::Edges));
    request.isRefined = true;
    request.level = 0.7;
    const analyses::Circuit circuit = test::circuitOf(request);
    const std::set<int> kept(circuit.refined.begin(), circuit.refined.end());
    REQUIRE_FALSE(kept.empty());
    CHECK(kept.size() == circuit.refined.size());
    CHECK(static_cast<int>(kept.size()) <= circuit.smallest);
    CHECK(*kept.rbegin() < circuit.smallest);
    CHECK(explainedByHand(request, circuit, kept) >= request.level - 2e-5);
    for (const int rank : kept) {
        std::set<int> fewer = kept;
        fewer.erase(rank);
        CHECK(explainedByHand(request, circuit, fewer) < request.level);
    }
    request.isRefined = false;
    CHECK(test::circuitOf(request).refined.empty());
}

TEST_CASE("a search tells of a ranking that grows, then of a curve that grows")
{
    analyses::CircuitRequest request = requestOn("gpt2", analyses::CircuitUnits::Edges);
    request.clean.tokens.insert(request.clean.tokens.begin(), 20, 1);
    request.corrupted.tokens.insert(request.corrupted.tokens.begin(), 20, 2);
    engine::Engine engine;
    std::size_t ranked = 0, points = 0;
    int partial = 0;
    bool isGrowing = true;
    const analyses::Circuit circuit =
        test::value(analyses::findCircuit(engine, request, {}, [&](const analyses::Circuit& news) {
            isGrowing = isGrowing && news.units.size() >= ranked && news.curve.size() >= points;
            isGrowing = isGrowing && std::ranges::is_sorted(news.units, std::greater(),
                                                            [](const analyses::CircuitUnit& unit) {
                                                                return std::abs(unit.effect);
                                                            });
            if (news.curve.empty() && !news.units.empty() && news.units.size() > ranked)
                ++partial;
            ranked = news.units.size();
            points = news.curve.size();
        }));
    CHECK(isGrowing);
    CHECK(partial > 2);
    CHECK(ranked == circuit.units.size());
    CHECK(points == circuit.curve.size());
}

TEST_CASE("edges of heads that are ablated otherwise than to zero are refused")
{
    analyses::CircuitRequest request = requestOn("gpt2", analyses::CircuitUnits::Edges);
    request.clean.ablations[{1, 0}] =
        request.corrupted.ablations[{1, 0}] = {engine::HeadAblation::Kind::Mean, {}};
    engine::Engine engine;
    const auto refused = analyses::findCircuit(engine, request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("L1H0") != std::string::npos);
    request.units = analyses::CircuitUnits::Heads;
    CHECK(analyses::findCircuit(engine, request));
}
