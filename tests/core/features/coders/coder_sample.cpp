#include "core/features/coders/coder_sample.h"

#include "base/npz_writer.h"
#include "engine/device/device_tensors.h"
#include "model/safetensors_writer.h"

#include <cmath>

namespace hs::test {
namespace {

namespace fs = std::filesystem;
using features::Firing;

constexpr int kLayers = 3;
constexpr int kWidth = 6;
constexpr int kFeatures = 8;

std::string number(int layer)
{
    return std::to_string(layer);
}

std::size_t nth(int index)
{
    return static_cast<std::size_t>(index);
}

}  // namespace

CoderSample::CoderSample(Firing firing, bool crossesLayers, bool hasSkip)
{
    facts.layers = kLayers;
    facts.width = kWidth;
    facts.features = kFeatures;
    facts.crossesLayers = crossesLayers;
    facts.hasSkip = hasSkip;
    facts.firing = firing;
    facts.k = firing == Firing::TopK || firing == Firing::ReluTopK ? 3 : 0;
    at::Generator draws = engine::newGenerator(at::kCPU, 5);
    const auto random = [&](std::vector<std::int64_t> shape) { return at::randn(shape, draws); };
    for (int layer = 0; layer < kLayers; ++layer) {
        features::CoderLayer each;
        each.encoder = random({kFeatures, kWidth});
        each.encoderBias = random({kFeatures});
        if (firing == Firing::JumpRelu)
            each.threshold = random({kFeatures}).abs();
        each.decoderBias = random({kWidth});
        if (hasSkip)
            each.skip = random({kWidth, kWidth});
        layers.push_back(each);
        decoders.emplace_back();
        for (int target = layer; target < (crossesLayers ? kLayers : layer + 1); ++target)
            decoders.back().push_back(random({kFeatures, kWidth}));
    }
}

model::ArchSpec CoderSample::spec() const
{
    model::ArchSpec spec;
    spec.layers = facts.layers;
    spec.hidden = facts.width;
    return spec;
}

std::vector<at::Tensor> CoderSample::inputs() const
{
    at::Generator draws = engine::newGenerator(at::kCPU, 6);
    std::vector<at::Tensor> inputs;
    for (int layer = 0; layer < kLayers; ++layer)
        inputs.push_back(at::randn({7, kWidth}, draws));
    return inputs;
}

std::vector<at::Tensor> CoderSample::activations(const std::vector<at::Tensor>& inputs) const
{
    std::vector<at::Tensor> result;
    for (std::size_t layer = 0; layer < inputs.size(); ++layer) {
        at::Tensor z = at::matmul(inputs[layer], layers[layer].encoder.t()) + layers[layer].encoderBias;
        switch (facts.firing) {
        case Firing::Relu: z = z.clamp_min(0); break;
        case Firing::JumpRelu: z = z * (z > layers[layer].threshold); break;
        case Firing::ReluTopK: z = z.clamp_min(0); [[fallthrough]];
        case Firing::TopK: z = z * (z >= std::get<0>(z.topk(facts.k, -1)).slice(-1, facts.k - 1)); break;
        }
        result.push_back(z);
    }
    return result;
}

std::vector<at::Tensor> CoderSample::outputs(const std::vector<at::Tensor>& inputs) const
{
    const std::vector<at::Tensor> fired = activations(inputs);
    std::vector<at::Tensor> result;
    for (std::size_t target = 0; target < inputs.size(); ++target) {
        at::Tensor output = layers[target].decoderBias.expand_as(inputs[target]);
        for (std::size_t source = 0; source <= target; ++source)
            if (target - source < decoders[source].size())
                output = output + at::matmul(fired[source], decoders[source][target - source]);
        if (facts.hasSkip)
            output = output + at::matmul(inputs[target], layers[target].skip.t());
        result.push_back(output);
    }
    return result;
}

void writeTensors(const fs::path& file, const Tensors& tensors)
{
    fs::create_directories(file.parent_path());
    std::vector<model::TensorSpec> specs;
    for (const auto& [name, tensor] : tensors)
        specs.push_back({name, engine::fromTorchType(tensor.scalar_type(), name), tensor.sizes().vec()});
    auto writer = model::SafetensorsWriter::create(file, specs);
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor values = tensor.contiguous();
        writer.write(name, {static_cast<const std::byte*>(values.data_ptr()), values.nbytes()});
    }
    writer.finish();
}

