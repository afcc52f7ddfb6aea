#include "engine/run/engine.h"
#include "stats/head_summary.h"
#include "support/catch.h"
#include "support/fresh_run.h"
#include "support/models.h"

#include <cmath>
#include <cstring>
#include <numeric>

using namespace hs;

namespace {

const std::vector<std::int64_t> kTwelveTokens = {3, 14, 15, 9, 26, 5, 3, 14, 58, 9, 7, 9};

engine::RunRequest requestForMaps(const std::string& golden)
{
    engine::RunRequest request;
    request.model = test::openGolden(golden);
    request.tokens = kTwelveTokens;
    request.capture.fullMaps = request.capture.logits = true;
    return request;
}

/// Bit for bit, everything but the timing.
bool isSame(const engine::RunResult& a, const engine::RunResult& b)
{
    const std::size_t layerSize = a.tokens.size() * a.tokens.size() * a.heads.heads * sizeof(float);
    const std::size_t tileSize = std::size_t(a.tileRows) * a.tileRows * a.heads.heads;
    bool same = a.tokens == b.tokens && a.predictions == b.predictions && a.loss == b.loss &&
                a.density == b.density && a.logits == b.logits && a.maps.size() == b.maps.size() &&
                a.tiles.size() == b.tiles.size();
    for (std::size_t head = 0; same && head < a.stats.size(); ++head)
        same = std::memcmp(&a.stats[head], &b.stats[head], sizeof(stats::HeadStats)) == 0;
    for (std::size_t layer = 0; same && layer < a.maps.size(); ++layer)
        same = std::memcmp(a.maps[layer].get(), b.maps[layer].get(), layerSize) == 0;
    for (std::size_t layer = 0; same && layer < a.tiles.size(); ++layer)
        same = std::memcmp(a.tiles[layer].get(), b.tiles[layer].get(), tileSize) == 0;
    return same;
}

}  // namespace

TEST_CASE("rows of a dense pattern sum to one and nothing lies above the diagonal")
{
    const std::string name =
        GENERATE(as<std::string>(), "gpt2", "gpt_neox-parallel", "llama-grouped", "mistral-window");
    const engine::RunResult result = test::freshRun(requestForMaps(name));
    const std::size_t length = kTwelveTokens.size();
    for (int index = 0; index < result.heads.total(); ++index) {
        const float* const map = result.mapOf(result.heads.at(index));
        for (std::size_t query = 0; query < length; ++query) {
            const float* const row = map + query * length;
            CHECK(std::accumulate(row, row + query + 1, 0.0) == Approx(1).margin(1e-6));
            CHECK(std::all_of(row + query + 1, row + length, [](float weight) { return weight == 0; }));
        }
    }
    CHECK(result.density == Approx(name == "mistral-window" ? stats::visibleCells(12, 7) / 78.0 : 1.0));
}

TEST_CASE("a run resumed from a kept layer equals the full run, bit for bit")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2-inverse-layer", "olmo2", "qwen2");
    engine::RunRequest plain = requestForMaps(name);
    plain.capture.fullMaps = GENERATE(true, false);
    engine::Engine engine;
    REQUIRE(test::value(engine.run(plain)).firstLayerComputed == 0);
    const int layers = plain.model->spec().layers;
    for (const auto kind : {engine::HeadAblation::Kind::Zero, engine::HeadAblation::Kind::Mean}) {
        for (int layer = layers - 1; layer >= 0; --layer) {
            engine::RunRequest ablated = plain;
            ablated.ablations[{layer, 1}] = {kind, {}};
            const engine::RunResult resumed = test::value(engine.run(ablated));
            CHECK(resumed.firstLayerComputed == layer);
            CHECK(isSame(resumed, test::freshRun(ablated)));
            const engine::RunResult restored = test::value(engine.run(plain));
            CHECK(restored.firstLayerComputed == layer);
            CHECK(isSame(restored, test::freshRun(plain)));
        }
    }
}

