#include "analyses/circuit.h"
#include "engine/load/model.h"
#include "engine/load/weights_tensors.h"
#include "support/catch.h"
#include "support/models.h"

#include <algorithm>
#include <tuple>

using namespace hs;

namespace {

/// A model whole on the first device of a list, and spread over all of it.
struct Pair {
    std::shared_ptr<const engine::Model> whole;
    std::shared_ptr<const engine::Model> split;
    double tolerance = 0;
};

Pair openBoth(const std::string& name, const std::string& devices, double tolerance)
{
    const model::ModelFiles files =
        test::value(model::locateModel((test::goldenModels() / name).string(), {}));
    const engine::DeviceChoice choice = test::value(engine::chooseDevices(devices));
    Pair pair{test::value(engine::loadModel(files, {choice.devices.front(), model::DType::F32})),
              test::value(engine::loadModel(files, {choice, model::DType::F32})), tolerance};
    REQUIRE(pair.split->facts().placement.isSplit());
    return pair;
}

/// On the CPU twice, which must not change a bit, and together with a GPU if there is one.
std::vector<Pair> pairsOf(const std::string& name)
{
    std::vector<Pair> pairs = {openBoth(name, "cpu,cpu", 0)};
    if (engine::chooseDevice("cuda")) {
        pairs.push_back(openBoth(name, "cuda:0,cpu", 1e-5));
        pairs.push_back(openBoth(name, "cpu,cuda:0", 1e-5));
    }
    return pairs;
}

engine::RunRequest requestOnSplit(std::shared_ptr<const engine::Model> model)
{
    engine::RunRequest request;
    request.tokens = {3, 14, 15, 9, 26, 5, 3, 14, 15, 2};
    request.ablations[{0, 1}] = {engine::HeadAblation::Kind::Mean, {}};
    request.capture.fullMaps = request.capture.logits = true;
    request.model = std::move(model);
    return request;
}

void checkNear(const float* a, const float* b, std::size_t count, double tolerance)
{
    for (std::size_t index = 0; index < count; ++index)
        if (!(a[index] == b[index] || std::abs(a[index] - b[index]) <= tolerance)) {
            CAPTURE(index);
            REQUIRE(a[index] == b[index]);
        }
}

void checkNear(const std::vector<double>& a, const std::vector<double>& b, double tolerance)
{
    REQUIRE(a.size() == b.size());
    for (std::size_t index = 0; index < a.size(); ++index) {
        CAPTURE(index);
        CHECK(std::abs(a[index] - b[index]) <= tolerance * std::max(1.0, std::abs(a[index])));
    }
}

std::vector<double> numbersOf(const engine::Attribution& attribution)
{
    std::vector<double> numbers = {attribution.logit, attribution.probability};
    for (const engine::AttributionPart& part : attribution.parts)
        numbers.push_back(part.value);
    return numbers;
}

std::vector<double> numbersOf(const engine::VariantResult& result)
{
    std::vector<double> numbers;
    for (const engine::VariantReading& reading : result.variants)
        for (const double number :
             {reading.logit, reading.logitDifference, reading.probability, reading.loss, reading.divergence})
            numbers.push_back(number);
    return numbers;
}

/// Effects in the order of the heads: rounding may swap ranks that are almost equal.
std::vector<double> numbersOf(analyses::Circuit circuit)
{
    std::ranges::sort(circuit.units, {}, [](const analyses::CircuitUnit& unit) {
        return std::tuple(unit.head, unit.cell, unit.to);
    });
    std::vector<double> numbers = {circuit.clean, circuit.corrupted, circuit.none};
    for (const analyses::CircuitUnit& unit : circuit.units)
        numbers.push_back(unit.effect);
    return numbers;
}

}  // namespace

TEST_CASE("a split model gives the runs of the whole one")
{
    for (const std::string& name : test::goldenNames())
        for (const Pair& pair : pairsOf(name)) {
            INFO(name << " on " << toString(pair.split->facts().placement));
            const engine::RunResult whole = test::value(engine::Engine().run(requestOnSplit(pair.whole)));
            const engine::RunResult split = test::value(engine::Engine().run(requestOnSplit(pair.split)));
            const std::size_t length = whole.tokens.size();
            for (int layer = 0; layer < whole.heads.layers; ++layer)
                checkNear(whole.maps[layer].get(), split.maps[layer].get(),
                          whole.heads.heads * length * length, pair.tolerance);
            // Logits are larger than weights.
            checkNear(whole.logits.data(), split.logits.data(), whole.logits.size(), 100 * pair.tolerance);
            checkNear({*whole.loss}, {*split.loss}, pair.tolerance);
            if (pair.tolerance == 0) {
                CHECK((whole.predictions == split.predictions));
                CHECK(std::ranges::equal(
                    whole.stats, split.stats, [](const stats::HeadStats& a, const stats::HeadStats& b) {
                        return a.peak == b.peak && a.entropy == b.entropy && a.density == b.density;
                    }));
            }
        }
}

