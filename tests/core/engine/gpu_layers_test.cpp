#include "analysis/metric_table.h"
#include "engine/engine.h"
#include "engine/gate_choice.h"
#include "engine/model.h"
#include "model/architectures.h"
#include "model/safetensors_writer.h"
#include "model/weight_plan.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/skip.h"
#include "support/temp_dir.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

using namespace hs;

namespace {

/// How near a GPU has to come to the processor, by the type it computes in.
struct Nearness {
    DType dtype = DType::F32;
    double attention = 0;
    double statistics = 0;  // relative where they are above one
    double probability = 0;
    int level = 0;  // of 255, in a tile
};

/// The processor computes in float32 whatever the weights' type: these are what 16 bits cost models whose
/// heads are as sharp as the golden ones'.
constexpr Nearness kNearness[] = {
    {DType::F32, 1e-5, 5e-5, 1e-5, 1}, {DType::BF16, 0.15, 0.1, 5e-2, 40}, {DType::F16, 5e-3, 1e-2, 5e-3, 3}};

void requireGpu()
{
    if (!chooseDevice("cuda"))
        test::skipTest("there is no GPU");
}

std::shared_ptr<const Model> openOn(const std::string& name, const std::string& device, DType dtype)
{
    const ModelFiles files = test::value(locateModel((test::goldenModels() / name).string(), {}));
    return test::value(loadModel(files, {test::value(chooseDevice(device)), dtype}));
}

RunRequest requestOn(std::shared_ptr<const Model> model)
{
    RunRequest request;
    request.model = std::move(model);
    for (int position = 0; position < 24; ++position)
        request.tokens.push_back(position * position % 17);
    request.capture.loss = false;
    request.gate = chooseGate({}, request.model->spec().gateBias);
    return request;
}

/// Nothing ablated, a head without output, one with its mean, and one from another run.
std::vector<Ablations> waysToAblate(Engine& engine, RunRequest request)
{
    request.tokens[3] = 2;
    request.capture.headOutputs = true;
    const HeadAblation other = {HeadAblation::Kind::Replace, test::value(engine.run(request)).headOutputs};
    return {{},
            {{{0, 1}, {HeadAblation::Kind::Zero, {}}}},
            {{{1, 0}, {HeadAblation::Kind::Mean, {}}}},
            {{{0, 0}, other}, {{1, 1}, {HeadAblation::Kind::Zero, {}}}}};
}

void checkNear(const RunResult& actual, const RunResult& expected, const Nearness& nearness)
{
    REQUIRE(actual.stats.size() == expected.stats.size());
    for (int head = 0; head < expected.heads.total(); ++head) {
        const HeadId id = expected.heads.at(head);
        INFO(toString(id));
        for (const Metric& metric : allMetrics()) {
            INFO(metric.name);
            const double a = metric.of(actual.statsOf(id));
            const double b = metric.of(expected.statsOf(id));
            REQUIRE(std::isnan(a) == std::isnan(b));
            // Counts may differ by cells at the very edge.
            const bool isCount = metric.name == "off_diagonal_above_half";
            if (!std::isnan(b))
                CHECK(std::abs(a - b) <= (isCount ? 3.0 : nearness.statistics * std::max(1.0, std::abs(b))));
        }
        int worst = 0;
        for (int cell = 0; cell < expected.tileSide * expected.tileSide; ++cell)
            worst = std::max(worst, std::abs(actual.tileOf(id)[cell] - expected.tileOf(id)[cell]));
        CHECK(worst <= nearness.level);
    }
    REQUIRE(actual.predictions.size() == expected.predictions.size());
    for (const Prediction& prediction : expected.predictions)
        for (const Prediction& other : actual.predictions)
            if (other.token == prediction.token)
                CHECK(std::abs(other.probability - prediction.probability) <= nearness.probability);
}

double furthest(const LayerMap& a, const LayerMap& b, int cells)
{
    double worst = 0;
    for (int cell = 0; cell < cells; ++cell)
        worst = std::max<double>(worst, std::abs(a[cell] - b[cell]));
    return worst;
}

/// A model with weights as they are drawn before training, in a folder.
ArchSpec writeNewModel(const std::filesystem::path& folder)
{
    const Json config = {{"model_type", "llama"},    {"num_hidden_layers", 4},
                         {"num_attention_heads", 8}, {"num_key_value_heads", 4},
                         {"hidden_size", 512},       {"intermediate_size", 1024},
                         {"vocab_size", 1000},       {"max_position_embeddings", 256},
                         {"rms_norm_eps", 1e-5},     {"rope_theta", 10000.0}};
    std::ofstream(folder / "config.json") << config;
    const ArchSpec spec = test::value(readArchSpec(config));
    std::vector<TensorSpec> tensors;
    for (const PlannedTensor& planned : planWeights(spec))
        for (const PlannedPart& part : planned.parts)
            tensors.push_back({part.name, DType::F32, part.shape});
    SafetensorsWriter writer = SafetensorsWriter::create(folder / "model.safetensors", tensors);
    std::mt19937 random(5);
    std::normal_distribution<float> drawn(0, 0.02f);
    for (const TensorSpec& tensor : tensors) {
        std::size_t count = 1;
        for (const std::int64_t extent : tensor.shape)
            count *= static_cast<std::size_t>(extent);
        std::vector<float> numbers(count, 1.0f);  // of norms
        if (tensor.shape.size() > 1)
            std::ranges::generate(numbers, [&] { return drawn(random); });
        writer.write(tensor.name, std::as_bytes(std::span(numbers)));
    }
    writer.finish();
    return spec;
}

bool areEqual(const RunResult& a, const RunResult& b)
{
    if (std::memcmp(a.stats.data(), b.stats.data(), a.stats.size() * sizeof(HeadStats)) != 0)
        return false;
    const std::size_t layerBytes = std::size_t(a.heads.heads) * a.tileSide * a.tileSide;
    for (int layer = 0; layer < a.heads.layers; ++layer)
        if (std::memcmp(a.tiles[layer].get(), b.tiles[layer].get(), layerBytes) != 0)
            return false;
    return a.predictions == b.predictions;
}

}  // namespace

