#include "train/workers/workers.h"

#include "engine/load/model_loader.h"
#include "model/architectures.h"
#include "model/model_locator.h"
#include "model/safetensors.h"
#include "support/catch.h"
#include "support/free_port.h"
#include "support/models.h"
#include "support/skip.h"
#include "support/temp_dir.h"
#include "train/batch.h"
#include "train/trainer.h"

#include <cmath>
#include <cstring>
#include <future>

using namespace hs;
namespace fs = std::filesystem;

namespace {

constexpr const char* kState = "training_state.safetensors";

/// Rows of several lengths and two groups; every third batch has a single row.
class MixedRows : public train::BatchSource {
public:
    std::vector<std::string> groups() const override { return {"up", "down"}; }
    train::Batch training(std::int64_t step) const override
    {
        if (step == failsAt)
            throw std::runtime_error("the data are gone");
        if (step == 3 && waitsFor.valid())
            waitsFor.wait();
        return rows(step % 3 == 2 ? 1 : 7, static_cast<int>(step) + shift);
    }
    std::vector<train::HeldOutBatch> heldOut() const override
    {
        // The first worker's has one cell a head, of which not all are open.
        std::vector<train::HeldOutBatch> batches = {{rows(1, 100), {}}};
        batches[0].batch.lengths[0] = 1;
        batches[0].batch.weights.assign(kLength, 0.0f);
        batches.push_back({rows(9, 101), {}});
        const std::int64_t right = batches[1].batch.tokens[1];
        batches[1].answers.push_back({0, 1, right, right});
        return batches;
    }

    std::int64_t failsAt = -1;
    int shift = 0;                      // of all tokens
    std::shared_future<void> waitsFor;  // with the fourth batch

private:
    static constexpr int kLength = 8;
    static constexpr int kWords = 12;

    static train::Batch rows(int count, int from)
    {
        train::Batch batch;
        batch.rows = count;
        batch.length = kLength;
        for (int row = 0; row < count; ++row) {
            const int length = kLength - (from + row) % 4;
            const int way = row % 2 == 0 ? 1 : kWords - 1;
            batch.lengths.push_back(length);
            batch.groups.push_back(row % 2);
            for (int position = 0; position < kLength; ++position) {
                const bool isThere = position < length;
                batch.tokens.push_back(isThere ? (from + 5 * row + way * position) % kWords : 0);
                batch.weights.push_back(position + 1 < length ? (row == 3 ? 0.25f : 1.0f) : 0.0f);
            }
        }
        return batch;
    }
};

/// Without biases: the loss does not depend on those of keys, so that AdamW would scale up their noise.
train::Job workersJob(const fs::path& out)
{
    train::Job job;
    job.config = {{"model_type", "llama"},    {"num_hidden_layers", 2},
                  {"num_attention_heads", 2}, {"num_key_value_heads", 1},
                  {"hidden_size", 16},        {"intermediate_size", 24},
                  {"vocab_size", 12},         {"max_position_embeddings", 8},
                  {"rms_norm_eps", 1e-5},     {"tie_word_embeddings", true}};
    job.spec = test::value(model::readArchSpec(job.config));
    job.data = std::make_shared<MixedRows>();
    job.options.steps = 9;
    job.options.rate = 1e-3;
    job.options.warmUp = 2;
    job.options.measureEvery = 4;
    job.out = out;
    job.checkpointSeconds = 1e9;
    return job;
}

train::Job sparseJob(const fs::path& dense, const fs::path& out, bool isSampled)
{
    train::Job job = workersJob(out);
    if (!fs::exists(dense / "model.safetensors"))
        test::value(train::train(workersJob(dense), {}, {}));
    job.start = test::value(engine::loadModel(test::value(model::locateModel(dense.string(), {})),
                                              {engine::Device{}, model::DType::F32}));
    job.distils = true;
    job.spec.gateBias = 0.0;
    job.options.rate = 1e-4;
    job.options.sparsity.emplace();
    job.options.sparsity->tolerance = 10;
    job.options.sparsity->scoreTolerance = 10;
    job.options.sparsity->headPenalty = 0.5;
    job.options.sparsity->isSampled = isSampled;
    job.options.sparsity->firstBias = 0.5;
    job.options.sparsity->biasSteps = 5;
    return job;
}

using JobOf = std::function<train::Job(int rank)>;
using Outcomes = std::vector<Result<train::Outcome>>;

struct Conduct {
    std::vector<std::stop_token> stops = {};  // [rank]
    std::chrono::milliseconds patience = std::chrono::minutes(2);
    std::function<void(int rank)> ended = [](int) {};
};

/// Trains with so many workers, each on a thread of its own.
Outcomes trainedBy(int count, const JobOf& jobOf, const Conduct& conduct = {})
{
    const int port = test::freePort();
    std::vector<std::future<Result<train::Outcome>>> running;
    for (int rank = 0; rank < count; ++rank)
        running.push_back(std::async(std::launch::async, [&, rank]() -> Result<train::Outcome> {
            train::Job job = jobOf(rank);
            auto workers = train::joinWorkers({rank, count, rank, "127.0.0.1", port}, job.device,
                                              {std::chrono::minutes(2), conduct.patience});
            if (!workers)
                return workers.error();
            job.workers = *workers;
            workers = train::oneWorker();  // the job alone has them
            const std::stop_token stop = conduct.stops.empty() ? std::stop_token() : conduct.stops.at(rank);
            Result<train::Outcome> outcome = train::train(job, {}, stop);
            conduct.ended(rank);
            return outcome;
        }));
    Outcomes outcomes;
    for (auto& run : running)
        outcomes.push_back(run.get());
    if (!outcomes.front() && outcomes.front().error().code == ErrorCode::Unsupported)
        test::skipTest("this build has no Gloo");
    return outcomes;
}

std::vector<float> weightsIn(const fs::path& folder)
{
    const model::SafetensorsFile file = model::SafetensorsFile::open(folder / "model.safetensors");
    std::vector<float> all;
    for (const model::TensorInfo& tensor : file.tensors()) {
        const std::size_t before = all.size();
        all.resize(before + tensor.bytes / sizeof(float));
        std::memcpy(all.data() + before, file.bytes(tensor).data(), tensor.bytes);
    }
    return all;
}

double largestDifference(const fs::path& a, const fs::path& b)
{
    const std::vector<float> first = weightsIn(a);
    const std::vector<float> second = weightsIn(b);
    REQUIRE(first.size() == second.size());
    double largest = 0;
    for (std::size_t index = 0; index < first.size(); ++index)
        largest = std::max(largest, static_cast<double>(std::fabs(first[index] - second[index])));
    return largest;
}

}  // namespace

