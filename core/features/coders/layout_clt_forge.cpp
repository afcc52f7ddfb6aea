#include "base/failure.h"
#include "base/json_reader.h"
#include "features/coders/coder_folder.h"
#include "features/coders/layouts.h"
#include "model/config_bounds.h"

#include <cmath>

namespace hs::features {
namespace {

namespace fs = std::filesystem;

constexpr int kMostShards = 256;

/// The whole set in one file, or each file with some of the features.
std::vector<CoderFile> openShards(const fs::path& folder, bool isSharded)
{
    std::vector<CoderFile> files;
    if (!isSharded) {
        files.push_back(CoderFile::open(folder / "clt_weights.safetensors"));
        return files;
    }
    const auto fileOf = [&](std::size_t rank) {
        return folder / ("rank" + std::to_string(rank) + "_clt_weights.safetensors");
    };
    while (files.size() < kMostShards && fs::exists(fileOf(files.size())))
        files.push_back(CoderFile::open(fileOf(files.size())));
    if (files.empty())
        fail(ErrorCode::NotFound,
             folder.string() + " has no " + fileOf(0).filename().string() + "; download the whole set.");
    return files;
}

/// A tensor with so many parts in its first axis.
MatrixView forgePart(const CoderFile& file, const std::string& name, std::size_t axes, int count)
{
    const MatrixView view = file.tensor(name, axes);
    if (extent(view, 0) != count)
        fail(ErrorCode::BadFile, view.name + " has " + std::to_string(extent(view, 0)) +
                                     " parts instead of " + std::to_string(count) +
                                     "; download the set again.");
    return view;
}

MatrixView vectorAt(MatrixView view, int index)
{
    view.rows = extent(view, 1);
    view.first = index * view.rows;
    return view;
}

MatrixView matrixAt(MatrixView view, int index, bool isTransposed)
{
    view.rows = extent(view, isTransposed ? 2 : 1);
    view.columns = extent(view, isTransposed ? 1 : 2);
    (isTransposed ? view.columnStride : view.rowStride) = extent(view, 2);
    view.first = index * extent(view, 1) * extent(view, 2);
    return view;
}

/// Scales that bring a layer's input or output to the mean norm it was trained at; 1 where the file has none.
std::vector<double> scalesOf(const CoderFile& file, const std::string& name, int layers)
{
    std::vector<double> scales(static_cast<std::size_t>(layers), 1);
    if (!file.has(name))
        return scales;
    const MatrixView view = file.vector(name);
    std::vector<float> values(scales.size());
    if (view.rows != layers || !maps::readExactly(view.array, 0, values))
        fail(ErrorCode::BadFile, view.name + " should be a number for each layer; download the set again.");
    for (std::size_t layer = 0; layer < scales.size(); ++layer) {
        scales[layer] = values[layer];
        if (!(scales[layer] > 0))
            fail(ErrorCode::BadFile, view.name + " should be positive; download the set again.");
    }
    return scales;
}

MatrixView scaled(MatrixView view, double scale)
{
    view.scale = scale;
    return view;
}

}  // namespace

CoderPlan planCltForge(const fs::path& folder, const model::ArchSpec& spec)
{
    const Json json = readJsonFile(folder / "clt_cfg.json");
    const JsonReader settings(json, "clt_cfg.json in " + folder.string(), "download the set again");
    const bool crosses = settings["cross_layer_decoders"].flag(true);
    const std::vector<CoderFile> files = openShards(folder, settings["feature_sharding"].flag(false));
    const int layers = settings["n_layers"].integer(1, model::kMostLayers);
    if (layers != spec.layers)
        settings["n_layers"].refuse(std::to_string(spec.layers) + ", as the model has layers");
    const int pairs = crosses ? layers * (layers + 1) / 2 : layers;

    CoderPlan plan;
    plan.thresholds = ThresholdForm::Logarithm;
    plan.facts.layout = crosses ? "CLT-Forge, across layers" : "CLT-Forge, a layer each";
    plan.facts.crossesLayers = crosses;
    plan.facts.firing = Firing::JumpRelu;
    plan.facts.hasScales = files.front().has("estimated_norm_scaling_factor_in");
    plan.facts.place = placeOfHook("ln2.hook_normalized", spec);
    plan.facts.width = settings["d_in"].integer(1, model::kMostWidth);
    const std::vector<double> in = scalesOf(files.front(), "estimated_norm_scaling_factor_in", layers);
    const std::vector<double> out = scalesOf(files.front(), "estimated_norm_scaling_factor_out", layers);

    plan.layers.resize(static_cast<std::size_t>(layers));
    int pair = 0;  // (0, 0), (0, 1), … (0, L − 1), (1, 1), …
    for (int source = 0; source < layers; ++source) {
        LayerPlan& layer = plan.layers[static_cast<std::size_t>(source)];
        for (const CoderFile& file : files) {
            layer.encoder.push_back(scaled(matrixAt(forgePart(file, "W_enc", 3, layers), source, true),
                                           in[static_cast<std::size_t>(source)]));
            layer.encoderBias.push_back(vectorAt(forgePart(file, "b_enc", 2, layers), source));
            layer.threshold.push_back(vectorAt(forgePart(file, "log_threshold", 2, layers), source));
        }
        for (int target = source; target < (crosses ? layers : source + 1); ++target, ++pair) {
            const double scale = 1 / out[static_cast<std::size_t>(target)];
            Stack& decoder = layer.decoders.emplace_back();
            for (const CoderFile& file : files)
                decoder.push_back(scaled(matrixAt(forgePart(file, "W_dec", 3, pairs), pair, false), scale));
            plan.layers[static_cast<std::size_t>(target)].decoderBias.push_back(
                scaled(vectorAt(forgePart(files.front(), "b_dec", 2, pairs), pair), scale));
        }
    }
    std::int64_t features = 0;
    for (const MatrixView& view : plan.layers.front().encoder)
        features += view.rows;
    plan.facts.features = static_cast<int>(std::min<std::int64_t>(features, 1 << 30));
    return plan;
}

}  // namespace hs::features