TEST_CASE("nothing leaks from one request into the next")
{
    const engine::RunRequest plain = requestForMaps("llama-grouped");
    const engine::RunResult baseline = test::freshRun(plain);
    engine::Engine engine;
    engine::RunRequest other = plain;
    other.ablations[{0, 2}] = {};
    other.gate = engine::ScoreGate{0.5};
    other.tokens.pop_back();
    REQUIRE_FALSE(isSame(test::value(engine.run(other)), baseline));
    CHECK(isSame(test::value(engine.run(plain)), baseline));
}

TEST_CASE("an ablation leaves its own layer's patterns alone and changes later ones")
{
    engine::RunRequest request = requestForMaps("gpt2");
    const engine::RunResult before = test::freshRun(request);
    request.ablations[{0, 0}] = {};
    const engine::RunResult after = test::freshRun(request);
    const std::size_t layerBytes =
        kTwelveTokens.size() * kTwelveTokens.size() * before.heads.heads * sizeof(float);
    CHECK(std::memcmp(before.maps[0].get(), after.maps[0].get(), layerBytes) == 0);
    CHECK(std::memcmp(before.maps[1].get(), after.maps[1].get(), layerBytes) != 0);
}

TEST_CASE("replacing every head by another run's outputs gives that run's next residual")
{
    const engine::RunRequest clean = [] {
        engine::RunRequest request = requestForMaps("llama-tied");
        request.capture.headOutputs = true;
        return request;
    }();
    const engine::RunResult source = test::freshRun(clean);

    SECTION("a head replaced by itself changes nothing")
    {
        engine::RunRequest same = clean;
        for (int index = 0; index < source.heads.total(); ++index)
            same.ablations[source.heads.at(index)] = {engine::HeadAblation::Kind::Replace,
                                                      source.headOutputs};
        CHECK(isSame(test::freshRun(same), source));
    }
    SECTION("a corrupted run patched everywhere differs from both")
    {
        engine::RunRequest corrupted = clean;
        corrupted.tokens[2] = 40;
        engine::RunRequest patched = corrupted;
        patched.ablations[{1, 0}] = {engine::HeadAblation::Kind::Replace, source.headOutputs};
        const engine::RunResult plain = test::freshRun(corrupted);
        const engine::RunResult result = test::freshRun(patched);
        CHECK(result.logits != plain.logits);
        CHECK(result.logits != source.logits);
    }
    SECTION("a source of another length is refused")
    {
        engine::RunRequest shorter = clean;
        shorter.tokens.pop_back();
        shorter.ablations[{0, 0}] = {engine::HeadAblation::Kind::Replace, source.headOutputs};
        engine::Engine engine;
        const auto refused = engine.run(shorter);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::BadRequest);
    }
}

TEST_CASE("ablating every head leaves the attention's bias alone, whatever the patterns")
{
    // With all z at zero two prompts can differ only where embeddings do: at the same token and position
    // the logits are equal.
    engine::RunRequest one = requestForMaps("gpt2");
    for (int index = 0; index < one.model->spec().headShape().total(); ++index)
        one.ablations[one.model->spec().headShape().at(index)] = {};
    engine::RunRequest other = one;
    other.tokens[0] = 50;
    other.tokens[4] = 2;
    const engine::RunResult a = test::freshRun(one);
    const engine::RunResult b = test::freshRun(other);
    const std::size_t vocabulary = a.logits.size() / kTwelveTokens.size();
    for (std::size_t i = a.logits.size() - vocabulary; i < a.logits.size(); ++i)
        REQUIRE(a.logits[i] == Approx(b.logits[i]).margin(1e-5));
}

