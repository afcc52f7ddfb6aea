#include "engine/load/model.h"
#include "engine/request/gate_choice.h"
#include "engine/run/engine.h"
#include "model/architectures.h"
#include "model/safetensors_writer.h"
#include "model/weight_plan.h"
#include "stats/metric_table.h"
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

/// How close a GPU has to come to the CPU, by the type it computes in.
struct Nearness {
    model::DType dtype = model::DType::F32;
    double attention = 0;
    double statistics = 0;  // relative where they are above one
    double probability = 0;
    int level = 0;  // of 255, in a tile
};

/// The CPU computes in float32 whatever the weights' type: this is what 16 bits cost in models with heads
/// as sharp as the golden ones'.
constexpr Nearness kNearness[] = {{model::DType::F32, 1e-5, 5e-5, 1e-5, 1},
                                  {model::DType::BF16, 0.15, 0.1, 5e-2, 40},
                                  {model::DType::F16, 2e-2, 1e-2, 1e-2, 3}};

void requireGpu()
{
    if (!engine::chooseDevice("cuda"))
        test::skipTest("there is no GPU");
}

std::shared_ptr<const engine::Model> openOn(const std::string& name, const std::string& device,
                                            model::DType dtype)
{
    const model::ModelFiles files =
        test::value(model::locateModel((test::goldenModels() / name).string(), {}));
    return test::value(engine::loadModel(files, {test::value(engine::chooseDevice(device)), dtype}));
}

engine::RunRequest requestOnLayers(std::shared_ptr<const engine::Model> model)
{
    engine::RunRequest request;
    request.model = std::move(model);
    for (int position = 0; position < 24; ++position)
        request.tokens.push_back(position * position % 17);
    request.capture.loss = false;
    request.gate = engine::chooseGate({}, request.model->spec().gateBias);
    return request;
}

engine::HeadAblation cellChange(const std::string& text)
{
    const HeadChange change = test::value(parseHeadChange(text));
    return {change.kind, nullptr, nullptr, change.cells};
}

/// Nothing ablated; a head without output, one with its mean, and one from another run; cells; MLPs.
std::vector<engine::Ablations> waysToAblate(engine::Engine& engine, engine::RunRequest request)
{
    request.tokens[3] = 2;
    request.capture.headOutputs = true;
    const engine::HeadAblation other = {engine::HeadAblation::Kind::Replace,
                                        test::value(engine.run(request)).headOutputs};
    return {{},
            {{{0, 1}, {engine::HeadAblation::Kind::Zero, {}}}},
            {{{1, 0}, {engine::HeadAblation::Kind::Mean, {}}}},
            {{{0, 0}, other}, {{1, 1}, {engine::HeadAblation::Kind::Zero, {}}}},
            {{{0, 1}, cellChange("[3-9<0-2]")}, {{1, 0}, cellChange("[*<0]:renormalise[5<5]:scale=2")}},
            {{HeadId::mlpOf(0), {engine::HeadAblation::Kind::Zero, {}}}},
            {{HeadId::mlpOf(0), other}, {HeadId::mlpOf(1), {engine::HeadAblation::Kind::Mean, {}}}}};
}

void checkNear(const engine::RunResult& actual, const engine::RunResult& expected, const Nearness& nearness)
{
    REQUIRE(actual.stats.size() == expected.stats.size());
    for (int head = 0; head < expected.heads.total(); ++head) {
        const HeadId id = expected.heads.at(head);
        INFO(toString(id));
        for (const stats::Metric& metric : stats::allMetrics()) {
            INFO(metric.name);
            const double a = metric.of(actual.statsOf(id));
            const double b = metric.of(expected.statsOf(id));
            REQUIRE(std::isnan(a) == std::isnan(b));
            // Counts may differ by cells right at the edge.
            const bool isCount = metric.name == "off_diagonal_above_half";
            if (!std::isnan(b))
                CHECK(std::abs(a - b) <= (isCount ? 3.0 : nearness.statistics * std::max(1.0, std::abs(b))));
        }
        int worst = 0;
        for (int cell = 0; cell < expected.tileRows * expected.tileRows; ++cell)
            worst = std::max(worst, std::abs(actual.tileOf(id)[cell] - expected.tileOf(id)[cell]));
        CHECK(worst <= nearness.level);
    }
    REQUIRE(actual.predictions.size() == expected.predictions.size());
    for (const engine::Prediction& prediction : expected.predictions)
        for (const engine::Prediction& other : actual.predictions)
            if (other.token == prediction.token)
                CHECK(std::abs(other.probability - prediction.probability) <= nearness.probability);
}

double furthest(const engine::LayerMap& a, const engine::LayerMap& b, int cells)
{
    double worst = 0;
    for (int cell = 0; cell < cells; ++cell)
        worst = std::max<double>(worst, std::abs(a[cell] - b[cell]));
    return worst;
}

