#include "analyses/circuit.h"
#include "engine/load/model.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/patching.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace hs;

namespace {

analyses::CircuitRequest pathsRequest(analyses::CircuitRanking ranking,
                                      const std::string& name = "llama-grouped")
{
    analyses::CircuitRequest request;
    request.clean.model = request.corrupted.model = test::openGolden(name);
    request.clean.tokens = {3, 14, 15, 9, 26, 5, 3, 14};
    request.corrupted.tokens = {3, 14, 33, 9, 26, 5, 21, 14};
    request.target = test::kTarget;
    request.versus = test::kVersus;
    request.units = analyses::CircuitUnits::Paths;
    request.ranking = ranking;
    return request;
}

}  // namespace

TEST_CASE("paths are ranked by what the engine says of each, as shares of the way between the prompts")
{
    const auto ranking = GENERATE(analyses::CircuitRanking::Restore, analyses::CircuitRanking::Remove);
    const bool restores = ranking == analyses::CircuitRanking::Restore;
    const analyses::CircuitRequest request = pathsRequest(ranking);
    const analyses::Circuit circuit = test::circuitOf(request);
    CHECK(circuit.curve.empty());
    CHECK_FALSE(circuit.check);

    engine::PathRequest asked{restores ? request.corrupted : request.clean,
                              test::outputsOf(restores ? request.clean : request.corrupted),
                              {},
                              test::kTarget,
                              test::kVersus};
    for (const analyses::CircuitUnit& unit : circuit.units)
        asked.paths.push_back({unit.head, unit.to.value()});
    const engine::VariantResult result = test::value(engine::Engine().runPaths(asked));
    const double way = (circuit.clean - circuit.corrupted) * (restores ? 1 : -1);
    double last = INFINITY;
    for (std::size_t rank = 0; rank < circuit.units.size(); ++rank) {
        const double effect = restores ? circuit.units[rank].effect : circuit.units[rank].removal;
        CHECK(effect * way ==
              Approx(result.variants[rank].logitDifference - (restores ? circuit.corrupted : circuit.clean))
                  .margin(2e-5));
        CHECK(std::abs(effect) <= last);
        last = std::abs(effect);
    }
}

TEST_CASE("every path is a unit, but for those from and to heads that are off")
{
    analyses::CircuitRequest request = pathsRequest(analyses::CircuitRanking::Gradient);
    const HeadShape shape = request.clean.model->spec().headShape();
    const auto count = [&](int heads) {  // in each layer
        const int layers = shape.layers;
        return static_cast<std::size_t>(3 * heads * heads * layers * (layers - 1) / 2 + heads * layers);
    };
    const analyses::Circuit all = test::circuitOf(request);
    CHECK(all.units.size() == count(shape.heads));
    std::set<std::tuple<HeadId, engine::PathEnd>> seen;
    for (const analyses::CircuitUnit& unit : all.units)
        seen.insert({unit.head, unit.to.value()});
    CHECK(seen.size() == all.units.size());
    for (int layer = 0; layer < shape.layers; ++layer)
        request.clean.ablations[{layer, 1}] = request.corrupted.ablations[{layer, 1}] = {};
    const analyses::Circuit fewer = test::circuitOf(request);
    CHECK(fewer.units.size() == count(shape.heads - 1));
    request.corrupted.ablations[{0, 0}] = {};
    const auto refused = analyses::findCircuit(*std::make_unique<engine::Engine>(), request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("L0H0 is ablated, so that its paths") == 0);
}

TEST_CASE("estimated paths say how far they are from measured ones")
{
    const analyses::Circuit estimated = test::circuitOf(pathsRequest(analyses::CircuitRanking::Gradient));
    const analyses::Circuit measured = test::circuitOf(pathsRequest(analyses::CircuitRanking::Restore));
    REQUIRE(estimated.check);
    CHECK(estimated.check->sampled == std::min<int>(64, static_cast<int>(estimated.units.size())));
    CHECK(estimated.check->rankCorrelation > 0.9);
    double largest = 0;
    for (const analyses::CircuitUnit& unit : estimated.units) {
        const auto same = std::ranges::find_if(measured.units, [&](const analyses::CircuitUnit& other) {
            return other.head == unit.head && other.to == unit.to;
        });
        REQUIRE(same != measured.units.end());
        largest = std::max(largest, std::abs(unit.effect - same->effect));
        CHECK_FALSE(std::isnan(unit.removal));
    }
    CHECK(estimated.check->largestError <= largest + 1e-5);
    CHECK(estimated.check->largestError >= 0.3 * largest);
}

TEST_CASE("a search for paths is the same each time, reports rising progress and can be cancelled")
{
    const analyses::CircuitRequest request = pathsRequest(analyses::CircuitRanking::Gradient, "gpt2");
    engine::Engine engine;
    int last = -1, total = 0;
    bool isRising = true;
    const Hooks watching = {[&](int done, int of) {
                                isRising = isRising && done >= last && done <= of;
                                last = done;
                                total = of;
                            },
                            {}};
    const analyses::Circuit found = test::value(analyses::findCircuit(engine, request, watching));
    CHECK(isRising);
    CHECK(last == total);
    CHECK((found.units == test::circuitOf(request).units));

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
