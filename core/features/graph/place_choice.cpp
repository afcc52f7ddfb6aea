#include "features/graph/place_choice.h"

#include "base/failure.h"
#include "features/coders/coded_outputs_tensors.h"
#include "features/graph/mlp_run_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace hs::features {
namespace {

constexpr double kAlike = 1.1;  // trials within this factor cannot be told apart
constexpr double kWorstFvu = 0.8;

/// What the MLPs of a text get and add, first positions left out. [layer] [position, width]
struct MlpText {
    std::vector<at::Tensor> streams;
    std::vector<at::Tensor> outputs;
};

MlpText recordText(const std::vector<engine::RunRequest>& passages, const Hooks& hooks)
{
    const c10::InferenceMode noGradients;
    std::vector<std::vector<at::Tensor>> streams, outputs;  // [layer] [passage]
    for (const engine::RunRequest& passage : passages) {
        hooks.throwIfCancelled();
        const auto layers = static_cast<std::size_t>(passage.model->spec().layers);
        streams.resize(layers);
        outputs.resize(layers);
        runMlps(passage, [&](const MlpVisit& visit) {
            const at::Tensor output = visit.output();
            streams[static_cast<std::size_t>(visit.layer)].push_back(visit.stream.slice(0, 1));
            outputs[static_cast<std::size_t>(visit.layer)].push_back(output.slice(0, 1));
            return output;
        });
    }
    MlpText text;
    for (std::size_t layer = 0; layer < streams.size(); ++layer) {
        text.streams.push_back(at::cat(streams[layer]));
        text.outputs.push_back(at::cat(outputs[layer]));
    }
    return text;
}

double unexplainedShare(const at::Tensor& reconstructed, at::Tensor output, bool isCentred)
{
    output = output.to(at::kDouble);
    if (isCentred)
        output = output - output.mean(-1, /*keepdim=*/true);
    const double left = (reconstructed - output).square().sum().item<double>();
    const double all = (output - output.mean(0)).square().sum().item<double>();
    return left / std::max(all, 1e-30);
}

/// The two trials that read alike: of outputs as they are and of centred ones.
void addTrials(const Transcoders& coders, const engine::Model& model, const MlpText& text, Place place,
               bool isRescaled, std::vector<ReadingTrial>& trials)
{
    const c10::InferenceMode noGradients;
    ReadingTrial plain;
    plain.place = place;
    plain.isRescaled = isRescaled;
    ReadingTrial centred = plain;
    centred.isCentred = true;
    CodedOutputs coded(coders);
    for (std::size_t layer = 0; layer < text.streams.size(); ++layer) {
        at::Tensor input = readAt(place, model, static_cast<int>(layer), text.streams[layer]);
        if (isRescaled) {
            const double norm = input.norm(2, -1).mean().item<double>();
            plain.scales.push_back(std::sqrt(static_cast<double>(input.size(-1))) / std::max(norm, 1e-30));
            input = input * plain.scales.back();
        }
        const at::Tensor output = coded.next(input).to(at::kDouble);
        plain.fvu.push_back(unexplainedShare(output, text.outputs[layer], false));
        centred.fvu.push_back(unexplainedShare(output, text.outputs[layer], true));
    }
    centred.scales = plain.scales;
    for (ReadingTrial& trial : {std::ref(plain), std::ref(centred)}) {
        trial.meanFvu =
            std::accumulate(trial.fvu.begin(), trial.fvu.end(), 0.0) / static_cast<double>(trial.fvu.size());
        trials.push_back(trial);
    }
}

bool isAsFilesSay(const ReadingTrial& trial, const CoderFacts& facts)
{
    return trial.place == facts.place && !trial.isRescaled && trial.isCentred == facts.centresOutput;
}

std::string share(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string sentenceOf(const PlaceChoice& choice, const CoderFacts& facts)
{
    const ReadingTrial& chosen = choice.chosen;
    const std::string left = share(chosen.meanFvu) + " of the variance is left";
    if (!choice.isGood)
        return "These transcoders reconstruct the MLPs badly wherever they read (" + left +
               " at best, reading " + inWords(chosen) + "); give those that were made for this model.";
    // The best one that reads elsewhere.
    const auto other = std::ranges::find_if(
        choice.trials, [&](const ReadingTrial& trial) { return trial.place != chosen.place; });
    if (other == choice.trials.end())
        return "They read " + inWords(chosen) + ": " + left + ".";
    const std::string others = "reading " + inWords(*other) + " " + share(other->meanFvu);
    if (facts.place && other->meanFvu * kAlike < chosen.meanFvu)
        return "Their files say that they read " + inWords(chosen) + ", where " + left + "; " + others +
               " is, so the files may be wrong.";
    if (facts.place)
        return "Their files say that they read " + inWords(chosen) + ": " + left + ", " + others + ".";
    if (other->meanFvu <= kAlike * chosen.meanFvu)
        return "Where they read cannot be told and hardly matters: " + left + " if they read " +
               inWords(chosen) + ", " + others + ".";
    return "They read " + inWords(chosen) + ": " + left + ", " + others + ".";
}

}  // namespace

std::string inWords(const ReadingTrial& trial)
{
    const char* const place = trial.place == Place::Middle   ? "the stream before the norm"
                              : trial.place == Place::Normed ? "the normed stream before the norm's weights"
                                                             : "what the MLP gets";
    return place + std::string(trial.isRescaled ? ", rescaled" : "") +
           (trial.isCentred ? ", for centred outputs" : "");
}

Result<PlaceChoice> choosePlace(const std::shared_ptr<const Transcoders>& coders,
                                const std::vector<engine::RunRequest>& passages, const Hooks& hooks)
{
    return guarded([&] {
        if (std::ranges::none_of(passages, [](const auto& passage) { return passage.tokens.size() > 2; }))
            fail(ErrorCode::BadRequest,
                 "Where transcoders read takes a text of three tokens or more; give a longer one.");
        const engine::Model& model = *passages.front().model;
        const CoderFacts& facts = coders->facts();
        const MlpText text = recordText(passages, hooks);
        std::vector<Place> places = {Place::MlpInput};
        if (model.spec().normBefore)  // else all are the same
            places.insert(places.end(), {Place::Normed, Place::Middle});
        PlaceChoice choice;
        int tried = 0;
        for (const Place place : places)
            for (const bool isRescaled : {false, true}) {
                hooks.throwIfCancelled();
                hooks.report(tried++, 2 * static_cast<int>(places.size()));
                if (!isRescaled || !facts.hasScales)
                    addTrials(*coders, model, text, place, isRescaled, choice.trials);
            }
        std::ranges::stable_sort(choice.trials, {}, &ReadingTrial::meanFvu);
        const auto asSaid = std::ranges::find_if(
            choice.trials, [&](const ReadingTrial& trial) { return isAsFilesSay(trial, facts); });
        const bool followsFiles = facts.hasScales && asSaid != choice.trials.end();
        const auto samePlace = std::ranges::find_if(choice.trials, [&](const ReadingTrial& trial) {
            return !facts.place || trial.place == *facts.place;
        });
        choice.chosen = followsFiles ? *asSaid : *samePlace;
        choice.isGood = choice.chosen.meanFvu <= kWorstFvu;
        choice.sentence = sentenceOf(choice, facts);
        choice.coders = readingAt(coders, choice.chosen.place, choice.chosen.isCentred, choice.chosen.scales);
        return choice;
    });
}

}  // namespace hs::features