/// Writes a model with weights as drawn before training to a folder.
model::ArchSpec writeNewModel(const std::filesystem::path& folder)
{
    const Json config = {{"model_type", "llama"},    {"num_hidden_layers", 4},
                         {"num_attention_heads", 8}, {"num_key_value_heads", 4},
                         {"hidden_size", 512},       {"intermediate_size", 1024},
                         {"vocab_size", 1000},       {"max_position_embeddings", 256},
                         {"rms_norm_eps", 1e-5},     {"rope_theta", 10000.0}};
    std::ofstream(folder / "config.json") << config;
    const model::ArchSpec spec = test::value(model::readArchSpec(config));
    std::vector<model::TensorSpec> tensors;
    for (const model::PlannedTensor& planned : model::planWeights(spec))
        for (const model::PlannedPart& part : planned.parts)
            tensors.push_back({part.name, model::DType::F32, part.shape});
    model::SafetensorsWriter writer = model::SafetensorsWriter::create(folder / "model.safetensors", tensors);
    std::mt19937 random(5);
    std::normal_distribution<float> drawn(0, 0.02f);
    for (const model::TensorSpec& tensor : tensors) {
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

bool areEqual(const engine::RunResult& a, const engine::RunResult& b)
{
    if (std::memcmp(a.stats.data(), b.stats.data(), a.stats.size() * sizeof(stats::HeadStats)) != 0)
        return false;
    const std::size_t layerBytes = std::size_t(a.heads.heads) * a.tileRows * a.tileRows;
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
            engine::RunRequest onGpu = requestOnLayers(openOn(name, "cuda", nearness.dtype));
            engine::RunRequest onCpu = requestOnLayers(openOn(name, "cpu", nearness.dtype));
            engine::Engine gpu, cpu;
            const std::vector<engine::Ablations> gpuWays = waysToAblate(gpu, onGpu);
            const std::vector<engine::Ablations> cpuWays = waysToAblate(cpu, onCpu);
            for (std::size_t way = 0; way < gpuWays.size(); ++way) {
                INFO("way " << way);
                onGpu.ablations = gpuWays[way];
                onCpu.ablations = cpuWays[way];
                checkNear(test::value(gpu.run(onGpu)), test::value(cpu.run(onCpu)), nearness);
            }
            const engine::LayerMap actual = test::value(gpu.layerMaps(onGpu, 1, engine::MapKind::Weights));
            const engine::LayerMap expected = test::value(cpu.layerMaps(onCpu, 1, engine::MapKind::Weights));
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
    const model::ArchSpec spec = writeNewModel(folder.path());
    const auto mapsOn = [&](const std::string& device, int layer) {
        engine::RunRequest request;
        const model::ModelFiles files = test::value(model::locateModel(folder.path().string(), {}));
        request.model = test::value(
            engine::loadModel(files, {test::value(engine::chooseDevice(device)), model::DType::BF16}));
        for (int position = 0; position < kTokens; ++position)
            request.tokens.push_back(position * 37 % spec.vocabulary);
        return test::value(engine::Engine().layerMaps(request, layer, engine::MapKind::Weights));
    };
    for (int layer = 0; layer < spec.layers; ++layer) {
        INFO("layer " << layer);
        CHECK(furthest(mapsOn("cuda", layer), mapsOn("cpu", layer), spec.heads * kTokens * kTokens) <= 2e-3);
    }
}

TEST_CASE("the loss on a GPU is that of the logits at every position, in however many portions")
{
    requireGpu();
    const Json config = {{"model_type", "llama"},    {"num_hidden_layers", 2},
                         {"num_attention_heads", 4}, {"num_key_value_heads", 2},
                         {"hidden_size", 64},        {"intermediate_size", 96},
                         {"vocab_size", 1003},       {"max_position_embeddings", 1024},
                         {"rms_norm_eps", 1e-5},     {"rope_theta", 10000.0}};
    const model::ArchSpec spec = test::value(model::readArchSpec(config));
    for (const auto& [dtype, close] : {std::pair(model::DType::F32, 1e-5), std::pair(model::DType::F16, 1e-3),
                                       std::pair(model::DType::BF16, 1e-2)}) {
        engine::RunRequest request;
        request.model =
            test::value(engine::randomModel(spec, 3, {test::value(engine::chooseDevice("cuda")), dtype}));
        engine::Engine engine;
        for (const int length : {2, 5, 127, 128, 129, 130, 257, 700}) {
            INFO(length << " tokens, type " << static_cast<int>(dtype));
            request.tokens.clear();
            for (int position = 0; position < length; ++position)
                request.tokens.push_back(position * 37 % spec.vocabulary);
            request.capture.logits = false;
            const engine::RunResult quick = test::value(engine.run(request));
            request.capture.logits = true;
            const engine::RunResult thorough = test::value(engine.run(request));
            double sum = 0;
            for (int position = 0; position + 1 < length; ++position) {
                const float* const row = &thorough.logits[std::size_t(position) * spec.vocabulary];
                double exponentials = 0;
                for (int token = 0; token < spec.vocabulary; ++token)
                    exponentials += std::exp(double(row[token]));
                sum += std::log(exponentials) - row[request.tokens[position + 1]];
            }
            CHECK(*quick.loss == Approx(sum / (length - 1)).epsilon(close));
            CHECK(*thorough.loss == Approx(sum / (length - 1)).epsilon(close));
            if (dtype == model::DType::F32)
                CHECK(quick.predictions.front().token == thorough.predictions.front().token);
        }
    }
}

TEST_CASE("a run on a GPU that starts in a later layer, or is replayed, has the bits of a full one")
{
    requireGpu();
    for (const std::string& name : test::goldenNames())
        for (const model::DType dtype : {model::DType::F32, model::DType::BF16}) {
            INFO(name << ", type " << static_cast<int>(dtype));
            const engine::RunRequest plain = requestOnLayers(openOn(name, "cuda", dtype));
            engine::RunRequest ablated = plain;
            ablated.ablations[{1, 1}] = {};
            engine::Engine fresh, other;
            const engine::RunResult expectedPlain = test::value(fresh.run(plain));
            const engine::RunResult expectedAblated = test::value(other.run(ablated));
            engine::Engine engine;
            for (int round = 0; round < 3; ++round) {
                CHECK(areEqual(test::value(engine.run(plain)), expectedPlain));
                const engine::RunResult result = test::value(engine.run(ablated));
                CHECK(result.firstLayerComputed == 1);
                CHECK(areEqual(result, expectedAblated));
            }
        }
}

TEST_CASE("a GPU's replayed layers have the cells that are cut now, with the bits of a run of its own")
{
    requireGpu();
    for (const std::string& name : test::goldenNames())
        for (const model::DType dtype : {model::DType::F32, model::DType::BF16}) {
            INFO(name << ", type " << static_cast<int>(dtype));
            engine::RunRequest request = requestOnLayers(openOn(name, "cuda", dtype));
            std::string many;
            for (int query = 1; query < 24; ++query)
                for (int key = 0; key < 20; ++key)  // more than there is room for at first
                    many += "[" + std::to_string(query) + "<" + std::to_string(std::min(key, query)) +
                            "]:scale=0.5";
            const std::vector<std::string> changes = {"[4<2]", "[9<0]", "[*<0]:renormalise", many, "[4<2]"};
            engine::Engine engine;
            for (int round = 0; round < 3; ++round)
                for (const std::string& change : changes) {
                    request.ablations = {{{1, 1}, cellChange(change)}};
                    CHECK(areEqual(test::value(engine.run(request)),
                                   test::value(engine::Engine().run(request))));
                }
        }
}

TEST_CASE("a head all of whose cells are cut writes on a GPU what an ablated head writes, bit for bit")
{
    requireGpu();
    for (const std::string& name : test::goldenNames())
        for (const model::DType dtype : {model::DType::F32, model::DType::F16, model::DType::BF16}) {
            INFO(name << ", type " << static_cast<int>(dtype));
            engine::RunRequest request = requestOnLayers(openOn(name, "cuda", dtype));
            engine::RunRequest scaled = request;
            request.capture.logits = scaled.capture.logits = true;
            const engine::RunResult plain = test::value(engine::Engine().run(request));
            request.ablations = {{{1, 0}, cellChange("[*<*]")}};
            scaled.ablations = {{{1, 0}, cellChange("[*<*]:scale=1")}};
            const engine::RunResult cut = test::value(engine::Engine().run(request));
            request.ablations = {{{1, 0}, {engine::HeadAblation::Kind::Zero, {}}}};
            CHECK((cut.logits == test::value(engine::Engine().run(request)).logits));
            CHECK((test::value(engine::Engine().run(scaled)).logits == plain.logits));
        }
}

TEST_CASE("an engine goes on after a run on a GPU was cancelled, and with prompts of other lengths")
{
    requireGpu();
    engine::RunRequest request = requestOnLayers(openOn("llama-grouped", "cuda", model::DType::F32));
    const engine::RunResult expected = test::value(engine::Engine().run(request));
    engine::Engine engine;
    std::stop_source stop;
    const Hooks hooks{[&](int done, int) {
                          if (done == 1)
                              stop.request_stop();
                      },
                      stop.get_token()};
    const Result<engine::RunResult> cancelled = engine.run(request, hooks);
    REQUIRE(!cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    CHECK(areEqual(test::value(engine.run(request)), expected));
    engine::RunRequest longer = request;
    for (int more = 0; more < 7; ++more)
        longer.tokens.push_back(more % 13);
    const engine::RunResult expectedLonger = test::value(engine::Engine().run(longer));
    CHECK(areEqual(test::value(engine.run(longer)), expectedLonger));
    CHECK(areEqual(test::value(engine.run(request)), expected));
}
