#include "base/enum_words.h"
#include "base/json_reader.h"
#include "base/mapped_file.h"
#include "base/untrusted_text.h"
#include "features/coders/coder_folder.h"
#include "features/coders/layout_words.h"
#include "features/coders/layouts.h"
#include "features/coders/yaml.h"
#include "model/config_bounds.h"
#include "model/folder_listing.h"

#include <algorithm>

namespace hs::features {
namespace {

namespace fs = std::filesystem;

constexpr int kMostFeatures = 1 << 26;

const UnitNames kTracerNames{
    .encoder = "W_enc",
    .encoderBias = "b_enc",
    .decoder = "W_dec",
    .decoderBias = "b_dec",
    .threshold = "activation_function.threshold",
    .skip = "W_skip",
};

Json settingsBeside(const fs::path& folder)
{
    const fs::path file = folder / "config.yaml";
    if (!fs::exists(file))
        return Json::object();
    return parseYaml(MappedFile::open(file).text(), file.string());
}

/// Files that settings name by their address. Only those in the folder are opened.
fs::path fileOfAddress(const fs::path& folder, const std::string& address)
{
    static constexpr std::string_view kHub = "hf://";
    std::string path = address.substr(0, address.find('?'));
    if (path.starts_with(kHub))  // hf://owner/name/path
        for (int part = 0; part < 2; ++part)
            path = path.substr(std::min(path.find('/', part == 0 ? kHub.size() : 0) + 1, path.size()));
    const fs::path relative = fs::path(path).lexically_normal();
    const bool leaves = relative.empty() || relative.is_absolute() || relative.begin()->string() == "..";
    std::error_code cannotBeName;
    for (const fs::path& each : {relative, relative.filename()})
        if (!leaves && fs::is_regular_file(folder / each, cannotBeName))
            return folder / each;
    fail(ErrorCode::NotFound, "config.yaml in " + folder.string() + " speaks of " + quotedName(address) +
                                  ", which is not in that folder; download it there.");
}

std::vector<fs::path> filesOfSet(const fs::path& folder, const JsonReader& settings)
{
    std::vector<fs::path> files;
    if (const JsonReader list = settings["transcoders"]) {
        if (list.list().size() > model::kMostLayers)
            list.refuse("one file for each layer");
        for (const JsonReader& entry : list.items()) {
            // Since July 2025 an address, before that a map.
            const bool isMap = entry.json().is_object();
            if (isMap && entry["layer"].integer(0, model::kMostLayers) != static_cast<int>(files.size()))
                entry["layer"].bad("is out of turn");
            files.push_back(fileOfAddress(folder, isMap ? entry["filepath"].text() : entry.text()));
            if (std::ranges::count(files, files.back()) > 1)
                list.bad("names a file twice");
        }
        return files;
    }
    const auto isLayer = [](const std::string& name) {
        return name.starts_with("layer_") && name.ends_with(".safetensors");
    };
    for (const std::string& name : model::listFolder(folder).files)
        if (isLayer(name))
            files.emplace_back(name);
    return byLayer(folder, files, [](const fs::path& file) { return layerInName(file.string()); });
}

/// `activation` and `k` of the settings, and what this program adds to them.
void readFiring(CoderPlan& plan, const JsonReader& settings)
{
    CoderFacts& facts = plan.facts;
    const JsonReader own = settings["headscope"];
    const std::string activation = settings["activation"].text("");
    if (activation == "topk")
        facts.firing = own && own["firing"].text("") == "relu-topk" ? Firing::ReluTopK : Firing::TopK;
    else if (!activation.empty() && activation != "relu" && activation != "jump_relu")
        settings["activation"].refuse("relu, jump_relu or topk");
    if (facts.firing != Firing::TopK && facts.firing != Firing::ReluTopK)
        return;
    facts.k = settings["k"].integer(1, kMostFeatures, facts.k > 0 ? std::optional(facts.k) : std::nullopt);
    if (std::ranges::any_of(plan.layers, [](const LayerPlan& layer) { return !layer.threshold.empty(); }))
        settings.bad("keeps the largest features, but the weights have thresholds");
}

void readReading(CoderPlan& plan, const JsonReader& settings, const model::ArchSpec& spec)
{
    const JsonReader own = settings["headscope"];
    if (own) {
        plan.facts.place = own["place"].word<Place>();
        plan.facts.centresOutput = own["centres_output"].flag(false);
        plan.facts.hasScales = true;
    } else if (settings["feature_input_hook"]) {
        plan.facts.place = placeOfHook(settings["feature_input_hook"].text(), spec);
    }
}

CoderPlan planPerLayer(const fs::path& folder, const JsonReader& settings)
{
    CoderPlan plan;
    plan.facts.layout = "circuit-tracer, a layer each";
    for (const fs::path& path : filesOfSet(folder, settings)) {
        const CoderFile file = CoderFile::open(path);
        if (path.extension() == ".npz") {
            addUnit(plan, file, kGemmaScopeNames);
            plan.thresholds = ThresholdForm::AtLeastZero;
            continue;
        }
        addUnit(plan, file, kTracerNames);
        if (file.has("k")) {
            const double k = file.number("k");
            if (!(k >= 1 && k <= kMostFeatures) || (plan.facts.k != 0 && plan.facts.k != static_cast<int>(k)))
                fail(ErrorCode::BadFile,
                     quotedName("k") + " in " + path.string() +
                         " is no count or not that of other layers; download the set again.");
            plan.facts.k = static_cast<int>(k);
            plan.facts.firing = Firing::TopK;
        }
    }
    return plan;
}

CoderPlan planCrossLayer(const fs::path& folder)
{
    CoderPlan plan;
    plan.facts.layout = "circuit-tracer, across layers";
    plan.facts.crossesLayers = true;
    const auto fileOf = [&](const char* kind, int layer) {
        return folder / (kind + std::to_string(layer) + ".safetensors");
    };
    const model::FolderListing listing = model::listFolder(folder);
    const auto layers = static_cast<int>(std::ranges::count_if(listing.files, [](const std::string& name) {
        return name.starts_with("W_enc_") && name.ends_with(".safetensors");
    }));
    for (int index = 0; index < layers; ++index) {
        const std::string suffix = "_" + std::to_string(index);
        const CoderFile encoders = CoderFile::open(fileOf("W_enc_", index));
        const CoderFile decoders = CoderFile::open(fileOf("W_dec_", index));
        LayerPlan layer;
        layer.encoder = {encoders.matrix("W_enc" + suffix)};
        layer.encoderBias = {encoders.vector("b_enc" + suffix)};
        layer.decoderBias = {encoders.vector("b_dec" + suffix)};
        const MatrixView& encoder = layer.encoder.front();
        if (index == 0) {
            plan.facts.features = static_cast<int>(encoder.rows);
            plan.facts.width = static_cast<int>(encoder.columns);
            if (encoders.has("threshold_0"))
                plan.facts.firing = Firing::JumpRelu;
        }
        if (plan.facts.firing == Firing::JumpRelu)
            layer.threshold = {encoders.vectorOf("threshold" + suffix, encoder.rows)};
        if (index == 0 && encoders.has("W_skip_0"))
            plan.facts.notes.emplace_back("The skips in the files are left out, as circuit-tracer does.");

        MatrixView all = decoders.tensor("W_dec" + suffix, 3);  // [feature, target - layer, width]
        all.rows = extent(all, 0);
        all.columns = extent(all, 2);
        all.rowStride = extent(all, 1) * extent(all, 2);
        if (extent(all, 1) != layers - index)
            fail(ErrorCode::BadFile, all.name + " writes into " + std::to_string(extent(all, 1)) +
                                         " layers instead of " + std::to_string(layers - index) +
                                         "; download the set again.");
        for (int target = index; target < layers; ++target) {
            all.first = (target - index) * extent(all, 2);
            layer.decoders.push_back({all});
        }
        plan.layers.push_back(std::move(layer));
    }
    return plan;
}

}  // namespace

CoderPlan planCircuitTracer(const fs::path& folder, const model::ArchSpec& spec)
{
    const Json json = settingsBeside(folder);
    const JsonReader settings(json, "config.yaml in " + folder.string(),
                              "correct it or download the set again");
    const bool hasCross = fs::exists(folder / "W_enc_0.safetensors");
    const std::string kind = settings["model_kind"].text(hasCross ? kCrossLayerKind : kPerLayerKind);
    if (kind != kCrossLayerKind && kind != kPerLayerKind)
        settings["model_kind"].refuse(std::string(kCrossLayerKind) + " or " + kPerLayerKind);
    CoderPlan plan = kind == kCrossLayerKind ? planCrossLayer(folder) : planPerLayer(folder, settings);
    if (plan.layers.empty())
        fail(ErrorCode::NotFound,
             folder.string() + " has settings, but no weights of transcoders; download " +
                 (kind == kCrossLayerKind ? "W_enc_0.safetensors" : "layer_0.safetensors") +
                 " and the rest, too.");
    readFiring(plan, settings);
    readReading(plan, settings, spec);
    return plan;
}

}  // namespace hs::features
