#include "support/bytes_of.h"
#include "train/economy.h"

#include "core/train/counting_rows.h"
#include "engine/run/engine.h"
#include "model/architectures.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/temp_dir.h"
#include "train/trainer.h"

using namespace hs;

namespace {

namespace fs = std::filesystem;

train::Job economyJob(const fs::path& out)
{
    train::Job job;
    job.config = {{"model_type", "gpt2"}, {"n_layer", 2},     {"n_head", 2},
                  {"n_embd", 16},         {"n_positions", 8}, {"vocab_size", 12}};
    job.spec = test::value(model::readArchSpec(job.config));
    job.data = std::make_shared<test::CountingRows>();
    job.options.steps = 60;
    job.options.rate = 0.01;
    job.options.warmUp = 5;
    job.options.measureEvery = 20;
    job.out = out;
    job.checkpointSeconds = 1e9;
    return job;
}

/// A model that counts.
std::shared_ptr<const engine::Model> denseModel()
{
    static const std::shared_ptr<const engine::Model> kModel = [] {
        const test::TempDir folder;
        train::Job job = economyJob(folder.path());
        job.options.steps = 200;
        test::value(train::train(job, {}, {}));
        return test::value(engine::loadModel(test::value(model::locateModel(folder.path().string(), {})),
                                             {engine::Device{}, model::DType::F32}));
    }();
    return kModel;
}

/// The same model made sparse, by an adapter.
train::Job adapterJob(const fs::path& out)
{
    train::Job job = economyJob(out);
    job.start = denseModel();
    job.distils = true;
    job.spec.gateBias = 0.0;
    job.options.sparsity.emplace();
    job.options.sparsity->tolerance = 0.1;
    job.options.sparsity->scoreTolerance = 0.1;
    job.options.sparsity->speed = 0.02;
    job.economy.adapter = train::AdapterOptions{4, 8, {"all-linear"}};
    return job;
}

}  // namespace

TEST_CASE("an adapter makes a model sparse within what is tolerated, and is merged into plain weights")
{
    const test::TempDir folder;
    train::Job job = adapterJob(folder.path());
    job.options.steps = 400;
    const train::Outcome outcome = test::value(train::train(job, {}, {}));
    CHECK(outcome.meetsConstraint);
    CHECK(outcome.measure.density < 0.4);
    CHECK(outcome.measure.divergence <= job.options.sparsity->tolerance);
    const auto model = test::openModel(folder.path());
    CHECK(model->spec().gateBias == 0.0);
    CHECK_FALSE(fs::exists(folder / "adapter_model.safetensors"));
}

TEST_CASE("a training that saves memory resumes with the same bits")
{
    const int kind = GENERATE(0, 1, 2, 3);
    INFO("kind " << kind);
    const test::TempDir whole;
    const test::TempDir broken;
    const auto jobAt = [&](const fs::path& out) {
        train::Job job = adapterJob(out);
        if (kind == 1)
            job.economy.adapter.reset();
        if (kind != 0)
            job.economy.states = model::DType::BF16;
        job.economy.recomputes = kind >= 2;
        job.economy.writesAdapter = kind == 3;
        return job;
    };
    const char* const written = kind == 3 ? "adapter_model.safetensors" : "model.safetensors";
    test::value(train::train(jobAt(whole.path()), {}, {}));

    std::stop_source stop;
    const auto stopEarly = [&](const train::CurvePoint& point) {
        if (point.step >= 20)
            stop.request_stop();
    };
    CHECK(test::value(train::train(jobAt(broken.path()), stopEarly, stop.get_token())).wasStopped);
    train::Job rest = jobAt(broken.path());
    rest.resumes = true;
    test::value(train::train(rest, {}, {}));
    CHECK(test::bytesOf(whole / written) == test::bytesOf(broken / written));
    CHECK_FALSE(fs::exists(broken / "training_state.safetensors"));
}

TEST_CASE("running layers again changes no bit of a training")
{
    const bool hasAdapter = GENERATE(false, true);
    const test::TempDir kept;
    const test::TempDir again;
    const auto trainAt = [&](const fs::path& out, bool recomputes) {
        train::Job job = adapterJob(out);
        job.options.sparsity->isSampled = true;
        if (!hasAdapter)
            job.economy.adapter.reset();
        job.economy.recomputes = recomputes;
        test::value(train::train(job, {}, {}));
        return test::bytesOf(out / "model.safetensors");
    };
    CHECK(trainAt(kept.path(), false) == trainAt(again.path(), true));
}

TEST_CASE("an adapter that is written by itself leaves no weights, and its folder is taken")
{
    const test::TempDir folder;
    train::Job job = adapterJob(folder.path());
    job.economy.writesAdapter = true;
    job.base = "org/dense";
    test::value(train::train(job, {}, {}));
    CHECK(fs::exists(folder / "adapter_model.safetensors"));
    CHECK(readJsonFile(folder / "adapter_config.json")["base_model_name_or_path"] == "org/dense");
    CHECK_FALSE(fs::exists(folder / "model.safetensors"));
    const Result<train::Outcome> second = train::train(job, {}, {});
    REQUIRE_FALSE(second);
    CHECK(second.error().message.find("choose another --out") != std::string::npos);
}

TEST_CASE("a training with moments in bfloat16 ends as well as one in float32")
{
    // The cross entropy on rows that were set aside, of ten seeds together, is at most a tenth higher.
    double wide = 0;
    double narrow = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
        for (const bool isNarrow : {false, true}) {
            const test::TempDir folder;
            train::Job job = economyJob(folder.path());
            job.options.seed = seed;
            job.options.steps = 150;
            if (isNarrow)
                job.economy.states = model::DType::BF16;
            (isNarrow ? narrow : wide) += test::value(train::train(job, {}, {})).measure.crossEntropy;
        }
    INFO("float32 " << wide / 10 << ", bfloat16 " << narrow / 10);
    CHECK(narrow < 1.1 * wide);
}

TEST_CASE("a checkpoint is not resumed with another rank or other moments")
{
    const test::TempDir folder;
    std::stop_source stop;
    const auto stopEarly = [&](const train::CurvePoint&) { stop.request_stop(); };
    test::value(train::train(adapterJob(folder.path()), stopEarly, stop.get_token()));
    const auto refusalWith = [&](auto change) {
        train::Job other = adapterJob(folder.path());
        other.resumes = true;
        change(other.economy);
        const Result<train::Outcome> outcome = train::train(other, {}, {});
        REQUIRE_FALSE(outcome);
        return outcome.error().message;
    };
    CHECK(refusalWith([](train::Economy& economy) { economy.adapter->rank = 2; }).find("other options") !=
          std::string::npos);
    CHECK(refusalWith([](train::Economy& economy) {
              economy.states = model::DType::BF16;
          }).find("other options") != std::string::npos);
}
