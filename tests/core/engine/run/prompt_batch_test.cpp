#include "engine/run/prompt_batch.h"

#include "engine/load/model.h"
#include "engine/load/model_loader.h"
#include "engine/run/engine.h"
#include "model/model_locator.h"
#include "stats/metric_table.h"
#include "support/catch.h"
#include "support/models.h"

#include <algorithm>
#include <cmath>

using namespace hs;

namespace {

constexpr int kLength = 7;

struct Place {
    std::string device;
    model::DType dtype = model::DType::F32;
};

std::ostream& operator<<(std::ostream& stream, const Place& place)
{
    return stream << place.device << (place.dtype == model::DType::F32 ? "" : ", in half precision");
}

/// The processor, and a GPU where there is one.
std::vector<Place> places()
{
    std::vector<Place> found = {{"cpu"}};
    if (engine::chooseDevice("cuda"))
        found.insert(found.end(), {{"cuda"}, {"cuda", model::DType::F16}, {"cuda", model::DType::BF16}});
    return found;
}

/// Prompts of one length that run with some heads ablated; empty where they have to run alone.
std::vector<engine::RunRequest> promptsOf(const std::string& name, const Place& place, bool withMaps)
{
    engine::RunRequest request;
    request.model = test::value(
        engine::loadModel(test::value(model::locateModel((test::goldenModels() / name).string(), {})),
                          {test::value(engine::chooseDevice(place.device)), place.dtype}));
    request.capture.fullMaps = withMaps;
    request.ablations[{0, 1}].kind = engine::HeadAblation::Kind::Mean;
    request.ablations[{1, 0}] = {};
    request.ablations[HeadId::mlpOf(0)].kind = engine::HeadAblation::Kind::Mean;
    request.tokens.resize(kLength);
    std::vector<engine::RunRequest> requests;
    for (int index = 0; index < 9 && engine::promptsTogether(request) >= 9; ++index) {
        for (int at = 0; at < kLength; ++at)
            request.tokens[static_cast<std::size_t>(at)] = 1 + (7 * index + 3 * at + index * at) % 11;
        requests.push_back(request);
    }
    return requests;
}

/// Every metric of every head; a number that does not exist is -1.
std::vector<double> numbersOf(const engine::RunResult& run)
{
    std::vector<double> numbers;
    for (const stats::HeadStats& head : run.stats)
        for (const stats::Metric& metric : stats::allMetrics())
            numbers.push_back(std::isnan(metric.of(head)) ? -1 : metric.of(head));
    return numbers;
}

/// Calls `visit(layer, map, cells)` for each layer.
template <class Visitor>
void forMaps(const engine::RunResult& run, const Visitor& visit)
{
    const std::size_t cells = kLength * kLength * static_cast<std::size_t>(run.heads.heads);
    for (std::size_t layer = 0; layer < run.maps.size(); ++layer)
        visit(layer, run.maps[layer].get(), cells);
}

}  // namespace

TEST_CASE(
    "prompts side by side have the same results in every company, and those of a run alone up to rounding")
{
    const Place place = GENERATE(from_range(places()));
    const std::string name = GENERATE(from_range(test::goldenNames()));
    for (const bool withMaps : {false, true}) {
        const std::vector<engine::RunRequest> requests = promptsOf(name, place, withMaps);
        if (requests.empty())
            continue;  // of an architecture, or on a machine, whose prompts run alone
        const auto together = test::value(engine::runTogether(requests));
        for (std::size_t prompt = 0; prompt < requests.size(); ++prompt) {
            INFO(name << " on " << place << ", prompt " << prompt);
            const auto alone = test::value(engine::runTogether({&requests[prompt], 1})).front();
            const auto run = test::value(engine::Engine().run(requests[prompt]));
            CHECK(numbersOf(together[prompt]) == numbersOf(alone));
            CHECK(together[prompt].loss == alone.loss);
            CHECK(together[prompt].predictions == alone.predictions);
            if (place.dtype == model::DType::F32) {
                CHECK(*together[prompt].loss == Approx(*run.loss).epsilon(1e-4));
                CHECK(together[prompt].predictions.front().logit ==
                      Approx(run.predictions.front().logit).epsilon(1e-4).margin(1e-4));
                CHECK(together[prompt].density == Approx(run.density).epsilon(1e-12));
            }
            CHECK(together[prompt].maps.size() == (withMaps ? run.maps.size() : 0));
            forMaps(together[prompt], [&](std::size_t layer, const float* map, std::size_t cells) {
                CHECK(std::equal(map, map + cells, alone.maps[layer].get()));
                if (place.dtype == model::DType::F32)
                    CHECK(std::equal(map, map + cells, run.maps[layer].get(),
                                     [](float a, float b) { return std::abs(a - b) < 2e-5f; }));
            });
        }
    }
}

TEST_CASE("maps that are added up where they are made give the bits of adding up those that are brought back")
{
    const Place place = GENERATE(from_range(places()));
    const std::string name = GENERATE(from_range(test::goldenNames()));
    const std::vector<engine::RunRequest> requests = promptsOf(name, place, true);
    if (requests.empty())
        return;
    INFO(name << " on " << place);
    stats::MapTotals added, expected;
    const auto runs = test::value(engine::runTogether(requests));
    for (const engine::RunResult& run : runs)
        forMaps(run, [&](std::size_t layer, const float* map, std::size_t cells) {
            expected.resize(run.maps.size() * cells);
            for (std::size_t cell = 0; cell < cells; ++cell)
                expected.add(layer * cells + cell, map[cell]);
        });
    std::vector<engine::RunRequest> counted = requests;
    for (engine::RunRequest& request : counted)
        request.capture.fullMaps = false;
    REQUIRE(engine::promptsTogether(counted.front()) >= std::ssize(counted));
    const auto without = test::value(engine::runTogether(counted, {}, &added));
    CHECK(without.front().maps.empty());
    REQUIRE(added.cells() == expected.cells());
    CHECK(added == expected);
}
