#include "core/features/coders/coder_sample.h"
#include "features/coders/coded_outputs_tensors.h"
#include "features/coders/coder_writer.h"
#include "support/catch.h"
#include "support/models.h"

#include <numeric>

using namespace hs;
using features::Firing;
using features::Place;

namespace {

std::shared_ptr<const features::Transcoders> opened(const std::filesystem::path& folder,
                                                    const test::CoderSample& sample)
{
    return test::value(features::openTranscoders(folder, sample.spec()));
}

void requireClose(const at::Tensor& found, const at::Tensor& wanted, double tolerance)
{
    REQUIRE(found.sizes() == wanted.sizes());
    CHECK((found - wanted).abs().max().item<double>() <= tolerance * wanted.abs().max().item<double>());
}

/// The opened set gives the sample's activations and outputs, and rows of its decoders are those of the whole
/// matrices in whatever order they are asked for.
void requireSame(const features::Transcoders& coders, const test::CoderSample& sample,
                 double tolerance = 1e-5)
{
    const features::CoderFacts& facts = coders.facts();
    CHECK(facts.layers == sample.facts.layers);
    CHECK(facts.width == sample.facts.width);
    CHECK(facts.features == sample.facts.features);
    CHECK(facts.crossesLayers == sample.facts.crossesLayers);
    CHECK(facts.hasSkip == sample.facts.hasSkip);
    CHECK(facts.firing == sample.facts.firing);
    CHECK(facts.k == sample.facts.k);

    const std::vector<at::Tensor> inputs = sample.inputs();
    const std::vector<at::Tensor> activations = sample.activations(inputs);
    const std::vector<at::Tensor> outputs = sample.outputs(inputs);
    features::CodedOutputs coded(coders);
    const std::vector<std::int64_t> some = {5, 0, 7, 2};
    for (std::size_t layer = 0; layer < inputs.size(); ++layer) {
        const features::CoderLayer& weights = coders.weights().layers[layer];
        requireClose(features::fire(facts, weights,
                                    at::addmm(weights.encoderBias, inputs[layer], weights.encoder.t())),
                     activations[layer], tolerance);
        requireClose(coded.next(inputs[layer]), outputs[layer], tolerance);
        CHECK(coded.counts()[layer].equal(activations[layer].ne(0).sum(0)));
        for (std::size_t target = layer; target < inputs.size(); ++target) {
            const at::Tensor rows =
                coders.weights().decoders->rows(static_cast<int>(layer), static_cast<int>(target), some);
            if (target - layer < sample.decoders[layer].size())
                requireClose(rows, sample.decoders[layer][target - layer].index_select(0, at::tensor(some)),
                             tolerance);
            else
                CHECK(rows.eq(0).all().item<bool>());
        }
    }
}

const std::string kPerLayer = "model_kind: transcoder_set\nfeature_input_hook: mlp.hook_in\n";
const std::string kCross = "model_kind: cross_layer_transcoder\nfeature_input_hook: hook_resid_mid\n";

}  // namespace

TEST_CASE("circuit-tracer's sets give the same features, whatever fires them")
{
    const test::TempDir folder;
    SECTION("JumpReLU with skip")
    {
        const test::CoderSample sample(Firing::JumpRelu, false, true);
        const auto coders = opened(test::writeCircuitTracer(folder, sample, kPerLayer), sample);
        requireSame(*coders, sample);
        CHECK(coders->facts().place == Place::MlpInput);
        CHECK(coders->facts().layout == "circuit-tracer, a layer each");
    }
    SECTION("ReLU without settings")
    {
        const test::CoderSample sample(Firing::Relu, false, false);
        test::writeCircuitTracer(folder, sample, "");
        std::filesystem::remove(folder / "config.yaml");
        requireSame(*opened(folder.path(), sample), sample);
    }
    SECTION("TopK, which keeps the sign")
    {
        const test::CoderSample sample(Firing::TopK, false, false);
        requireSame(
            *opened(test::writeCircuitTracer(folder, sample, kPerLayer + "activation: topk\nk: 3\n"), sample),
            sample);
    }
    SECTION("files named by their addresses")
    {
        const test::CoderSample sample(Firing::Relu, false, false);
        test::writeCircuitTracer(folder, sample,
                                 "transcoders:\n- hf://org/repo/layer_0.safetensors?revision=main\n"
                                 "- layer_1.safetensors\n- \"layer_2.safetensors\"\n");
        requireSame(*opened(folder.path(), sample), sample);
    }
    SECTION("maps of addresses, as before July 2025")
    {
        const test::CoderSample sample(Firing::Relu, false, false);
        std::string settings = "transcoders:\n";
        for (const char* layer : {"0", "1", "2"})
            settings += "  - id: a\n    layer: " + std::string(layer) + "\n    filepath: layer_" + layer +
                        ".safetensors\n";
        requireSame(*opened(test::writeCircuitTracer(folder, sample, settings), sample), sample);
    }
    SECTION("across layers")
    {
        const test::CoderSample sample(Firing::JumpRelu, true, false);
        const auto coders = opened(test::writeCircuitTracer(folder, sample, kCross), sample);
        requireSame(*coders, sample);
        CHECK(coders->facts().place == Place::Middle);
    }
}