// Bits would take the same order of sums: one worker adds up all rows in one matrix product. A group of one does.
TEST_CASE("several workers give the weights of one within a millionth, and all of them the same numbers")
{
    const int count = GENERATE(1, 2, 3);
    const std::string kind = GENERATE("dense", "thresholded", "sampled", "plain");
    CAPTURE(count, kind);
    const test::TempDir folder;
    const auto jobAt = [&](const std::string& out) {
        if (kind == "dense")
            return workersJob(folder / out);
        train::Job job = sparseJob(folder / "start", folder / out, kind != "thresholded");
        job.isFused = kind != "plain";
        return job;
    };
    const train::Outcome alone = test::value(train::train(jobAt("alone"), {}, {}));
    jobAt("warm");  // the dense model is there before threads start
    const Outcomes together = trainedBy(count, [&](int) { return jobAt("together"); });
    for (const Result<train::Outcome>& outcome : together) {
        const train::HeldOutMeasure& measure = test::value(outcome).measure;
        const train::HeldOutMeasure& first = together.front()->measure;
        CHECK(measure.crossEntropy == first.crossEntropy);
        CHECK(measure.divergence == first.divergence);
        CHECK(measure.density == first.density);
        CHECK(measure.headsEverActive == first.headsEverActive);
        CHECK(outcome->step == alone.step);
        CHECK(measure.crossEntropy == Approx(alone.measure.crossEntropy).epsilon(1e-5));
        CHECK(measure.density == Approx(alone.measure.density).epsilon(1e-5));
        CHECK(measure.meanHeadsActive == Approx(alone.measure.meanHeadsActive));
        CHECK(measure.mostHeadsActive == alone.measure.mostHeadsActive);
        CHECK(measure.groups.at(0).answers == alone.measure.groups.at(0).answers);
        CHECK(measure.groups.at(0).score == Approx(alone.measure.groups.at(0).score));
    }
    CHECK(largestDifference(folder / "alone", folder / "together") <= (count == 1 ? 0 : 1e-6));
}

TEST_CASE(
    "a worker that is lost ends all with one sentence and a checkpoint that another number of them resumes")
{
    const test::TempDir folder;
    test::value(train::train(workersJob(folder / "whole"), {}, {}));
    const Outcomes broken = trainedBy(3, [&](int rank) {
        train::Job job = workersJob(folder / "broken");
        const auto data = std::make_shared<MixedRows>();
        data->failsAt = rank == 1 ? 6 : -1;
        job.data = data;
        return job;
    });
    REQUIRE_FALSE(broken[0]);
    INFO(broken[0].error().message);
    CHECK(broken[0].error().message.starts_with("A worker was lost; the training is saved in "));
    CHECK(broken[0].error().message.find("--resume") != std::string::npos);
    REQUIRE_FALSE(broken[1]);
    CHECK(broken[1].error().message.find("the data are gone") != std::string::npos);
    CHECK_FALSE(broken[2]);
    REQUIRE(fs::exists(folder / "broken" / kState));

    train::Job rest = workersJob(folder / "broken");
    rest.resumes = true;
    std::vector<std::int64_t> points;
    const auto note = [&](const train::CurvePoint& point) { points.push_back(point.step); };
    CHECK(test::value(train::train(rest, note, {})).steps == rest.options.steps);
    CHECK(points == std::vector<std::int64_t>{8, 9});  // not 4: what was done is kept
    CHECK(largestDifference(folder / "whole", folder / "broken") <= 1e-6);
}

