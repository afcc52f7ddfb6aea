#include "features/train/coder_trainer.h"

#include "unexplained.h"

#include "core/train/tiny_training.h"

#include <sstream>

using namespace hs;
using test::bytesOf;

namespace {

/// A model that counts, made once.
const std::shared_ptr<const engine::Model>& countingModel()
{
    static const test::TempDir folder;
    static const std::shared_ptr<const engine::Model> model = test::trained(folder.path());
    return model;
}

features::CoderJob coderJob(const std::filesystem::path& out, bool crossesLayers = false)
{
    features::CoderJob job;
    job.model = countingModel();
    job.coders.features = 48;
    job.coders.k = 4;
    job.coders.crossesLayers = crossesLayers;
    job.data = std::make_shared<test::Counting>();
    job.options.steps = 60;
    job.options.rate = 0.01;
    job.options.warmUp = 5;
    job.options.measureEvery = 20;
    job.out = out;
    job.checkpointSeconds = 1e9;
    return job;
}

features::CoderOutcome made(const features::CoderJob& job)
{
    return test::value(features::trainCoders(job, {}, {}));
}

std::string refusal(const features::CoderJob& job)
{
    const auto outcome = features::trainCoders(job, {}, {});
    REQUIRE_FALSE(outcome);
    return outcome.error().message;
}

}  // namespace

TEST_CASE("transcoders learn what MLPs add")
{
    const bool crossesLayers = GENERATE(false, true);
    const test::TempDir folder;
    std::vector<features::CoderPoint> curve;
    features::CoderJob job = coderJob(folder.path(), crossesLayers);
    job.options.steps = 300;
    const features::CoderOutcome outcome = test::value(
        features::trainCoders(job, [&](const features::CoderPoint& point) { curve.push_back(point); }, {}));
    CHECK(curve.front().heldOut->fvu.size() == 2);
    CHECK(curve.back().fvu < 0.2 * curve.front().fvu);
    CHECK(features::meanOverLayers(outcome.measure.fvu) < 0.2);
    CHECK(features::meanOverLayers(outcome.measure.l0) == Approx(4).epsilon(0.25));
    CHECK(outcome.measure.replacedLoss < outcome.measure.loss + 0.3);
    CHECK(outcome.measure.agreement > 0.9);
}

TEST_CASE("what is written opens and leaves unexplained what was told")
{
    const bool crossesLayers = GENERATE(false, true);
    const auto firing = GENERATE(features::Firing::JumpRelu, features::Firing::TopK);
    const test::TempDir folder;
    features::CoderJob job = coderJob(folder.path(), crossesLayers);
    job.coders.firing = firing;
    job.writtenAs = model::DType::F16;
    const features::CoderOutcome outcome = made(job);
    const auto coders = test::value(features::openTranscoders(folder.path(), job.model->spec()));
    CHECK(coders->facts().crossesLayers == crossesLayers);
    CHECK(coders->facts().firing == firing);
    CHECK(coders->facts().place == features::Place::MlpInput);

    const train::MeasuredModel model{job.model->spec(), job.model->weights(), std::nullopt};
    const features::MlpStreams streams =
        features::StreamReader(model, 1, train::Operations::Fused).read(job.data->heldOut().front().batch);
    CHECK(streams.inputs.front().size(0) == 4 * 5);  // without the first position
    for (int layer = 0; layer < 2; ++layer)
        CHECK(test::unexplained(*coders, streams, layer) == Approx(outcome.measure.fvu[layer]).epsilon(1e-3));
    CHECK(bytesOf(folder / "README.md").find("# Transcoders of") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "training_state.safetensors"));
}

TEST_CASE("transcoders that were stopped and resumed end with the same bits")
{
    const test::TempDir whole;
    const test::TempDir broken;
    made(coderJob(whole.path(), true));
    std::stop_source stop;
    const auto first = test::value(features::trainCoders(
        coderJob(broken.path(), true),
        [&](const features::CoderPoint& point) {
            if (point.step >= 25)
                stop.request_stop();
        },
        stop.get_token()));
    CHECK(first.wasStopped);
    CHECK(first.steps == 25);
    features::CoderJob rest = coderJob(broken.path(), true);
    rest.resumes = true;
    CHECK_FALSE(made(rest).wasStopped);
    for (const char* const file :
         {"W_enc_0.safetensors", "W_dec_0.safetensors", "W_enc_1.safetensors", "W_dec_1.safetensors"})
        CHECK(bytesOf(whole / file) == bytesOf(broken / file));

    std::istringstream lines(bytesOf(broken / "training_curve.csv"));
    std::string line;
    std::getline(lines, line);
    CHECK(line.starts_with("step,fvu,l0,"));
    std::vector<long> steps;
    while (std::getline(lines, line))
        steps.push_back(std::atol(line.c_str()));
    CHECK((steps == std::vector<long>{20, 25, 40, 50, 60}));
}

TEST_CASE("a limit of minutes decides the number of steps")
{
    const test::TempDir folder;
    features::CoderJob job = coderJob(folder.path());
    job.limit = train::TimeLimit{0.02, 0, {}};
    const features::CoderOutcome outcome = made(job);
    CHECK(outcome.steps > 0);
    CHECK(outcome.steps == outcome.planned);
}

TEST_CASE("a training of transcoders says what is wrong with it")
{
    const test::TempDir folder;
    features::CoderJob job = coderJob(folder / "out");
    job.coders.k = 49;
    CHECK(refusal(job) == "49 of 48 features cannot fire; give a --target-l0 from 1 to the number of "
                          "--features.");
    job = coderJob(folder / "out");
    job.options.steps = 0;
    CHECK(refusal(job) == "A training needs at least one step; raise --steps.");
    job = coderJob(folder / "out");
    job.coders.features = 100'000'000;
    CHECK(refusal(job).find("give fewer --features, or leave out --cross-layer.") != std::string::npos);

    made(coderJob(folder / "out"));
    CHECK(refusal(coderJob(folder / "out")).find("holds transcoders already") != std::string::npos);
    job = coderJob(folder / "out");
    job.resumes = true;
    CHECK(refusal(job).find("its transcoders can be opened") != std::string::npos);
}
