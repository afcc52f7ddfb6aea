#include "train/trainer.h"

#include "engine/request/gate_choice.h"
#include "engine/run/engine.h"
#include "model/revisions/revisions.h"
#include "model/safetensors.h"
#include "tiny_training.h"

#include <sstream>

using namespace hs;
using test::bytesOf;
using test::sparseJob;
using test::tinyJob;
using test::trained;

namespace {

/// Asks to stop after a number of steps.
train::CurveListener stopAt(std::stop_source& source, std::int64_t step)
{
    return [&source, step](const train::CurvePoint& point) {
        if (point.step >= step)
            source.request_stop();
    };
}

}  // namespace

TEST_CASE("a training learns what its rows have in common")
{
    const test::TempDir folder;
    std::vector<train::CurvePoint> curve;
    train::Job job = tinyJob(folder.path());
    job.options.steps = 200;
    const train::Outcome outcome =
        test::value(train::train(job, [&](const train::CurvePoint& point) { curve.push_back(point); }, {}));
    CHECK(outcome.measure.groups.at(0).score > 0.9);
    CHECK(curve.back().loss < 0.5 * curve.front().loss);
    const std::shared_ptr<const engine::Model> model = test::openModel(folder.path());
    engine::RunRequest request;
    request.model = model;
    request.tokens = {7, 8, 9, 10};
    CHECK(test::value(engine::Engine().run(request)).predictions.front().token == 11);
}

TEST_CASE("a training that was stopped and resumed ends with the same bits")
{
    const bool isSparse = GENERATE(false, true);
    const bool isSampled = GENERATE(false, true);
    if (isSampled && !isSparse)
        return;
    INFO((isSparse ? "sparse" : "dense") << (isSampled ? ", sampled" : ""));
    const test::TempDir dense;
    const test::TempDir whole;
    const test::TempDir broken;
    const std::shared_ptr<const engine::Model> model = isSparse ? trained(dense.path()) : nullptr;
    const auto jobAt = [&](const std::filesystem::path& out) {
        train::Job job = isSparse ? sparseJob(model, out) : tinyJob(out);
        if (isSparse)
            job.options.sparsity->isSampled = isSampled;
        return job;
    };
    test::value(train::train(jobAt(whole.path()), {}, {}));

    std::stop_source stop;
    const train::Outcome first =
        test::value(train::train(jobAt(broken.path()), stopAt(stop, 20), stop.get_token()));
    CHECK(first.wasStopped);
    CHECK(first.steps == 20);
    CHECK(std::filesystem::exists(broken / "training_state.safetensors"));
    train::Job rest = jobAt(broken.path());
    rest.resumes = true;
    CHECK_FALSE(test::value(train::train(rest, {}, {})).wasStopped);

    CHECK(bytesOf(whole / "model.safetensors") == bytesOf(broken / "model.safetensors"));
    CHECK_FALSE(std::filesystem::exists(broken / "training_state.safetensors"));
}

TEST_CASE("a resumed curve has every step once")
{
    const test::TempDir folder;
    std::stop_source stop;
    test::value(train::train(tinyJob(folder.path()), stopAt(stop, 40), stop.get_token()));
    train::Job rest = tinyJob(folder.path());
    rest.resumes = true;
    test::value(train::train(rest, {}, {}));
    std::istringstream lines(bytesOf(folder / "training_curve.csv"));
    std::string line;
    std::getline(lines, line);
    CHECK(line.starts_with("step,loss,"));
    std::vector<long> steps;
    while (std::getline(lines, line))
        steps.push_back(std::atol(line.c_str()));
    CHECK(steps == std::vector<long>{20, 40, 50, 60});
}

TEST_CASE("post-training closes cells and stays within what is tolerated")
{
    const test::TempDir dense;
    const test::TempDir sparse;
    train::Job job = sparseJob(trained(dense.path()), sparse.path());
    job.options.steps = 400;
    const train::Outcome outcome = test::value(train::train(job, {}, {}));
    CHECK(outcome.meetsConstraint);
    CHECK(outcome.measure.density < 0.2);
    CHECK(outcome.measure.divergence <= job.options.sparsity->tolerance);
    CHECK(outcome.dense->density == 1);

    const std::shared_ptr<const engine::Model> model = test::openModel(sparse.path());
    REQUIRE(model->spec().gateBias == 0.0);
    engine::RunRequest request;
    request.model = model;
    request.gate = engine::chooseGate({}, model->spec().gateBias);
    request.tokens = {5, 6, 7, 8, 9, 10};
    const engine::RunResult run = test::value(engine::Engine().run(request));
    CHECK(run.density < 0.3);
    CHECK(run.predictions.front().token == 11);
}

TEST_CASE("a tolerance that cannot be met is said, and the model is written all the same")
{
    const test::TempDir dense;
    const test::TempDir sparse;
    train::Job job = sparseJob(trained(dense.path()), sparse.path());
    job.options.steps = 5;
    job.options.sparsity->tolerance = 1e-12;
    const train::Outcome outcome = test::value(train::train(job, {}, {}));
    CHECK_FALSE(outcome.meetsConstraint);
    CHECK(std::filesystem::exists(sparse / "model.safetensors"));
}

