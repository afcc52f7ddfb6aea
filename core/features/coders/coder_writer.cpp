#include "features/coders/coder_writer.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "base/json.h"
#include "engine/device/device_tensors.h"
#include "features/coders/layout_words.h"
#include "features/coders/transcoders_tensors.h"
#include "model/safetensors_writer.h"

#include <map>

namespace hs::features {
namespace {

namespace fs = std::filesystem;

constexpr int kCardVersion = 1;

struct WrittenTensor {
    at::Tensor values;
    model::DType type = model::DType::F32;
};

using WrittenTensors = std::map<std::string, WrittenTensor>;

void writeTensors(const fs::path& file, const WrittenTensors& tensors)
{
    std::vector<model::TensorSpec> specs;
    for (const auto& [name, tensor] : tensors)
        specs.push_back({name, tensor.type, tensor.values.sizes().vec()});
    model::SafetensorsWriter writer = model::SafetensorsWriter::create(file, std::move(specs));
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor values =
            tensor.values.detach().to(at::kCPU).to(engine::torchType(tensor.type)).contiguous();
        writer.write(name, {static_cast<const std::byte*>(values.data_ptr()), values.nbytes()});
    }
    writer.finish();
}

/// What TransformerLens calls the place.
const char* hookOfPlace(Place place)
{
    switch (place) {
    case Place::Middle: return "hook_resid_mid";
    case Place::Normed: return "ln2.hook_normalized";
    case Place::MlpInput: return "mlp.hook_in";
    }
    return "";
}

/// A text of JSON is one of YAML, too.
std::string yamlText(const std::string& text)
{
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string yamlNumbers(const std::vector<double>& numbers)
{
    Json list = Json::array();
    for (const double number : numbers)
        list.push_back(numberOrNull(number));
    return list.dump();
}

}  // namespace

void writeCoderLayer(const fs::path& folder, const CoderFacts& facts, int layer, const CoderLayer& weights,
                     const at::Tensor& decoder, model::DType type)
{
    if (weights.shift.defined() || weights.gain.defined() || (facts.crossesLayers && weights.skip.defined()))
        fail(
            ErrorCode::Unsupported,
            "circuit-tracer's files have no room for skips across layers or changed activations; write a set "
            "without them.");
    const std::string number = std::to_string(layer);
    if (facts.crossesLayers) {
        WrittenTensors encoder = {{"W_enc_" + number, {weights.encoder, type}},
                                  {"b_enc_" + number, {weights.encoderBias}},
                                  {"b_dec_" + number, {weights.decoderBias}}};
        if (facts.firing == Firing::JumpRelu)
            encoder["threshold_" + number] = {weights.threshold};
        writeTensors(folder / ("W_enc_" + number + ".safetensors"), encoder);
        writeTensors(folder / ("W_dec_" + number + ".safetensors"),
                     {{"W_dec_" + number,
                       {decoder.reshape({facts.features, facts.layers - layer, facts.width}), type}}});
        return;
    }
    WrittenTensors tensors = {{"W_enc", {weights.encoder, type}},
                              {"b_enc", {weights.encoderBias}},
                              {"W_dec", {decoder.reshape({facts.features, facts.width}), type}},
                              {"b_dec", {weights.decoderBias}}};
    if (facts.firing == Firing::JumpRelu)
        tensors["activation_function.threshold"] = {weights.threshold};
    if (weights.skip.defined())
        tensors["W_skip"] = {weights.skip, type};
    writeTensors(folder / ("layer_" + number + ".safetensors"), tensors);
}

void writeCoderCard(const fs::path& folder, const CoderFacts& facts, const CoderCard& card)
{
    if (!facts.place)
        fail(ErrorCode::Internal, "A set that is written must say where it reads; please report this.");
    std::string text = "model_name: " + yamlText(card.model) + "\n";
    text += std::string("model_kind: ") + (facts.crossesLayers ? kCrossLayerKind : kPerLayerKind) + "\n";
    text += std::string("feature_input_hook: ") + hookOfPlace(*facts.place) + "\n";
    text += "feature_output_hook: hook_mlp_out\n";
    text += "scan: " + yamlText(facts.name) + "\n";
    if (facts.firing == Firing::TopK || facts.firing == Firing::ReluTopK)
        text += "activation: topk\nk: " + std::to_string(facts.k) + "\n";
    text += "headscope:\n";
    text += "  version: " + std::to_string(kCardVersion) + "\n";
    text += "  place: " + std::string(wordOf(*facts.place)) + "\n";
    if (facts.centresOutput)
        text += "  centres_output: true\n";
    if (facts.firing == Firing::ReluTopK)
        text += "  firing: relu-topk\n";
    text += "  fvu: " + yamlNumbers(card.fvu) + "\n";
    text += "  l0: " + yamlNumbers(card.l0) + "\n";
    text += "  tokens: " + std::to_string(card.tokens) + "\n";
    writeFile(folder / "config.yaml", text);
}

}  // namespace hs::features
