#include "done.h"
#include "heard_program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/free_port.h"
#include "support/skip.h"
#include "training_setup.h"

#include <cmath>
#include <csignal>
#include <cstring>
#include <memory>

using namespace hs::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// What torchrun would set for one of two workers.
Words workerVariables(int rank, int port)
{
    const std::string number = std::to_string(rank);
    return {"RANK=" + number,        "LOCAL_RANK=" + number, "WORLD_SIZE=2",
            "MASTER_ADDR=127.0.0.1", "OMP_NUM_THREADS=1",    "MASTER_PORT=" + std::to_string(port)};
}

/// What srun would set.
Words taskVariables(int rank, int port)
{
    const std::string number = std::to_string(rank);
    return {"SLURM_JOB_ID=77",   "SLURM_STEP_ID=0",        "SLURM_STEP_NUM_TASKS=2",
            "SLURM_NTASKS=2",    "SLURM_PROCID=" + number, "SLURM_LOCALID=" + number,
            "OMP_NUM_THREADS=1", "MASTER_ADDR=127.0.0.1",  "MASTER_PORT=" + std::to_string(port)};
}

/// Both of two workers.
struct TwoWorkers {
    explicit TwoWorkers(const Words& arguments, Words (*variables)(int, int) = workerVariables)
        : port(freePort()), first(arguments, variables(0, port)), second(arguments, variables(1, port))
    {
    }

    int port;
    HeardProgram first;
    HeardProgram second;
};

void skipWithoutGloo(const Outcome& outcome)
{
    if (outcome.err.find("This build has no Gloo") != std::string::npos)
        skipTest("this build has no Gloo");
}

/// A shape without biases of keys, whose gradients are noise.
fs::path smallShape(const TempDir& folder)
{
    return folder.write("config.json", Json{{"model_type", "llama"},
                                            {"num_hidden_layers", 2},
                                            {"num_attention_heads", 2},
                                            {"num_key_value_heads", 1},
                                            {"hidden_size", 16},
                                            {"intermediate_size", 24},
                                            {"max_position_embeddings", 64},
                                            {"rms_norm_eps", 1e-5},
                                            {"tie_word_embeddings", true}}
                                           .dump());
}

Words training(const TempDir& folder, const std::string& out, const std::string& steps)
{
    return {"train",
            "--tasks",
            "--config",
            smallShape(folder).string(),
            "--out",
            (folder / out).string(),
            "--rows",
            "12",
            "--steps",
            steps,
            "--device",
            "cpu",
            "--rate",
            "1e-4",
            "--save-as",
            "f32",
            "--measure-every",
            "1",
            "--checkpoint-every",
            "0"};
}

/// The largest difference of float32 weights; the headers of both files are the same.
double largestDifference(const fs::path& a, const fs::path& b)
{
    const std::string first = bytesOf(a / "model.safetensors");
    const std::string second = bytesOf(b / "model.safetensors");
    REQUIRE(first.size() > 8);
    REQUIRE(first.size() == second.size());
    std::uint64_t header = 0;
    std::memcpy(&header, first.data(), sizeof header);
    REQUIRE(first.compare(0, 8 + header, second, 0, 8 + header) == 0);
    double largest = 0;
    for (std::size_t at = 8 + header; at + sizeof(float) <= first.size(); at += sizeof(float)) {
        float one = 0;
        float other = 0;
        std::memcpy(&one, first.data() + at, sizeof one);
        std::memcpy(&other, second.data() + at, sizeof other);
        largest = std::max(largest, static_cast<double>(std::fabs(one - other)));
    }
    return largest;
}

}  // namespace

