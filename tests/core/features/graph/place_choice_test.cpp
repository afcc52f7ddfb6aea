#include "features/coders/transcoders_tensors.h"
#include "features/graph/mlp_run_tensors.h"
#include "features/graph/place_choice.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>

using namespace hs;
using features::Place;

namespace {

/// Decoders that are whole matrices in memory.
class WholeDecoders final : public features::DecoderRows {
public:
    explicit WholeDecoders(std::vector<at::Tensor> decoders) : m_decoders(std::move(decoders)) {}

    at::Tensor rows(int source, int target, std::span<const std::int64_t> features) const override
    {
        at::Tensor rows = at::zeros({static_cast<std::int64_t>(features.size()), m_decoders.front().size(1)});
        for (std::size_t index = 0; index < features.size() && source == target; ++index)
            rows[static_cast<std::int64_t>(index)] =
                m_decoders[static_cast<std::size_t>(source)][features[index]];
        return rows;
    }

private:
    std::vector<at::Tensor> m_decoders;
};

std::vector<engine::RunRequest> passagesOf(const std::shared_ptr<const engine::Model>& model)
{
    std::vector<engine::RunRequest> passages(2);
    for (std::size_t index = 0; index < passages.size(); ++index) {
        passages[index].model = model;
        for (std::int64_t token = 0; token < 14; ++token)
            passages[index].tokens.push_back((token * token * 7 + 3 * static_cast<std::int64_t>(index)) %
                                             model->spec().vocabulary);
    }
    return passages;
}

/// Transcoders that know each position of the text by heart if they read at `place`: a feature a position,
/// which fires where its own input is read and writes what the MLP added there.
std::shared_ptr<const features::Transcoders> learnt(const std::vector<engine::RunRequest>& passages,
                                                    Place place, bool isRescaled = false,
                                                    bool isCentred = false)
{
    const engine::Model& model = *passages.front().model;
    const auto layers = static_cast<std::size_t>(model.spec().layers);
    std::vector<std::vector<at::Tensor>> inputs(layers), outputs(layers);
    for (const engine::RunRequest& passage : passages)
        features::runMlps(passage, [&](const features::MlpVisit& visit) {
            const auto layer = static_cast<std::size_t>(visit.layer);
            at::Tensor output = visit.output();
            inputs[layer].push_back(features::readAt(place, model, visit.layer, visit.stream).slice(0, 1));
            outputs[layer].push_back(isCentred ? output - output.mean(-1, true) : output);
            return output;
        });
    auto weights = std::make_unique<features::CoderWeights>();
    std::vector<at::Tensor> decoders;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        at::Tensor read = at::cat(inputs[layer]);
        if (isRescaled)
            read = read * (std::sqrt(static_cast<double>(read.size(1))) / read.norm(2, -1).mean());
        std::vector<at::Tensor> written;
        for (const at::Tensor& output : outputs[layer])
            written.push_back(output.slice(0, 1));
        // The nearest of the inputs learnt fires most: r·f − ‖f‖²/2, which is ‖f‖²/2 at that input itself.
        features::CoderLayer each;
        each.encoder = read.clone();
        each.encoderBias = -read.square().sum(-1) / 2;
        each.decoderBias = at::zeros({model.spec().hidden});
        weights->layers.push_back(each);
        decoders.push_back(at::cat(written));
    }
    features::CoderFacts facts;
    facts.name = "learnt";
    facts.layers = model.spec().layers;
    facts.width = model.spec().hidden;
    facts.features = static_cast<int>(decoders.front().size(0));
    facts.firing = features::Firing::TopK;
    facts.k = 1;
    for (std::size_t layer = 0; layer < layers; ++layer)
        decoders[layer] =
            decoders[layer] / (weights->layers[layer].encoder.square().sum(-1, true) / 2).clamp_min(1e-12);
    weights->decoders = std::make_unique<WholeDecoders>(std::move(decoders));
    return std::make_shared<const features::Transcoders>(facts, std::move(weights));
}

}  // namespace