TEST_CASE("what one worker began, several go on with")
{
    const test::TempDir folder;
    test::value(train::train(workersJob(folder / "whole"), {}, {}));
    std::stop_source stop;
    const auto stopAtFour = [&](const train::CurvePoint& point) {
        if (point.step == 4)
            stop.request_stop();
    };
    CHECK(test::value(train::train(workersJob(folder / "broken"), stopAtFour, stop.get_token())).steps == 4);
    const Outcomes rest = trainedBy(2, [&](int) {
        train::Job job = workersJob(folder / "broken");
        job.resumes = true;
        return job;
    });
    CHECK_FALSE(test::value(rest[0]).wasStopped);
    CHECK(largestDifference(folder / "whole", folder / "broken") <= 1e-6);
}

TEST_CASE("a worker that is asked to stop stops all after the same step")
{
    const test::TempDir folder;
    std::stop_source asked;
    asked.request_stop();
    const Outcomes stopped = trainedBy(2, [&](int) { return workersJob(folder.path()); },
                                       {{std::stop_token(), asked.get_token()}});
    for (const Result<train::Outcome>& outcome : stopped) {
        CHECK(test::value(outcome).wasStopped);
        CHECK(outcome->steps == 0);
    }
    CHECK(fs::exists(folder / kState));
}

TEST_CASE("workers that would train different models end before the first step, and one says so")
{
    const test::TempDir folder;
    const Outcomes outcomes = trainedBy(2, [&](int rank) {
        train::Job job = workersJob(folder.path());
        job.options.seed = rank;
        return job;
    });
    REQUIRE_FALSE(outcomes[0]);
    CHECK(outcomes[0].error().message.starts_with("The workers do not train the same model at step 0;"));
    REQUIRE_FALSE(outcomes[1]);
    CHECK(outcomes[1].error().message.empty());
}

TEST_CASE("workers whose batches differ end at the next look")
{
    const test::TempDir folder;
    const Outcomes outcomes = trainedBy(2, [&](int rank) {
        train::Job job = workersJob(folder.path());
        const auto data = std::make_shared<MixedRows>();
        data->shift = rank;
        job.data = data;
        return job;
    });
    REQUIRE_FALSE(outcomes[0]);
    CHECK(outcomes[0].error().message.starts_with("The workers do not train the same model at step 4;"));
}

TEST_CASE("a worker that hangs is given up after the time that is stated, and the checkpoint resumes")
{
    const test::TempDir folder;
    std::promise<void> firstHasEnded;
    const std::shared_future<void> wait = firstHasEnded.get_future().share();
    const auto jobOf = [&](int rank) {
        train::Job job = workersJob(folder.path());
        const auto data = std::make_shared<MixedRows>();
        if (rank == 1)
            data->waitsFor = wait;
        job.data = data;
        return job;
    };
    Conduct conduct;
    conduct.patience = std::chrono::seconds(6);
    conduct.ended = [&](int rank) {
        if (rank == 0)
            firstHasEnded.set_value();
    };
    const Outcomes outcomes = trainedBy(2, jobOf, conduct);
    REQUIRE_FALSE(outcomes[0]);
    CHECK(outcomes[0].error().message.starts_with("A worker was lost; the training is saved in "));
    CHECK_FALSE(outcomes[1]);
    train::Job rest = workersJob(folder.path());
    rest.resumes = true;
    CHECK(test::value(train::train(rest, {}, {})).steps == rest.options.steps);
}

TEST_CASE("a worker that the others do not find says where it looked")
{
    const train::Patience little = {std::chrono::seconds(2), std::chrono::seconds(2)};
    const int port = test::freePort();
    const auto refusalAt = [&](int rank, const std::string& address) {
        const auto workers = train::joinWorkers({rank, 2, rank, address, port}, {}, little);
        REQUIRE_FALSE(workers);
        INFO(workers.error().message << workers.error().detail);
        CHECK(workers.error().message.find(address + ":" + std::to_string(port)) != std::string::npos);
        CHECK(workers.error().message.find("MASTER_ADDR") != std::string::npos);
        return workers.error().message;
    };
    CHECK(refusalAt(0, "127.0.0.1").starts_with("The first of 2 workers could not meet the others at "));
    CHECK(refusalAt(1, "127.0.0.1").starts_with("Worker 1 of 2 cannot reach the first one at "));
    CHECK(refusalAt(1, "no.such.host.invalid").starts_with("Worker 1 of 2 cannot reach"));
}