fs::path writeCircuitTracer(const TempDir& folder, const CoderSample& sample, const std::string& settings)
{
    const bool crosses = sample.facts.crossesLayers;
    for (int layer = 0; layer < kLayers; ++layer) {
        const features::CoderLayer& each = sample.layers[nth(layer)];
        const std::string end = crosses ? "_" + number(layer) : "";
        Tensors tensors = {{"W_enc" + end, each.encoder},
                           {"b_enc" + end, each.encoderBias},
                           {"b_dec" + end, each.decoderBias}};
        if (each.threshold.defined())
            tensors[crosses ? "threshold" + end : "activation_function.threshold"] = each.threshold;
        if (each.skip.defined())
            tensors["W_skip"] = each.skip;
        if (crosses)
            writeTensors(folder / ("W_dec" + end + ".safetensors"),
                         {{"W_dec" + end, at::stack(sample.decoders[nth(layer)], 1)}});
        else
            tensors["W_dec"] = sample.decoders[nth(layer)].front();
        writeTensors(folder / ((crosses ? "W_enc_" : "layer_") + number(layer) + ".safetensors"), tensors);
    }
    folder.write("config.yaml", settings);
    return folder.path();
}

fs::path writeCltForge(const TempDir& folder, const CoderSample& sample, int shards)
{
    const at::Tensor in = at::tensor({2.0F, 0.5F, 3.0F});
    const at::Tensor out = at::tensor({0.25F, 4.0F, 0.5F});
    std::vector<at::Tensor> encoders, biases, thresholds, decoders, decoderBiases;
    for (int layer = 0; layer < kLayers; ++layer) {
        const features::CoderLayer& each = sample.layers[nth(layer)];
        encoders.push_back(each.encoder.t() / in[layer]);
        biases.push_back(each.encoderBias);
        thresholds.push_back(each.threshold.log());
        for (int target = layer; target < layer + static_cast<int>(sample.decoders[nth(layer)].size());
             ++target) {
            decoders.push_back(sample.decoders[nth(layer)][nth(target - layer)] * out[target]);
            const int sources = sample.facts.crossesLayers ? target + 1 : 1;  // each has a part of the bias
            decoderBiases.push_back(sample.layers[nth(target)].decoderBias * out[target] / sources);
        }
    }
    const std::int64_t share = kFeatures / shards;
    for (int shard = 0; shard < shards; ++shard)
        writeTensors(folder / ((shards > 1 ? "rank" + number(shard) + "_" : "") + "clt_weights.safetensors"),
                     {{"W_enc", at::stack(encoders).narrow(2, shard * share, share)},
                      {"b_enc", at::stack(biases).narrow(1, shard * share, share)},
                      {"log_threshold", at::stack(thresholds).narrow(1, shard * share, share)},
                      {"W_dec", at::stack(decoders).narrow(1, shard * share, share)},
                      {"b_dec", at::stack(decoderBiases)},
                      {"estimated_norm_scaling_factor_in", in},
                      {"estimated_norm_scaling_factor_out", out},
                      {"feature_count", at::zeros({kLayers, share})}});
    folder.write("clt_cfg.json",
                 "{\"d_in\": 6, \"d_latent\": 8, \"n_layers\": 3, \"cross_layer_decoders\": " +
                     std::string(sample.facts.crossesLayers ? "true" : "false") +
                     (shards > 1 ? ", \"feature_sharding\": true}" : "}"));
    return folder.path();
}

fs::path writeSparsify(const TempDir& folder, const CoderSample& sample, const std::string& settings)
{
    for (int layer = 0; layer < kLayers; ++layer) {
        const features::CoderLayer& each = sample.layers[nth(layer)];
        const std::string where = "layers." + number(layer) + ".mlp/";
        Tensors tensors = {{"encoder.weight", each.encoder},
                           {"encoder.bias", each.encoderBias},
                           {"W_dec", sample.decoders[nth(layer)].front()},
                           {"b_dec", each.decoderBias}};
        if (each.skip.defined())
            tensors["W_skip"] = each.skip;
        writeTensors(folder / (where + "sae.safetensors"), tensors);
        folder.write(where + "cfg.json",
                     "{\"activation\": \"topk\", \"k\": 3, \"transcode\": true, \"d_in\": 6" + settings +
                         "}");
    }
    return folder.path();
}

