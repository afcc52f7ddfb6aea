#include "base/failure.h"
#include "base/json_reader.h"
#include "features/coders/coder_folder.h"
#include "features/coders/layouts.h"
#include "model/config_bounds.h"

#include <algorithm>
#include <cmath>

namespace hs::features {
namespace {

namespace fs = std::filesystem;

constexpr int kMostKept = 1 << 26;

/// How decoders are shared between layers.
enum class Tying {
    None,      // one a pair of layers
    ByTarget,  // features of equal index in all layers share one
    PerLayer,  // a target has those of all sources below each other
    BySource,  // a feature writes the same into all layers
};

struct SparsifyLayer {
    fs::path path;
    CoderFile file;
    Tying tying = Tying::None;
    int targets = 0;             // layers it writes into, its own included; 0: its own, without a list
    bool dividesOthers = false;  // what comes from earlier layers is divided by their number
    double in = 1;               // scales of input and output
    double out = 1;
    int k = 0;
};

Tying tyingOf(const JsonReader& settings)
{
    const JsonReader coalesce = settings["coalesce_topk"];
    const std::string way = coalesce.text("none");
    const auto isOn = [&](const char* name) { return settings[name].flag(false); };
    if (isOn("secondary_target_tied"))
        settings["secondary_target_tied"].refuse("false: decoders tied twice are not opened");
    if (way != "none" && isOn("topk_coalesced"))
        settings["topk_coalesced"].refuse("false: features that compete across layers are not opened");
    if (way == "concat")
        return Tying::ByTarget;
    if (way == "per-layer")
        return Tying::PerLayer;
    if (way != "none")
        coalesce.refuse("none, concat or per-layer");
    return isOn("per_source_tied") ? Tying::BySource : Tying::None;
}

SparsifyLayer openLayer(const fs::path& path)
{
    const Json json = readJsonFile(path.parent_path() / "cfg.json");
    const JsonReader settings(json, "cfg.json in " + path.parent_path().string(),
                              "give a folder with transcoders of another kind");
    if (!settings["transcode"].flag(false))
        settings.bad("is that of an autoencoder (\"transcode\" is not true), which explains no MLP");
    if (const JsonReader activation = settings["activation"]; activation.text("topk") != "topk")
        activation.refuse("topk");
    SparsifyLayer layer{.path = path, .file = CoderFile::open(path)};
    layer.k = settings["k"].integer(1, kMostKept);
    layer.tying = tyingOf(settings);
    layer.targets = settings["n_targets"].integer(0, model::kMostLayers, 0);
    layer.dividesOthers = settings["divide_cross_layer"].flag(false);
    if (settings["normalize_io"].flag(false)) {
        const double norm = std::sqrt(settings["d_in"].integer(1, model::kMostWidth));
        const double in = layer.file.number("in_norm");
        const double out = layer.file.number("out_norm");
        if (!(in > 0 && out > 0))
            settings["normalize_io"].bad("goes with norms that are not positive");
        layer.in = norm / in;
        layer.out = out / norm;
    }
    return layer;
}

/// Offsets and scales of activations: a plan holds one for each feature, whatever it writes into.
void addPostEncoder(LayerPlan& plan, const SparsifyLayer& layer)
{
    if (layer.targets == 0) {
        if (layer.file.has("post_enc") && !isAll(layer.file.vector("post_enc"), 0))
            plan.shift = {layer.file.vector("post_enc")};
        if (layer.file.has("post_enc_scale"))
            plan.gain = {layer.file.vector("post_enc_scale")};
        return;
    }
    for (int index = 0; index < layer.targets; ++index)
        for (const auto& [name, neutral] : {std::pair("post_encs.", 0.F), std::pair("post_enc_scales.", 1.F)})
            if (const std::string each = name + std::to_string(index);
                layer.file.has(each) && !isAll(layer.file.vector(each), neutral))
                fail(ErrorCode::Unsupported,
                     layer.path.string() + " changes activations for each layer they write into (" + each +
                         "), which is not opened; give a set that was trained without a post-encoder.");
}

MatrixView timesScale(MatrixView view, double scale)
{
    view.scale *= scale;
    return view;
}

void addSkip(LayerPlan& plan, const SparsifyLayer& layer)
{
    const bool hasList = layer.file.has("W_skips.0");
    for (int index = 1; hasList && index < layer.targets; ++index)
        if (const std::string name = "W_skips." + std::to_string(index);
            layer.file.has(name) && !isAll(layer.file.matrix(name), 0))
            fail(ErrorCode::Unsupported, layer.path.string() + " has skips into other layers (" + name +
                                             "), which are not opened; give a set without them.");
    const std::string name = hasList ? "W_skips.0" : "W_skip";
    if (layer.file.has(name))
        plan.skip = {timesScale(layer.file.matrix(name), layer.in * layer.out)};
}

/// What features of `source` write into `target`; `nth` of those that do it is.
MatrixView decoderOf(const SparsifyLayer& from, const SparsifyLayer& to, int distance, std::int64_t nth,
                     std::int64_t features)
{
    switch (to.tying) {
    case Tying::ByTarget: return to.file.matrix("W_dec");
    case Tying::PerLayer: {
        MatrixView view = to.file.matrix("W_dec");
        view.first = productOf(nth * features, view.rowStride);
        view.rows = features;
        return view;
    }
    case Tying::BySource: return from.file.matrix("W_dec");
    case Tying::None: break;
    }
    const std::string name = "W_decs." + std::to_string(distance);
    return from.file.matrix(from.file.has(name) || distance > 0 ? name : "W_dec");
}

/// The bias that a source brings along.
MatrixView biasOf(const SparsifyLayer& from, int index)
{
    const std::string name = "b_decs." + std::to_string(index);
    return from.file.vector(from.file.has(name) || index > 0 ? name : "b_dec");
}

void addTarget(CoderPlan& plan, const std::vector<SparsifyLayer>& layers, int target)
{
    const SparsifyLayer& to = layers[static_cast<std::size_t>(target)];
    std::vector<int> sources;
    for (int source = 0; source <= target; ++source)
        if (source == target || layers[static_cast<std::size_t>(source)].targets > target - source)
            sources.push_back(source);
    const bool isPooled = to.tying == Tying::ByTarget || to.tying == Tying::PerLayer;
    for (std::size_t nth = 0; nth < sources.size(); ++nth) {
        const SparsifyLayer& from = layers[static_cast<std::size_t>(sources[nth])];
        const int distance = target - sources[nth];
        const bool isDivided = to.dividesOthers && !isPooled && distance > 0;
        const double scale = isDivided ? to.out / static_cast<double>(sources.size() - 1) : to.out;
        plan.layers[static_cast<std::size_t>(sources[nth])].decoders.push_back({timesScale(
            decoderOf(from, to, distance, static_cast<std::int64_t>(nth), plan.facts.features), scale)});
        if (distance == 0 || !isPooled)
            plan.layers[static_cast<std::size_t>(target)].decoderBias.push_back(
                timesScale(biasOf(from, distance), scale));
    }
}

}  // namespace

CoderPlan planSparsify(const fs::path& folder, const model::ArchSpec& /*spec*/)
{
    const auto layerOf = [](const fs::path& file) { return layerInName(file.string()); };
    std::vector<SparsifyLayer> layers;
    for (const fs::path& path : byLayer(folder, filesBelow(folder, "sae.safetensors"), layerOf))
        layers.push_back(openLayer(path));

    CoderPlan plan;
    for (SparsifyLayer& layer : layers) {
        layer.targets = std::min(layer.targets, static_cast<int>(layers.size() - plan.layers.size()));
        LayerPlan& each = plan.layers.emplace_back();
        each.encoder = {timesScale(layer.file.matrix("encoder.weight"), layer.in)};
        each.encoderBias = {layer.file.vector("encoder.bias")};
        addPostEncoder(each, layer);
        addSkip(each, layer);
        if (layer.k != layers.front().k || layer.tying != layers.front().tying)
            fail(ErrorCode::Unsupported,
                 folder.string() + " holds layers with different settings (\"k\", \"coalesce_topk\"); "
                                   "give a set whose layers agree.");
    }
    const MatrixView& encoder = plan.layers.front().encoder.front();
    plan.facts.features = static_cast<int>(encoder.rows);
    plan.facts.width = static_cast<int>(encoder.columns);
    plan.facts.firing = Firing::ReluTopK;
    plan.facts.k = layers.front().k;
    plan.facts.hasScales = true;  // 1 where inputs are not normed
    plan.facts.crossesLayers =
        std::ranges::any_of(layers, [](const SparsifyLayer& layer) { return layer.targets > 1; });
    plan.facts.layout = plan.facts.crossesLayers ? "EleutherAI's clt-training" : "EleutherAI's sparsify";
    // A module's input, unless the hook points of the inputs were named apart.
    const bool isOfMlp = layers.front().path.parent_path().filename().string().ends_with("mlp");
    const fs::path whole = folder / "config.json";
    const Json json = fs::exists(whole) ? readJsonFile(whole) : Json::object();
    const JsonReader training(json, whole.string(), "download it again");
    if (isOfMlp && (!training["hookpoints_in"] || training["hookpoints_in"].list().empty()))
        plan.facts.place = Place::MlpInput;
    for (int target = 0; target < static_cast<int>(layers.size()); ++target)
        addTarget(plan, layers, target);
    return plan;
}

}  // namespace hs::features
