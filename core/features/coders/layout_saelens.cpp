#include "base/failure.h"
#include "base/json_reader.h"
#include "base/untrusted_text.h"
#include "features/coders/coder_folder.h"
#include "features/coders/layouts.h"

#include <algorithm>
#include <array>

namespace hs::features {
namespace {

namespace fs = std::filesystem;

const UnitNames kSaeLensNames{
    .encoder = "W_enc",
    .encoderBias = "b_enc",
    .decoder = "W_dec",
    .decoderBias = "b_dec",
    .threshold = "threshold",
    .skip = "W_skip",
    .hasTurnedEncoder = true,
};

JsonReader lensReader(const Json& json, const fs::path& folder)
{
    return {json, "cfg.json in " + folder.string(), "give a folder with transcoders"};
}

/// Metadata lay at the top level before SAELens 6.
std::string hookOf(const JsonReader& settings)
{
    const JsonReader metadata = settings["metadata"];
    const std::string hook = metadata ? metadata["hook_name"].text("") : "";
    return hook.empty() ? settings[{"hook_name", "hook_point"}].text("") : hook;
}

/// Refuses what is no transcoder, and those whose input is changed in ways that are not in the weights.
void requireTranscoder(const JsonReader& settings)
{
    static constexpr std::array<std::string_view, 4> kKinds = {
        "transcoder", "skip_transcoder", "jumprelu_transcoder", "jumprelu_skip_transcoder"};
    const JsonReader kind = settings["architecture"];
    if (std::ranges::find(kKinds, kind.text()) == kKinds.end())
        kind.refuse("a kind of transcoder (an autoencoder of the stream explains no MLP)");
    const JsonReader scaling = settings["normalize_activations"];
    if (const std::string text = scaling.text("none"); text != "none")
        scaling.refuse("none: the scale of the inputs is not in the files");
    if (settings["apply_b_dec_to_input"].flag(false))
        settings["apply_b_dec_to_input"].refuse("false, as of transcoders");
    if (const std::string function = settings["activation_fn_str"].text("relu"); function != "relu")
        settings["activation_fn_str"].refuse("relu");
    const JsonReader reshape = settings["reshape_activations"];
    if (reshape && reshape.text() != "none")
        reshape.refuse("none");
}

}  // namespace

CoderPlan planSaeLens(const fs::path& folder, const model::ArchSpec& spec)
{
    const auto layerOf = [&](const fs::path& file) -> std::optional<int> {
        const fs::path where = (folder / file).parent_path();
        const Json json = readJsonFile(where / "cfg.json");
        const std::optional<int> named = layerInName(hookOf(lensReader(json, where)));
        return named ? named : layerInName(file.string());
    };
    CoderPlan plan;
    plan.thresholds = ThresholdForm::AtLeastZero;
    plan.facts.layout = "SAELens";
    for (const fs::path& path : byLayer(folder, filesBelow(folder, "sae_weights.safetensors"), layerOf)) {
        const fs::path where = path.parent_path();
        const Json json = readJsonFile(where / "cfg.json");
        const JsonReader settings = lensReader(json, where);
        requireTranscoder(settings);
        const std::optional<Place> place = placeOfHook(hookOf(settings), spec);
        if (plan.layers.empty())
            plan.facts.place = place;
        else if (plan.facts.place != place)
            fail(ErrorCode::Unsupported,
                 folder.string() + " holds transcoders that read at different places; give a set that "
                                   "reads at one.");
        const CoderFile file = CoderFile::open(path);
        const bool jumps = settings["architecture"].text().starts_with("jumprelu");
        if (jumps != file.has("threshold"))
            settings["architecture"].bad("does not go with its weights, which have " +
                                         std::string(jumps ? "no" : "a") + " threshold");
        addUnit(plan, file, kSaeLensNames);
    }
    return plan;
}

}  // namespace hs::features