fs::path writeCltTraining(const TempDir& folder, const CoderSample& sample)
{
    const double norm = std::sqrt(kWidth);
    for (int layer = 0; layer < kLayers; ++layer) {
        const features::CoderLayer& each = sample.layers[nth(layer)];
        const std::string where = "layers." + number(layer) + ".mlp/";
        const double in = 1.5 + layer, out = 0.5 + layer;
        Tensors tensors = {{"encoder.weight", each.encoder * (in / norm)},
                           {"encoder.bias", each.encoderBias},
                           {"in_norm", at::full({1}, in)},
                           {"out_norm", at::full({1}, out)}};
        for (int target = layer; target < kLayers; ++target) {
            const std::string index = number(target - layer);
            const double scale = norm / (0.5 + target);
            // What comes from other layers is divided by their number; the bias comes from all.
            const int others = target == layer ? 1 : std::max(1, target);
            tensors["W_decs." + index] = sample.decoders[nth(layer)][nth(target - layer)] * (scale * others);
            tensors["b_decs." + index] =
                sample.layers[nth(target)].decoderBias * (scale * others / (target + 1));
            tensors["post_encs." + index] = at::zeros({kFeatures});
        }
        tensors["W_dec"] = tensors["W_decs.0"];
        tensors["b_dec"] = tensors["b_decs.0"];
        writeTensors(folder / (where + "sae.safetensors"), tensors);
        folder.write(where + "cfg.json",
                     "{\"activation\": \"topk\", \"k\": 3, \"transcode\": true, \"d_in\": 6, "
                     "\"normalize_io\": true, \"divide_cross_layer\": true, "
                     "\"coalesce_topk\": \"none\", \"n_targets\": " +
                         number(kLayers - layer) + "}");
    }
    return folder.path();
}

fs::path writeSaeLens(const TempDir& folder, const CoderSample& sample, bool isOld)
{
    for (int layer = 0; layer < kLayers; ++layer) {
        const features::CoderLayer& each = sample.layers[nth(layer)];
        const std::string where = "blocks-" + number(layer) + "/";
        Tensors tensors = {{"W_enc", each.encoder.t()},
                           {"b_enc", each.encoderBias},
                           {"W_dec", sample.decoders[nth(layer)].front()},
                           {"b_dec", each.decoderBias}};
        if (each.threshold.defined())
            tensors["threshold"] = each.threshold;
        if (each.skip.defined())
            tensors["W_skip"] = each.skip;
        writeTensors(folder / (where + "sae_weights.safetensors"), tensors);
        const std::string kind = std::string(each.threshold.defined() ? "jumprelu_" : "") +
                                 (each.skip.defined() ? "skip_" : "") + "transcoder";
        const std::string hook = "\"blocks." + number(layer) + ".hook_resid_mid\"";
        folder.write(
            where + "cfg.json",
            "{\"architecture\": \"" + kind + "\", \"d_in\": 6, \"d_sae\": 8, " +
                (isOld ? "\"activation_fn_str\": \"relu\", \"hook_point\": " + hook
                       : "\"normalize_activations\": \"none\", \"metadata\": {\"hook_name\": " + hook + "}") +
                "}");
    }
    return folder.path();
}

fs::path writeGemmaScope(const TempDir& folder, const CoderSample& sample)
{
    for (int layer = 0; layer < kLayers; ++layer) {
        const features::CoderLayer& each = sample.layers[nth(layer)];
        const fs::path where = folder / ("layer_" + number(layer) + "/width_16k/average_l0_5");
        fs::create_directories(where);
        NpzWriter writer(where / "params.npz");
        for (const auto& [name, tensor] : Tensors{{"W_enc", each.encoder.t().contiguous()},
                                                  {"b_enc", each.encoderBias},
                                                  {"W_dec", sample.decoders[nth(layer)].front()},
                                                  {"b_dec", each.decoderBias},
                                                  {"threshold", each.threshold}}) {
            const std::span<const float> values(tensor.data_ptr<float>(),
                                                nth(static_cast<int>(tensor.numel())));
            writer.add(name, {&values, 1}, tensor.sizes().vec());
        }
        writer.finish();
    }
    return folder.path();
}

fs::path writeGemmaScope2(const TempDir& folder, const CoderSample& sample)
{
    for (int layer = 0; layer < kLayers; ++layer) {
        const features::CoderLayer& each = sample.layers[nth(layer)];
        Tensors tensors = {{"w_enc", each.encoder.t()},
                           {"b_enc", each.encoderBias},
                           {"b_dec", each.decoderBias},
                           {"threshold", each.threshold}};
        if (each.skip.defined())
            tensors["affine_skip_connection"] = each.skip.t();
        if (!sample.facts.crossesLayers) {
            tensors["w_dec"] = sample.decoders[nth(layer)].front();
            const std::string where = "layer_" + number(layer) + "_width_16k/";
            writeTensors(folder / (where + "params.safetensors"), tensors);
            folder.write(
                where + "config.json",
                R"({"architecture": "jump_relu", "hf_hook_point_in": "a", "hf_hook_point_out": "b"})");
            continue;
        }
        std::vector<at::Tensor> decoders(nth(layer), at::randn({kFeatures, kWidth}));  // are not used
        decoders.insert(decoders.end(), sample.decoders[nth(layer)].begin(),
                        sample.decoders[nth(layer)].end());
        tensors["w_dec"] = at::stack(decoders, 1);
        writeTensors(folder / ("params_layer_" + number(layer) + ".safetensors"), tensors);
    }
    return folder.path();
}

}  // namespace hs::test
