#include "engine/load/model_loader.h"
#include "engine/run/engine.h"
#include "model/model_locator.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/npz.h"

#include <cmath>
#include <filesystem>

using namespace hs;
using hs::test::NpyArray;

namespace {

/// Expected arrays that Hugging Face transformers computed; written by tests/golden/models.py.
struct Golden {
    std::string name;
    std::map<std::string, NpyArray> arrays;
    std::shared_ptr<const engine::Model> model;

    engine::RunRequest request() const
    {
        engine::RunRequest request;
        request.model = model;
        request.tokens = arrays.at("tokens").as<std::int64_t>();
        request.capture.fullMaps = request.capture.logits = true;
        return request;
    }
    engine::Ablations ablations(const std::string& list, engine::HeadAblation::Kind kind) const
    {
        const std::vector<std::int64_t> pairs = arrays.at(list).as<std::int64_t>();
        engine::Ablations ablations;
        for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
            ablations[{static_cast<int>(pairs[i]), static_cast<int>(pairs[i + 1])}] = {kind, {}};
        return ablations;
    }
};

Golden readGolden(const std::string& name)
{
    const std::filesystem::path folder = test::goldenModels() / name;
    return {name, test::readNpz(folder / "expected.npz"), test::openModel(folder)};
}

float largest(const std::vector<float>& values)
{
    float peak = 0;
    for (const float value : values)
        peak = std::max(peak, std::abs(value));
    return peak;
}

/// Compares a run with expected maps and logits. Cells (and, as they spread, later layers and logits) that
/// depend on a score within 1e-5 of the gate's edge may be on either side.
void requireEqual(const engine::RunResult& result, const Golden& golden, const std::string& suffix)
{
    INFO(golden.name << suffix);
    const std::vector<float> attention = golden.arrays.at("attention" + suffix).as<float>();
    const std::vector<float> logits = golden.arrays.at("logits" + suffix).as<float>();
    const std::size_t layerSize = attention.size() / result.heads.layers;
    float worst = 0;
    for (int layer = 0; layer < result.heads.layers; ++layer)
        for (std::size_t cell = 0; cell < layerSize; ++cell)
            worst = std::max(worst, std::abs(result.maps[layer][cell] - attention[layer * layerSize + cell]));
    CHECK(worst <= 1e-5f);

    REQUIRE(result.logits.size() == logits.size());
    float worstLogit = 0;
    for (std::size_t i = 0; i < logits.size(); ++i)
        worstLogit = std::max(worstLogit, std::abs(result.logits[i] - logits[i]));
    CHECK(worstLogit <= 1e-4f * largest(logits));
}

/// The smallest distance of any visible score from the gate's edge.
float nearestToEdge(const Golden& golden, float bias)
{
    float nearest = 1e9f;
    for (const float score : golden.arrays.at("scores").as<float>())
        if (score != 0)  // zero marks cells that no query may see
            nearest = std::min(nearest, std::abs(score + bias));
    return nearest;
}

}  // namespace

TEST_CASE("attention and logits equal those of transformers")
{
    const Golden golden = readGolden(GENERATE(from_range(test::goldenNames())));
    engine::Engine engine;
    requireEqual(test::value(engine.run(golden.request())), golden, "");
}

TEST_CASE("with heads zeroed, attention and logits equal those of transformers")
{
    const Golden golden = readGolden(GENERATE(from_range(test::goldenNames())));
    if (!golden.arrays.count("zeroed"))
        return;
    engine::RunRequest request = golden.request();
    request.ablations = golden.ablations("zeroed", engine::HeadAblation::Kind::Zero);
    REQUIRE(request.ablations.size() == 3);
    engine::Engine engine;
    requireEqual(test::value(engine.run(request)), golden, "_zeroed");
}

TEST_CASE("with a head at its mean, attention and logits equal those of transformers")
{
    const Golden golden = readGolden(GENERATE(from_range(test::goldenNames())));
    if (!golden.arrays.count("meaned"))
        return;
    engine::RunRequest request = golden.request();
    request.ablations = golden.ablations("meaned", engine::HeadAblation::Kind::Mean);
    engine::Engine engine;
    requireEqual(test::value(engine.run(request)), golden, "_mean");
}

TEST_CASE("with the gate on, attention and logits equal those of transformers")
{
    const Golden golden = readGolden(GENERATE(from_range(test::goldenNames())));
    if (!golden.arrays.count("attention_gated"))
        return;
    engine::RunRequest request = golden.request();
    const float bias = golden.arrays.at("gate_bias").as<float>().at(0);
    request.gate = engine::ScoreGate{bias};
    engine::Engine engine;
    const engine::RunResult result = test::value(engine.run(request));
    if (nearestToEdge(golden, bias) < 1e-5f) {
        WARN("skipped: " << golden.name << " has a score at the gate's edge");
        return;
    }
    requireEqual(result, golden, "_gated");
    CHECK(result.density < 0.95);
    CHECK(result.density > 0.05);

    const engine::LayerMap scores = test::value(engine.layerMaps(request, 0, engine::MapKind::Scores));
    const std::vector<float> expected = golden.arrays.at("scores").as<float>();
    for (std::size_t cell = 0; cell < expected.size() / result.heads.layers; ++cell)
        if (expected[cell] != 0 && std::abs(scores[cell] - expected[cell]) > 1e-4f)
            FAIL("score of cell " << cell << " is " << scores[cell] << ", not " << expected[cell]);
}