TEST_CASE("two workers, started as torchrun or Slurm would, write what one writes, and only the first speaks")
{
    const auto variables = GENERATE(workerVariables, taskVariables);
    const TempDir folder;
    done(training(folder, "alone", "8"));
    TwoWorkers workers(training(folder, "together", "8"), variables);
    const Outcome second = workers.second.finish();
    const Outcome first = workers.first.finish();
    skipWithoutGloo(first);
    INFO(first.err << second.err);
    CHECK(first.exitCode == 0);
    CHECK(second.exitCode == 0);
    CHECK(sentencesIn(second.err).empty());
    CHECK(second.err.find("step ") == std::string::npos);
    CHECK(second.err.find("Written") == std::string::npos);
    CHECK(first.err.find("The 2 workers have met at 127.0.0.1:") != std::string::npos);
    CHECK(first.err.find("step 8 of 8") != std::string::npos);
    CHECK(largestDifference(folder / "alone", folder / "together") <= 1e-6);
    CHECK_FALSE(fs::exists(folder / "together/training_state.safetensors"));
}

TEST_CASE("a worker that is killed ends the other with a sentence, and one alone resumes")
{
    const int killed = GENERATE(0, 1);
    CAPTURE(killed);
    const TempDir folder;
    const Words command = training(folder, "broken", "100000");
    {
        TwoWorkers workers(command);
        if (!workers.first.waitFor("step 5 of "))
            skipWithoutGloo(workers.first.finish());
        (killed == 0 ? workers.first : workers.second).send(SIGKILL);
        const Outcome left = (killed == 0 ? workers.second : workers.first).finish();
        INFO(left.err);
        CHECK(left.exitCode == 1);
        REQUIRE(sentencesIn(left.err).size() >= 1);
        CHECK(sentencesIn(left.err).back().find(
                  killed == 0 ? "The first worker was lost; the same command"
                              : "A worker was lost; the training is saved in ") != std::string::npos);
        CHECK((killed == 0 ? workers.first : workers.second).finish().exitCode == 128 + SIGKILL);
    }
    REQUIRE(fs::exists(folder / "broken/training_state.safetensors"));
    HeardProgram resumed(command + Words{"--resume"});
    CHECK(resumed.waitFor("step 1"));  // of a later hundred or thousand: 5 were made at least
    resumed.send(SIGINT);
    const Outcome stopped = resumed.finish();
    CHECK(stopped.exitCode == 1);
    CHECK(stopped.err.find("step 1 of ") == std::string::npos);
}

TEST_CASE("Ctrl-C in one worker saves and stops both")
{
    const TempDir folder;
    TwoWorkers workers(training(folder, "out", "100000"));
    if (!workers.first.waitFor("step 2 of "))
        skipWithoutGloo(workers.first.finish());
    workers.second.send(SIGINT);
    const Outcome first = workers.first.finish();
    const Outcome second = workers.second.finish();
    INFO(first.err);
    CHECK(first.exitCode == 1);
    CHECK(first.err.find("the same command with --resume goes on") != std::string::npos);
    CHECK(second.exitCode == 1);
    CHECK(sentencesIn(second.err).empty());
    CHECK(fs::exists(folder / "out/training_state.safetensors"));
}

TEST_CASE("variables of workers that contradict one another are refused before anything is read")
{
    const TempDir folder;
    const Words command = training(folder, "out", "8");
    requireRefusal(headscope(command, {"RANK=2", "WORLD_SIZE=2", "LOCAL_RANK=0", "MASTER_ADDR=127.0.0.1",
                                       "MASTER_PORT=29500"}),
                   "RANK is 2, but WORLD_SIZE is 2");
    requireRefusal(headscope(command, {"WORLD_SIZE=2"}), "RANK is not set");
    CHECK_FALSE(fs::exists(folder / "out"));
}

TEST_CASE("a shell in an allocation of Slurm trains alone")
{
    const TempDir folder;
    const Outcome outcome = headscope(training(folder, "out", "2"), {"SLURM_JOB_ID=7", "SLURM_NTASKS=4"});
    CHECK(outcome.exitCode == 0);
    CHECK(outcome.err.find("workers have met") == std::string::npos);
}