TEST_CASE("the gate lets through exactly the cells whose score is above its edge")
{
    engine::RunRequest request = requestForMaps("qwen3");
    request.gate = engine::ScoreGate{0.25};
    engine::Engine engine;
    const engine::RunResult result = test::value(engine.run(request));
    const engine::LayerMap scores = test::value(engine.layerMaps(request, 0, engine::MapKind::Scores));
    const engine::LayerMap gate = test::value(engine.layerMaps(request, 0, engine::MapKind::Gate));
    std::int64_t open = 0;
    for (int head = 0; head < result.heads.heads; ++head) {
        std::int64_t openInHead = 0;
        for (std::size_t cell = 0; cell < kTwelveTokens.size() * kTwelveTokens.size(); ++cell) {
            const std::size_t at = head * kTwelveTokens.size() * kTwelveTokens.size() + cell;
            REQUIRE(gate[at] == (scores[at] + 0.25f > 0 ? 1.0f : 0.0f));
            REQUIRE((result.maps[0][at] > 0) == (gate[at] > 0));
            openInHead += gate[at] > 0;
        }
        CHECK(result.statsOf({0, head}).density == Approx(openInHead / double(stats::causalCells(12))));
        open += openInHead;
    }
    CHECK(open > 0);
}

TEST_CASE("a value-weighted map is the weight times the size of what the value writes")
{
    const engine::RunRequest request = requestForMaps("llama-grouped");
    engine::Engine engine;
    const engine::RunResult result = test::value(engine.run(request));
    const engine::LayerMap weighted =
        test::value(engine.layerMaps(request, 1, engine::MapKind::ValueWeighted));
    const std::size_t length = kTwelveTokens.size();
    for (int head = 0; head < result.heads.heads; ++head) {
        const std::size_t base = head * length * length;
        for (std::size_t key = 0; key < length; ++key) {
            // The factor belongs to the key: every query that sees it shows the same one.
            const float factor =
                weighted[base + key * length + key] / result.maps[1][base + key * length + key];
            REQUIRE(factor > 0);
            for (std::size_t query = key; query < length; ++query) {
                const std::size_t cell = base + query * length + key;
                REQUIRE(weighted[cell] == Approx(result.maps[1][cell] * factor).margin(1e-6));
            }
        }
    }
}

TEST_CASE("loss is the mean surprise of the next token")
{
    const engine::RunResult result = test::freshRun(requestForMaps("olmo"));
    const std::size_t vocabulary = result.logits.size() / kTwelveTokens.size();
    double surprise = 0;
    for (std::size_t position = 0; position + 1 < kTwelveTokens.size(); ++position) {
        const float* const row = result.logits.data() + position * vocabulary;
        double sum = 0;
        for (std::size_t token = 0; token < vocabulary; ++token)
            sum += std::exp(double(row[token]));
        surprise += std::log(sum) - row[kTwelveTokens[position + 1]];
    }
    CHECK(result.loss.value() == Approx(surprise / (kTwelveTokens.size() - 1)).epsilon(1e-5));
    CHECK(result.predictions.size() == 10);
    CHECK(result.predictions[0].probability >= result.predictions[1].probability);
}

TEST_CASE("a cancelled run ends between layers and leaves nothing wrong behind")
{
    const engine::RunRequest request = requestForMaps("gpt2-inverse-layer");
    const engine::RunResult expected = test::freshRun(request);
    engine::Engine engine;
    std::stop_source stop;
    int reports = 0;
    const Hooks cancelInSecondLayer = {[&](int done, int) {
                                           ++reports;
                                           if (done == 1)
                                               stop.request_stop();
                                       },
                                       stop.get_token()};
    const auto cancelled = engine.run(request, cancelInSecondLayer);
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    CHECK(reports == 2);
    const engine::RunResult resumed = test::value(engine.run(request));
    CHECK(resumed.firstLayerComputed == 2);
    CHECK(isSame(resumed, expected));
}

TEST_CASE("a cancelled run does not read its predictions, and the next one has all layers")
{
    const engine::RunRequest request = requestForMaps("gpt2-inverse-layer");
    engine::Engine engine;
    std::stop_source stop;
    const auto cancelled = engine.run(request, {[&](int done, int total) {
                                                    if (done == total)
                                                        stop.request_stop();
                                                },
                                                stop.get_token()});
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    const engine::RunResult resumed = test::value(engine.run(request));
    CHECK(resumed.firstLayerComputed == resumed.heads.layers);
    CHECK(isSame(resumed, test::freshRun(request)));
}