TEST_CASE("where transcoders read is found by reconstruction")
{
    const auto model = test::openGolden(GENERATE("gpt2", "llama-tied"));
    const auto passages = passagesOf(model);
    const Place place = GENERATE(Place::Middle, Place::Normed, Place::MlpInput);
    const auto choice = test::value(features::choosePlace(learnt(passages, place), passages));
    INFO(choice.sentence);
    CHECK(choice.chosen.meanFvu < 1e-6);
    CHECK(choice.isGood);
    CHECK(choice.trials.size() == 12);  // places, scales, centring
    CHECK(choice.coders->facts().place == choice.chosen.place);
    if (choice.chosen.place != place)  // equal where the norm's weights are all 1
        CHECK(choice.sentence.find("cannot be told") != std::string::npos);
    else
        CHECK(choice.trials.front().place == place);
}

TEST_CASE("inputs that were rescaled and outputs that were centred are found, too")
{
    const auto model = test::openGolden("gpt2");
    const auto passages = passagesOf(model);
    const auto centred =
        test::value(features::choosePlace(learnt(passages, Place::Middle, false, true), passages));
    CHECK(centred.chosen.place == Place::Middle);
    CHECK(centred.chosen.isCentred);
    CHECK(centred.coders->facts().centresOutput);
    CHECK(centred.chosen.meanFvu < 1e-6);
    const auto rescaled = test::value(features::choosePlace(learnt(passages, Place::Middle, true), passages));
    CHECK(rescaled.chosen.place == Place::Middle);
    CHECK(rescaled.chosen.isRescaled);
    CHECK(rescaled.chosen.meanFvu < 1e-6);
    // The scales are part of the set that is given back.
    const auto again = test::value(features::choosePlace(rescaled.coders, passages));
    CHECK(again.chosen.meanFvu < 1e-6);
    CHECK_FALSE(again.chosen.isRescaled);
}

TEST_CASE("what files say about the place is followed, and doubted where another is better")
{
    const auto model = test::openGolden("gpt2");
    const auto passages = passagesOf(model);
    const auto set = learnt(passages, Place::Middle);
    const auto right =
        test::value(features::choosePlace(features::readingAt(set, Place::Middle, false, {}), passages));
    CHECK(right.trials.size() == 6);  // a set with a place has its scales
    CHECK(right.sentence.find("Their files say") != std::string::npos);
    const auto wrong =
        test::value(features::choosePlace(features::readingAt(set, Place::MlpInput, false, {}), passages));
    CHECK(wrong.chosen.place == Place::MlpInput);
    CHECK((!wrong.isGood || wrong.sentence.find("may be wrong") != std::string::npos));
}

TEST_CASE("transcoders of nothing are refused with what they leave unexplained")
{
    const auto model = test::openGolden("gpt2");
    const auto passages = passagesOf(model);
    const auto set = learnt(passages, Place::Middle);
    auto weights = std::make_unique<features::CoderWeights>();
    weights->layers = set->weights().layers;
    std::vector<at::Tensor> zeros(weights->layers.size(),
                                  at::zeros({std::int64_t{set->facts().features}, set->facts().width}));
    weights->decoders = std::make_unique<WholeDecoders>(zeros);
    const auto nothing = std::make_shared<const features::Transcoders>(set->facts(), std::move(weights));
    const auto choice = test::value(features::choosePlace(nothing, passages));
    CHECK_FALSE(choice.isGood);
    CHECK(choice.sentence.find("badly") != std::string::npos);

    std::vector<engine::RunRequest> brief(1);
    brief.front().model = model;
    brief.front().tokens = {1, 2};
    CHECK_FALSE(features::choosePlace(set, brief));
}

TEST_CASE("a perfect set in place of the MLPs leaves the model's predictions as they are")
{
    const auto model = test::openGolden(GENERATE("gpt2", "llama-tied"));
    const auto passages = passagesOf(model);
    const auto set = features::readingAt(learnt(passages, Place::Middle), Place::Middle, false, {});
    const auto report = test::value(features::reportCoders(*set, passages));
    CHECK(report.positions == 26);
    CHECK(std::abs(report.loss - report.replacedLoss) < 1e-3);
    CHECK(report.sameTop > 0.95);
    for (std::size_t layer = 0; layer < report.l0.size(); ++layer) {
        CHECK(report.l0[layer] == 1);
        CHECK(report.dead[layer] == 0);
    }
}