TEST_CASE("a run on a GPU gives what the processor gives, whatever is ablated")
{
    requireGpu();
    for (const std::string& name : test::goldenNames())
        for (const Nearness& nearness : kNearness) {
            INFO(name << ", type " << static_cast<int>(nearness.dtype));
            RunRequest onGpu = requestOn(openOn(name, "cuda", nearness.dtype));
            RunRequest onCpu = requestOn(openOn(name, "cpu", nearness.dtype));
            Engine gpu, cpu;
            const std::vector<Ablations> gpuWays = waysToAblate(gpu, onGpu);
            const std::vector<Ablations> cpuWays = waysToAblate(cpu, onCpu);
            for (std::size_t way = 0; way < gpuWays.size(); ++way) {
                INFO("way " << way);
                onGpu.ablations = gpuWays[way];
                onCpu.ablations = cpuWays[way];
                checkNear(test::value(gpu.run(onGpu)), test::value(cpu.run(onCpu)), nearness);
            }
            const LayerMap actual = test::value(gpu.layerMaps(onGpu, 1, MapKind::Weights));
            const LayerMap expected = test::value(cpu.layerMaps(onCpu, 1, MapKind::Weights));
            const auto length = static_cast<int>(onCpu.tokens.size());
            const int cells = onCpu.model->spec().heads * length * length;
            CHECK(furthest(actual, expected, cells) <= nearness.attention);
        }
}

TEST_CASE("attention of a model as models begin is the processor's within 2e-3 in bfloat16")
{
    requireGpu();
    static constexpr int kTokens = 200;
    const test::TempDir folder;
    const ArchSpec spec = writeNewModel(folder.path());
    const auto mapsOn = [&](const std::string& device, int layer) {
        RunRequest request;
        const ModelFiles files = test::value(locateModel(folder.path().string(), {}));
        request.model = test::value(loadModel(files, {test::value(chooseDevice(device)), DType::BF16}));
        for (int position = 0; position < kTokens; ++position)
            request.tokens.push_back(position * 37 % spec.vocabulary);
        return test::value(Engine().layerMaps(request, layer, MapKind::Weights));
    };
    for (int layer = 0; layer < spec.layers; ++layer) {
        INFO("layer " << layer);
        CHECK(furthest(mapsOn("cuda", layer), mapsOn("cpu", layer), spec.heads * kTokens * kTokens) <= 2e-3);
    }
}

TEST_CASE("a run on a GPU that starts in a later layer, or is replayed, has the bits of a full one")
{
    requireGpu();
    for (const std::string& name : test::goldenNames())
        for (const DType dtype : {DType::F32, DType::BF16}) {
            INFO(name << ", type " << static_cast<int>(dtype));
            const RunRequest plain = requestOn(openOn(name, "cuda", dtype));
            RunRequest ablated = plain;
            ablated.ablations[{1, 1}] = {};
            Engine fresh, other;
            const RunResult expectedPlain = test::value(fresh.run(plain));
            const RunResult expectedAblated = test::value(other.run(ablated));
            Engine engine;
            for (int round = 0; round < 3; ++round) {
                CHECK(areEqual(test::value(engine.run(plain)), expectedPlain));
                const RunResult result = test::value(engine.run(ablated));
                CHECK(result.firstLayerComputed == 1);
                CHECK(areEqual(result, expectedAblated));
            }
        }
}

TEST_CASE("an engine goes on after a run on a GPU was cancelled, and with prompts of other lengths")
{
    requireGpu();
    RunRequest request = requestOn(openOn("llama-grouped", "cuda", DType::F32));
    const RunResult expected = test::value(Engine().run(request));
    Engine engine;
    std::stop_source stop;
    const Hooks hooks{[&](int done, int) {
                          if (done == 1)
                              stop.request_stop();
                      },
                      stop.get_token()};
    const Result<RunResult> cancelled = engine.run(request, hooks);
    REQUIRE(!cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    CHECK(areEqual(test::value(engine.run(request)), expected));
    RunRequest longer = request;
    for (int more = 0; more < 7; ++more)
        longer.tokens.push_back(more % 13);
    const RunResult expectedLonger = test::value(Engine().run(longer));
    CHECK(areEqual(test::value(engine.run(longer)), expectedLonger));
    CHECK(areEqual(test::value(engine.run(request)), expected));
}