TEST_CASE("a run tells its layers as they are done: those of the whole run, without predictions")
{
    engine::RunRequest request = requestForMaps("gpt2-inverse-layer");
    engine::Engine engine;
    std::vector<engine::RunResult> parts;
    const auto keep = [&](const std::function<engine::RunResult()>& soFar) { parts.push_back(soFar()); };
    const engine::RunResult whole = test::value(engine.run(request, {}, keep));
    REQUIRE(parts.size() == static_cast<std::size_t>(whole.heads.layers));
    for (std::size_t index = 0; index < parts.size(); ++index) {
        const engine::RunResult& part = parts[index];
        CHECK(part.heads.layers == static_cast<int>(index) + 1);
        CHECK(part.stats.size() == static_cast<std::size_t>(part.heads.total()));
        CHECK(part.tokens == whole.tokens);
        CHECK(part.tileRows == whole.tileRows);
        CHECK(part.predictions.empty());
        REQUIRE(part.tiles.size() == index + 1);
        CHECK(std::equal(part.tiles.begin(), part.tiles.end(), whole.tiles.begin()));
    }

    // What an earlier run has in common is there from the start.
    parts.clear();
    request.ablations[{1, 0}] = {};
    CHECK(test::value(engine.run(request, {}, keep)).firstLayerComputed == 1);
    REQUIRE_FALSE(parts.empty());
    CHECK(parts.front().heads.layers == 2);
    CHECK(parts.front().tiles.front() == whole.tiles.front());
}

TEST_CASE("requests that cannot run are refused in a sentence")
{
    engine::RunRequest request = requestForMaps("gpt2");
    std::string remedy;
    SECTION("no tokens")
    {
        request.tokens.clear();
        remedy = "type some text";
    }
    SECTION("an id below the vocabulary")
    {
        request.tokens[1] = -1;
        remedy = "from 0 to 60";
    }
    SECTION("an id beyond the vocabulary")
    {
        request.tokens[1] = 61;
        remedy = "from 0 to 60";
    }
    SECTION("longer than the context")
    {
        request.tokens.assign(request.model->spec().context + 1, 1);
        remedy = "shorten";
    }
    SECTION("a head that is not there")
    {
        request.ablations[{7, 0}] = {};
        remedy = "choose another";
    }
    SECTION("maps over budget")
    {
        request.capture.mapBudget = 100;
        remedy = "shorten the prompt";
    }
    SECTION("no model")
    {
        request.model = nullptr;
        remedy = "open one";
    }
    SECTION("a replacement from nowhere")
    {
        request.ablations[{0, 0}] = {engine::HeadAblation::Kind::Replace, {}};
        remedy = "equal length";
    }
    engine::Engine engine;
    const auto refused = engine.run(request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find(remedy) != std::string::npos);
    CHECK(refused.error().message.ends_with("."));
}

TEST_CASE("bfloat16 weights give patterns near those of float32")
{
    const model::ModelFiles files =
        test::value(model::locateModel((test::goldenModels() / "gpt2").string(), {}));
    engine::RunRequest exact = requestForMaps("gpt2");
    engine::RunRequest coarse = exact;
    coarse.model = test::value(engine::loadModel(files, {test::testOptions().device, model::DType::BF16}));
    const engine::RunResult a = test::freshRun(exact);
    const engine::RunResult b = test::freshRun(coarse);
    float worst = 0;
    for (std::size_t cell = 0; cell < kTwelveTokens.size() * kTwelveTokens.size() * a.heads.heads; ++cell)
        worst = std::max(worst, std::abs(a.maps[0][cell] - b.maps[0][cell]));
    CHECK(worst < 0.05f);
    CHECK(worst > 0);
}
