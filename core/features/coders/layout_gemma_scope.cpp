#include "base/failure.h"
#include "base/json_reader.h"
#include "features/coders/coder_folder.h"
#include "features/coders/layout_words.h"
#include "features/coders/layouts.h"

namespace hs::features {
namespace {

namespace fs = std::filesystem;

const UnitNames kScope2Names{
    .encoder = "w_enc",
    .encoderBias = "b_enc",
    .decoder = "w_dec",
    .decoderBias = "b_dec",
    .threshold = "threshold",
    .skip = "affine_skip_connection",
    .hasTurnedEncoder = true,
    .hasTurnedSkip = true,
};

std::optional<int> layerOfPath(const fs::path& file)
{
    return layerInName(file.string());
}

/// Files with decoders into all layers, of which those before its own are not used. [feature, target, width]
void addAcross(CoderPlan& plan, const CoderFile& file)
{
    const auto source = static_cast<std::int64_t>(plan.layers.size());
    LayerPlan layer;
    layer.encoder = {file.matrix("w_enc", true)};
    layer.encoderBias = {file.vector("b_enc")};
    layer.decoderBias = {file.vector("b_dec")};
    layer.threshold = {file.vectorOf("threshold", layer.encoder.front().rows)};
    if (file.has("affine_skip_connection"))
        layer.skip = {file.matrix("affine_skip_connection", true)};
    MatrixView all = file.tensor("w_dec", 3);
    all.rows = extent(all, 0);
    all.columns = extent(all, 2);
    all.rowStride = extent(all, 1) * extent(all, 2);
    for (std::int64_t target = source; target < extent(all, 1); ++target) {
        all.first = target * extent(all, 2);
        layer.decoders.push_back({all});
    }
    if (plan.layers.empty()) {
        plan.facts.features = static_cast<int>(layer.encoder.front().rows);
        plan.facts.width = static_cast<int>(layer.encoder.front().columns);
        plan.facts.firing = Firing::JumpRelu;
    }
    plan.layers.push_back(std::move(layer));
}

}  // namespace

CoderPlan planGemmaScope(const fs::path& folder, const model::ArchSpec& /*spec*/)
{
    CoderPlan plan;
    plan.thresholds = ThresholdForm::AtLeastZero;
    plan.facts.layout = "Gemma Scope";
    plan.facts.place = Place::Normed;
    for (const fs::path& path : byLayer(folder, filesBelow(folder, "params.npz"), layerOfPath))
        addUnit(plan, CoderFile::open(path), kGemmaScopeNames);
    return plan;
}

CoderPlan planGemmaScope2(const fs::path& folder, const model::ArchSpec& spec)
{
    CoderPlan plan;
    plan.thresholds = ThresholdForm::AtLeastZero;
    plan.facts.place = Place::MlpInput;
    std::vector<fs::path> files = filesBelow(folder, "params.safetensors");
    plan.facts.crossesLayers = files.empty();
    if (files.empty())
        files = filesBelow(folder, [](const std::string& name) {
            return name.starts_with("params_layer_") && name.ends_with(".safetensors");
        });
    plan.facts.layout = plan.facts.crossesLayers ? "Gemma Scope 2, across layers" : "Gemma Scope 2";
    for (const fs::path& path : byLayer(folder, files, layerOfPath)) {
        const fs::path settingsFile = path.parent_path() / "config.json";
        if (fs::exists(settingsFile)) {
            const Json json = readJsonFile(settingsFile);
            const JsonReader settings(json, settingsFile.string(), "give a folder with transcoders");
            const JsonReader kind = settings["architecture"];
            if (kind.text("jump_relu") != "jump_relu")
                kind.refuse("jump_relu");
            const std::string from = settings["hf_hook_point_in"].text("");
            if (!from.empty() && from == settings["hf_hook_point_out"].text(""))
                settings["hf_hook_point_out"].bad("is where it reads, so it is an autoencoder");
        }
        const CoderFile file = CoderFile::open(path);
        if (plan.facts.crossesLayers)
            addAcross(plan, file);
        else
            addUnit(plan, file, kScope2Names);
    }
    if (plan.facts.crossesLayers && static_cast<int>(plan.layers.front().decoders.size()) != spec.layers)
        fail(ErrorCode::BadFile, folder.string() + " writes into " +
                                     std::to_string(plan.layers.front().decoders.size()) +
                                     " layers and the model has " + std::to_string(spec.layers) +
                                     "; give the set that was made for it.");
    return plan;
}

}  // namespace hs::features