TEST_CASE("CLT-Forge's sets give the same features, whole and in shards")
{
    const bool crosses = GENERATE(true, false);
    const int shards = GENERATE(1, 2);
    const test::CoderSample sample(Firing::JumpRelu, crosses, false);
    const test::TempDir folder;
    const auto coders = opened(test::writeCltForge(folder, sample, shards), sample);
    requireSame(*coders, sample);
    CHECK(coders->facts().hasScales);
    // Its hook means the same in models with RMS norms only.
    CHECK(coders->facts().place == Place::Normed);
    model::ArchSpec spec = sample.spec();
    spec.norm = model::NormKind::LayerNorm;
    CHECK_FALSE(test::value(features::openTranscoders(folder.path(), spec))->facts().place);
}

TEST_CASE("sparsify's sets give the same features, with and without skip")
{
    const test::CoderSample sample(Firing::ReluTopK, false, GENERATE(true, false));
    const test::TempDir folder;
    const auto coders = opened(test::writeSparsify(folder, sample), sample);
    requireSame(*coders, sample);
    CHECK(coders->facts().place == Place::MlpInput);
}

TEST_CASE("clt-training's sets give the same features, norms and divisors folded in")
{
    const test::CoderSample sample(Firing::ReluTopK, true, false);
    const test::TempDir folder;
    requireSame(*opened(test::writeCltTraining(folder, sample), sample), sample);
}

TEST_CASE("clt-training's tied decoders are those of the target or of the source")
{
    test::CoderSample sample(Firing::ReluTopK, true, false);
    const test::TempDir folder;
    const std::string tying = GENERATE("concat", "per-layer", "source");
    // What each target has of its own, as rows below each other for "per-layer".
    for (std::size_t layer = 0; layer < 3; ++layer) {
        const std::string where = "layers." + std::to_string(layer) + ".mlp/";
        test::Tensors tensors = {{"encoder.weight", sample.layers[layer].encoder},
                                 {"encoder.bias", sample.layers[layer].encoderBias},
                                 {"W_dec", sample.decoders[layer].front()},
                                 {"b_dec", sample.layers[layer].decoderBias}};
        std::string settings = R"("coalesce_topk": ")" + tying + R"(")";
        if (tying == "per-layer") {
            std::vector<at::Tensor> rows;
            for (std::size_t source = 0; source <= layer; ++source)
                rows.push_back(sample.decoders[source][layer - source]);
            tensors["W_dec"] = at::cat(rows);
        } else if (tying == "concat") {
            for (std::size_t source = 0; source < layer; ++source)
                sample.decoders[source][layer - source] = sample.decoders[layer].front();
        } else {
            settings = R"("per_source_tied": true)";
            for (std::size_t target = layer; target < 3; ++target) {
                sample.decoders[layer][target - layer] = sample.decoders[layer].front();
                tensors["b_decs." + std::to_string(target - layer)] =
                    sample.layers[target].decoderBias / static_cast<double>(target + 1);
            }
        }
        test::writeTensors(folder / (where + "sae.safetensors"), tensors);
        folder.write(where + "cfg.json", R"({"k": 3, "transcode": true, "n_targets": )" +
                                             std::to_string(3 - layer) + ", " + settings + "}");
    }
    requireSame(*opened(folder.path(), sample), sample);
}

TEST_CASE("what sparsify adds to activations and multiplies them with is part of what fires")
{
    const test::CoderSample sample(Firing::ReluTopK, false, false);
    const test::TempDir folder;
    test::writeSparsify(folder, sample);
    const at::Tensor shift = at::randn({8}), gain = at::randn({8});
    for (std::size_t layer = 0; layer < 3; ++layer)
        test::writeTensors(folder / ("layers." + std::to_string(layer) + ".mlp/sae.safetensors"),
                           {{"encoder.weight", sample.layers[layer].encoder},
                            {"encoder.bias", sample.layers[layer].encoderBias},
                            {"W_dec", sample.decoders[layer].front()},
                            {"b_dec", sample.layers[layer].decoderBias},
                            {"post_enc", shift},
                            {"post_enc_scale", gain}});
    const auto coders = opened(folder.path(), sample);
    const std::vector<at::Tensor> inputs = sample.inputs();
    const at::Tensor plain = sample.activations(inputs).front();
    const features::CoderLayer& layer = coders->weights().layers.front();
    requireClose(features::fire(coders->facts(), layer,
                                at::addmm(layer.encoderBias, inputs.front(), layer.encoder.t())),
                 (plain + shift * (plain > 0)) * gain, 1e-5);
}