TEST_CASE("a checkpoint is resumed with the options it was made with, and never overwritten unasked")
{
    const test::TempDir folder;
    std::stop_source stop;
    test::value(train::train(tinyJob(folder.path()), stopAt(stop, 20), stop.get_token()));

    const Result<train::Outcome> anew = train::train(tinyJob(folder.path()), {}, {});
    REQUIRE_FALSE(anew);
    CHECK(anew.error().message.find("--resume") != std::string::npos);

    train::Job other = tinyJob(folder.path());
    other.resumes = true;
    other.options.rate = 0.5;
    const Result<train::Outcome> changed = train::train(other, {}, {});
    REQUIRE_FALSE(changed);
    CHECK(changed.error().message.find("other options") != std::string::npos);

    const test::TempDir empty;
    train::Job nothing = tinyJob(empty.path());
    nothing.resumes = true;
    const Result<train::Outcome> missing = train::train(nothing, {}, {});
    REQUIRE_FALSE(missing);
    CHECK(missing.error().message.find("no checkpoint") != std::string::npos);
}

TEST_CASE("a checkpoint of another shape with as many weights is not resumed")
{
    const test::TempDir folder;
    std::stop_source stop;
    test::value(train::train(tinyJob(folder.path()), stopAt(stop, 20), stop.get_token()));
    train::Job other = tinyJob(folder.path());
    other.resumes = true;
    other.config["n_head"] = 4;
    other.spec = test::value(model::readArchSpec(other.config));
    const Result<train::Outcome> outcome = train::train(other, {}, {});
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().message.find("other options") != std::string::npos);
}

TEST_CASE("a training is resumed without its curve, and starts a new one")
{
    const test::TempDir folder;
    std::stop_source stop;
    test::value(train::train(tinyJob(folder.path()), stopAt(stop, 20), stop.get_token()));
    std::filesystem::remove(folder / "training_curve.csv");
    train::Job rest = tinyJob(folder.path());
    rest.resumes = true;
    test::value(train::train(rest, {}, {}));
    CHECK(bytesOf(folder / "training_curve.csv").starts_with("step,loss,"));
}

TEST_CASE("a training does not write over a model")
{
    const test::TempDir folder;
    test::value(train::train(tinyJob(folder.path()), {}, {}));
    const std::string before = bytesOf(folder / "model.safetensors");
    const Result<train::Outcome> again = train::train(tinyJob(folder.path()), {}, {});
    REQUIRE_FALSE(again);
    CHECK(again.error().message.find("holds a model already") != std::string::npos);
    CHECK(bytesOf(folder / "model.safetensors") == before);
}

TEST_CASE("a damaged checkpoint is refused")
{
    const test::TempDir folder;
    std::stop_source stop;
    test::value(train::train(tinyJob(folder.path()), stopAt(stop, 20), stop.get_token()));
    const std::filesystem::path file = folder / "training_state.safetensors";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    train::Job rest = tinyJob(folder.path());
    rest.resumes = true;
    const Result<train::Outcome> outcome = train::train(rest, {}, {});
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().message.find("delete it and start without --resume") != std::string::npos);
}

TEST_CASE("a loss that is no number ends the training and leaves the last checkpoint")
{
    const test::TempDir folder;
    train::Job job = tinyJob(folder.path());
    job.options.rate = 1e30;
    const Result<train::Outcome> outcome = train::train(job, {}, {});
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().message.find("--rate") != std::string::npos);
    CHECK(std::filesystem::exists(folder / "training_state.safetensors"));
}

TEST_CASE("weights that went astray in the last step are not written as the model")
{
    const test::TempDir folder;
    train::Job job = tinyJob(folder.path());
    job.options.rate = 1e30;
    job.options.steps = 1;
    const Result<train::Outcome> outcome = train::train(job, {}, {});
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().message.find("lower --rate") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "model.safetensors"));
}

TEST_CASE("models kept on the way are the steps of the training, and change nothing about its end")
{
    const test::TempDir plain;
    const test::TempDir keeping;
    train::Job job = tinyJob(plain.path());
    job.options.steps = 20;
    test::value(train::train(job, {}, {}));
    job.out = keeping.path();
    job.keepEvery = 8;
    test::value(train::train(job, {}, {}));
    CHECK(bytesOf(keeping / "model.safetensors") == bytesOf(plain / "model.safetensors"));
    const auto kept = model::revisionsOf(keeping.path().string(), {});
    REQUIRE(kept.size() == 3);
    for (std::size_t index = 0; index < kept.size(); ++index) {
        CHECK(kept[index].step == static_cast<std::int64_t>(8 * index));
        CHECK(test::openModel(kept[index].source)->spec().layers == 2);
    }
    CHECK(bytesOf(keeping / "step8" / "model.safetensors") !=
          bytesOf(keeping / "step16" / "model.safetensors"));
}
