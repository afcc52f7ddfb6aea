#include "features/coders/layouts.h"

#include "base/failure.h"
#include "base/untrusted_text.h"
#include "features/coders/coder_folder.h"
#include "model/folder_listing.h"

#include <algorithm>
#include <utility>

namespace hs::features {
namespace {

namespace fs = std::filesystem;

struct CoderLayout {
    std::string file;  // whose presence tells it
    bool isBelow;      // in a folder below counts, too
    CoderPlan (*plan)(const fs::path&, const model::ArchSpec&);
};

const std::vector<CoderLayout>& allLayouts()
{
    static const std::vector<CoderLayout> kLayouts = {
        {"clt_cfg.json", false, planCltForge},
        {"config.yaml", false, planCircuitTracer},
        {"W_enc_0.safetensors", false, planCircuitTracer},
        {"layer_0.safetensors", false, planCircuitTracer},
        {"sae.safetensors", true, planSparsify},
        {"sae_weights.safetensors", true, planSaeLens},
        {"params.npz", true, planGemmaScope},
        {"params.safetensors", true, planGemmaScope2},
        {"params_layer_0.safetensors", true, planGemmaScope2},
    };
    return kLayouts;
}

[[noreturn]] void refuseUnknown(const fs::path& folder)
{
    const std::vector<fs::path> pickles = filesBelow(folder, [](const std::string& name) {
        return name.ends_with(".pt") || name.ends_with(".pth") || name.ends_with(".bin");
    });
    if (!pickles.empty())
        CoderFile::open(folder / pickles.front());  // says why not
    fail(ErrorCode::NotFound, folder.string() +
                                  " holds no transcoders that are known here; give a folder in the layout of "
                                  "circuit-tracer, CLT-Forge, sparsify, SAELens or Gemma Scope.");
}

}  // namespace

CoderPlan planTranscoders(const fs::path& folder, const model::ArchSpec& spec)
{
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        fail(ErrorCode::NotFound, folder.string() + " is not a folder; give the one with the transcoders.");
    const model::FolderListing listing = model::listFolder(folder);
    for (const CoderLayout& layout : allLayouts()) {
        if (!listing.has(layout.file) && !(layout.isBelow && !filesBelow(folder, layout.file).empty()))
            continue;
        CoderPlan plan = layout.plan(folder, spec);
        const fs::path whole = fs::weakly_canonical(folder, ignored);
        plan.facts.name = (whole.filename().empty() ? whole.parent_path() : whole).filename().string();
        plan.facts.layers = static_cast<int>(plan.layers.size());
        plan.facts.hasSkip =
            std::ranges::any_of(plan.layers, [](const LayerPlan& layer) { return !layer.skip.empty(); });
        requireSound(plan, spec);
        return plan;
    }
    refuseUnknown(folder);
}

void addUnit(CoderPlan& plan, const CoderFile& file, const UnitNames& names)
{
    LayerPlan layer;
    layer.encoder = {file.matrix(names.encoder, names.hasTurnedEncoder)};
    layer.encoderBias = {file.vector(names.encoderBias)};
    layer.decoders = {{file.matrix(names.decoder)}};
    layer.decoderBias = {file.vector(names.decoderBias)};
    const std::int64_t features = layer.encoder.front().rows;
    const bool jumps = !names.threshold.empty() && file.has(names.threshold);
    if (jumps)
        layer.threshold = {file.vectorOf(names.threshold, features)};
    if (!names.skip.empty() && file.has(names.skip))
        layer.skip = {file.matrix(names.skip, names.hasTurnedSkip)};

    CoderFacts& facts = plan.facts;
    if (plan.layers.empty()) {
        facts.features = static_cast<int>(features);
        facts.width = static_cast<int>(layer.encoder.front().columns);
        if (jumps)
            facts.firing = Firing::JumpRelu;
    }
    if (jumps != (facts.firing == Firing::JumpRelu))
        fail(ErrorCode::BadFile, file.path().string() + (jumps ? " has thresholds" : " has no thresholds") +
                                     " and other layers are different; download the whole set again.");
    plan.layers.push_back(std::move(layer));
}

}  // namespace hs::features