TEST_CASE("SAELens's sets give the same features, with settings of today and of before")
{
    const test::TempDir folder;
    SECTION("JumpReLU with skip")
    {
        const test::CoderSample sample(Firing::JumpRelu, false, true);
        const auto coders = opened(test::writeSaeLens(folder, sample, false), sample);
        requireSame(*coders, sample);
        CHECK(coders->facts().place == Place::Middle);
    }
    SECTION("ReLU, old")
    {
        const test::CoderSample sample(Firing::Relu, false, false);
        requireSame(*opened(test::writeSaeLens(folder, sample, true), sample), sample);
    }
}

TEST_CASE("Gemma Scope's sets give the same features")
{
    const test::TempDir folder;
    SECTION("NPZ")
    {
        const test::CoderSample sample(Firing::JumpRelu, false, false);
        const auto coders = opened(test::writeGemmaScope(folder, sample), sample);
        requireSame(*coders, sample);
        CHECK(coders->facts().place == Place::Normed);
    }
    SECTION("2, a layer each")
    {
        const test::CoderSample sample(Firing::JumpRelu, false, true);
        requireSame(*opened(test::writeGemmaScope2(folder, sample), sample), sample);
    }
    SECTION("2, across layers")
    {
        const test::CoderSample sample(Firing::JumpRelu, true, true);
        requireSame(*opened(test::writeGemmaScope2(folder, sample), sample), sample);
    }
}

TEST_CASE("a threshold below 0 lets nothing negative through where the program that trained it does not")
{
    test::CoderSample sample(Firing::JumpRelu, false, false);
    for (features::CoderLayer& layer : sample.layers)
        layer.threshold = -layer.threshold;
    const test::TempDir tracer, lens;
    requireSame(*opened(test::writeCircuitTracer(tracer, sample, kPerLayer), sample), sample);
    for (features::CoderLayer& layer : sample.layers)
        layer.threshold = layer.threshold.clamp_min(0);
    const test::CoderSample floored = sample;
    for (features::CoderLayer& layer : sample.layers)
        layer.threshold = layer.threshold - 1;
    requireSame(*opened(test::writeSaeLens(lens, sample, false), sample), floored);
}

TEST_CASE("a set that was written is opened as it was, in every type")
{
    const Firing firing = GENERATE(Firing::Relu, Firing::JumpRelu, Firing::TopK, Firing::ReluTopK);
    const bool crosses = GENERATE(true, false);
    const model::DType type = GENERATE(model::DType::F32, model::DType::F16, model::DType::BF16);
    test::CoderSample sample(firing, crosses, !crosses);
    sample.facts.place = Place::Normed;
    sample.facts.centresOutput = crosses;
    const test::TempDir folder;
    for (int layer = 0; layer < 3; ++layer) {
        const auto index = static_cast<std::size_t>(layer);
        features::writeCoderLayer(
            folder.path(), sample.facts, layer, sample.layers[index],
            crosses ? at::stack(sample.decoders[index], 1) : sample.decoders[index].front(), type);
        // What was rounded in the file is what the sample is, then.
        const auto round = [&](at::Tensor& tensor) {
            tensor = tensor
                         .to(type == model::DType::F32   ? at::kFloat
                             : type == model::DType::F16 ? at::kHalf
                                                         : at::kBFloat16)
                         .to(at::kFloat);
        };
        round(sample.layers[index].encoder);
        if (!crosses)
            round(sample.layers[index].skip);
        for (at::Tensor& decoder : sample.decoders[index])
            round(decoder);
    }
    features::writeCoderCard(folder.path(), sample.facts,
                             {"a \"model\": #1", {0.1, 0.2, NAN}, {3, 3, 3}, 1000});
    const auto coders = opened(folder.path(), sample);
    requireSame(*coders, sample);
    CHECK(coders->facts().place == Place::Normed);
    CHECK(coders->facts().centresOutput == crosses);
    CHECK(coders->facts().hasScales);
}

TEST_CASE("a set that reads elsewhere or at another scale is the same set")
{
    const test::CoderSample sample(Firing::Relu, true, false);
    const test::TempDir folder;
    const auto coders = opened(test::writeCircuitTracer(folder, sample, kCross), sample);
    const auto other = features::readingAt(coders, Place::Normed, true, {2, 2, 2});
    CHECK(other->facts().place == Place::Normed);
    CHECK(other->facts().centresOutput);
    features::CodedOutputs plain(*coders), scaled(*other);
    for (const at::Tensor& input : sample.inputs())
        requireClose(scaled.next(input / 2), plain.next(input), 1e-5);
}

TEST_CASE("transcoders are those given, or those beside the model")
{
    const test::TempDir folder;
    folder.write("model.gguf", "");
    CHECK(features::findTranscoders("/somewhere", folder.path()) == "/somewhere");
    CHECK_FALSE(features::findTranscoders({}, folder.path()));
    folder.write("transcoders/config.yaml", "");
    CHECK(features::findTranscoders({}, folder.path()) == folder / "transcoders");
    CHECK(features::findTranscoders({}, folder / "model.gguf") == folder / "transcoders");
}
