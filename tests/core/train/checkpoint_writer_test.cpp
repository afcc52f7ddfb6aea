#include "base/failure.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "train/checkpoint_writer_tensors.h"

#include <filesystem>

using namespace hs;

namespace {

constexpr std::int64_t kSize = 1000;

train::TrainingState stateOf(float value)
{
    train::TrainingState state;
    state.step = 7;
    state.steps = 70;
    const at::Tensor vector = at::full({kSize}, value, at::kFloat);
    state.vectors = {vector.clone(), vector.clone(), vector.clone(), vector.clone()};
    state.price.looked = 0.75;
    state.price.lookedPrice = 0.5;
    state.price.aim = 1.03;
    state.price.steps = 3;
    state.best = train::BestWeights{vector.clone(), 5, {}};
    return state;
}

}  // namespace

TEST_CASE("a checkpoint is of the state when it was asked for, though steps go on meanwhile")
{
    const test::TempDir folder;
    const train::OutputFolder out(folder.path(), false);
    train::CheckpointWriter writer(out, "recipe");
    train::TrainingState state = stateOf(1);
    writer.write(state, "curve");
    state.vectors.weights.fill_(2);
    state.vectors.average.fill_(2);
    writer.wait();
    const train::TrainingState read =
        train::loadState(out.stateFile(), "recipe", kSize, model::DType::F32, at::kCPU);
    CHECK(read.vectors.weights.eq(1).all().item<bool>());
    CHECK(read.vectors.average.eq(1).all().item<bool>());
    CHECK(read.best->weights.eq(1).all().item<bool>());
    CHECK(read.step == 7);
    CHECK(read.steps == 70);
    CHECK(read.price.looked == 0.75);
    CHECK(read.price.lookedPrice == 0.5);
    CHECK(read.price.aim == 1.03);
    CHECK(read.price.steps == 3);
}

TEST_CASE("the last of several checkpoints is the one that stays")
{
    const test::TempDir folder;
    const train::OutputFolder out(folder.path(), false);
    {
        train::CheckpointWriter writer(out, "recipe");
        for (const float value : {1.0f, 2.0f, 3.0f})
            writer.write(stateOf(value), "curve");
    }
    const train::TrainingState read =
        train::loadState(out.stateFile(), "recipe", kSize, model::DType::F32, at::kCPU);
    CHECK(read.vectors.weights.eq(3).all().item<bool>());
}

TEST_CASE("a checkpoint that cannot be written is said at the next step, in the same sentence, once")
{
    const test::TempDir folder;
    const train::OutputFolder out(folder / "out", false);
    train::CheckpointWriter writer(out, "recipe");
    std::filesystem::remove_all(folder / "out");
    std::string direct;
    try {
        train::saveState(out.stateFile(), stateOf(1), "recipe");
    } catch (const Failure& failure) {
        direct = failure.error().message;
    }
    REQUIRE_FALSE(direct.empty());
    train::TrainingState state = stateOf(1);
    state.step = 0;  // has no curve yet
    writer.write(state, "");
    std::string said;
    while (said.empty())
        try {
            writer.check();
        } catch (const Failure& failure) {
            said = failure.error().message;
        }
    CHECK(said == direct);
    CHECK_NOTHROW(writer.check());
    CHECK_NOTHROW(writer.wait());
}