TEST_CASE("a split model that starts again in a layer gives the full run")
{
    for (const Pair& pair : pairsOf("gpt2")) {
        engine::Engine kept;
        engine::RunRequest request = requestOnSplit(pair.split);
        test::value(kept.run(request));
        request.ablations[{pair.split->spec().layers - 1, 0}] = {};
        const engine::RunResult again = test::value(kept.run(request));
        CHECK(again.firstLayerComputed == pair.split->spec().layers - 1);
        CHECK(again.logits == test::value(engine::Engine().run(request)).logits);
    }
}

TEST_CASE("maps and cells of single layers are those of the whole model")
{
    for (const Pair& pair : pairsOf("llama-grouped")) {
        engine::Engine whole;
        engine::Engine split;
        const engine::RunRequest onWhole = requestOnSplit(pair.whole);
        const engine::RunRequest onSplit = requestOnSplit(pair.split);
        const std::size_t cells = pair.whole->spec().heads * onWhole.tokens.size() * onWhole.tokens.size();
        for (const engine::MapKind kind : {engine::MapKind::Weights, engine::MapKind::Scores,
                                           engine::MapKind::Gate, engine::MapKind::ValueWeighted})
            for (int layer = 0; layer < pair.whole->spec().layers; ++layer)
                checkNear(test::value(whole.layerMaps(onWhole, layer, kind)).get(),
                          test::value(split.layerMaps(onSplit, layer, kind)).get(), cells,
                          100 * pair.tolerance);
        const std::vector<float> a = test::value(whole.cellWeights(onWhole, 7, 2));
        const std::vector<float> b = test::value(split.cellWeights(onSplit, 7, 2));
        REQUIRE(a.size() == b.size());
        checkNear(a.data(), b.data(), a.size(), pair.tolerance);
    }
}

TEST_CASE("an attribution of a split model is that of the whole one")
{
    for (const std::string name : {"gpt2", "olmo2", "gpt_neox-parallel"})
        for (const Pair& pair : pairsOf(name)) {
            INFO(name);
            const auto attributionOn = [](std::shared_ptr<const engine::Model> model) {
                return test::value(
                    engine::Engine().attribute({requestOnSplit(std::move(model)), -1, 12, 40}));
            };
            checkNear(numbersOf(attributionOn(pair.whole)), numbersOf(attributionOn(pair.split)),
                      10 * pair.tolerance);
        }
}

TEST_CASE("variants of a split model are those of the whole one")
{
    for (const std::string name : {"gpt2", "mistral-window"})
        for (const Pair& pair : pairsOf(name)) {
            INFO(name);
            const auto variantsOn = [](std::shared_ptr<const engine::Model> model) {
                engine::VariantRequest request{requestOnSplit(std::move(model)), {}, 12, 40};
                const HeadShape shape = request.run.model->spec().headShape();
                for (int index = 0; index < shape.total(); ++index)
                    request.variants.push_back({{shape.at(index), {}}});
                request.variants.push_back({});
                return numbersOf(test::value(engine::Engine().runVariants(request)));
            };
            checkNear(variantsOn(pair.whole), variantsOn(pair.split), 10 * pair.tolerance);
        }
}

TEST_CASE("circuits of a split model are those of the whole one, by patching and by gradients")
{
    using enum analyses::CircuitUnits;
    for (const analyses::CircuitUnits units : {Heads, Edges, Paths})
        for (const analyses::CircuitRanking ranking :
             {analyses::CircuitRanking::Restore, analyses::CircuitRanking::Gradient})
            for (const Pair& pair : pairsOf("llama-tied")) {
                const auto circuitOn = [&](std::shared_ptr<const engine::Model> model) {
                    analyses::CircuitRequest request;
                    request.clean.model = request.corrupted.model = std::move(model);
                    request.clean.tokens = {3, 14, 15, 9, 26, 5, 3, 14};
                    request.corrupted.tokens = {3, 14, 33, 9, 26, 5, 21, 14};
                    request.target = 12;
                    request.versus = 40;
                    request.units = units;
                    request.ranking = ranking;
                    engine::Engine engine;
                    return numbersOf(test::value(analyses::findCircuit(engine, request)));
                };
                // Effects are shares of a small difference.
                checkNear(circuitOn(pair.whole), circuitOn(pair.split), 1000 * pair.tolerance);
            }
}

TEST_CASE("every weight lies where its layer does, and a tied embedding at both ends")
{
    for (const Pair& pair : pairsOf("llama-tied")) {
        const engine::Placement& placement = pair.split->facts().placement;
        const auto isOn = [](const at::Tensor& tensor, engine::Device device) {
            return tensor.device().is_cuda() == device.isCuda();
        };
        const engine::ModelWeights& weights = pair.split->weights();
        CHECK(isOn(weights[model::Role::Embedding], placement.first()));
        CHECK(isOn(weights[model::Role::Unembedding], placement.last()));
        for (int layer = 0; layer < pair.split->spec().layers; ++layer)
            CHECK(isOn(weights.at(layer, model::Role::QkvWeight), placement.deviceOf(layer)));
        if (placement.first() == placement.last())
            CHECK(weights[model::Role::Unembedding].is_same(weights[model::Role::Embedding]));
    }
}
