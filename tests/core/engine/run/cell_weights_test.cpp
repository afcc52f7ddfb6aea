#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"

using namespace hs;

namespace {

engine::RunRequest cellRequest(const std::string& golden)
{
    engine::RunRequest request;
    request.model = test::openGolden(golden);
    request.tokens = {3, 14, 15, 9, 26, 5, 3, 14, 58};
    return request;
}

/// The same cell, taken from every layer's full maps by another engine.
std::vector<float> cellOfMaps(const engine::RunRequest& request, int query, int key)
{
    engine::Engine engine;
    const std::size_t length = request.tokens.size();
    const std::size_t cell = static_cast<std::size_t>(query) * length + static_cast<std::size_t>(key);
    std::vector<float> cells;
    for (int layer = 0; layer < request.model->spec().layers; ++layer) {
        const engine::LayerMap maps = test::value(engine.layerMaps(request, layer, engine::MapKind::Weights));
        for (std::size_t head = 0; head < static_cast<std::size_t>(request.model->spec().heads); ++head)
            cells.push_back(maps[head * length * length + cell]);
    }
    return cells;
}

}  // namespace

TEST_CASE("a cell's weights are those of the full maps, bit for bit")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "llama-grouped", "mistral-window", "qwen3");
    engine::RunRequest request = cellRequest(name);
    SECTION("as it is") {}
    SECTION("gated and ablated")
    {
        request.gate = engine::ScoreGate{0.25};
        request.ablations[{0, 1}] = {engine::HeadAblation::Kind::Mean, {}};
    }
    engine::Engine engine;
    for (const auto& [query, key] : {std::pair(8, 2), std::pair(0, 0), std::pair(5, 5), std::pair(2, 6)})
        CHECK(test::value(engine.cellWeights(request, query, key)) == cellOfMaps(request, query, key));
    CHECK(test::value(engine.cellWeights(request, 2, 6)) ==
          std::vector<float>(static_cast<std::size_t>(request.model->spec().headShape().total())));
}

TEST_CASE("asking for a cell leaves the engine's memory of the run in use")
{
    engine::RunRequest request = cellRequest("gpt2-inverse-layer");
    request.ablations[{1, 0}] = {};
    const int layers = request.model->spec().layers;
    engine::Engine engine;
    const engine::RunResult before = test::value(engine.run(request));
    test::value(engine.cellWeights(request, 4, 1));
    const engine::RunResult after = test::value(engine.run(request));
    CHECK(after.firstLayerComputed == layers);
    CHECK(after.predictions == before.predictions);
}

TEST_CASE("a cell's weights report their progress and can be cancelled between layers")
{
    const engine::RunRequest request = cellRequest("gpt2-inverse-layer");
    const int layers = request.model->spec().layers;
    REQUIRE(layers > 1);
    engine::Engine engine;
    int last = -1;
    bool isRising = true;
    const Hooks watching = {[&](int done, int total) {
                                isRising = isRising && done >= last && total == layers;
                                last = done;
                            },
                            {}};
    test::value(engine.cellWeights(request, 3, 1, watching));
    CHECK(isRising);
    CHECK(last == layers);

    std::stop_source stop;
    const Hooks cancelling = {[&](int, int) { stop.request_stop(); }, stop.get_token()};
    const auto cancelled = engine.cellWeights(request, 3, 1, cancelling);
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    CHECK(test::value(engine.cellWeights(request, 3, 1)) == cellOfMaps(request, 3, 1));
}

TEST_CASE("a cell outside the prompt is refused in a sentence")
{
    const engine::RunRequest request = cellRequest("gpt2");
    engine::Engine engine;
    for (const auto& [query, key] : {std::pair(9, 0), std::pair(0, 9), std::pair(-1, 0), std::pair(3, -7)}) {
        const auto refused = engine.cellWeights(request, query, key);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().message.find("from 0 to 8") != std::string::npos);
    }
}
