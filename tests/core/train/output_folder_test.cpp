#include "train/output_folder.h"

#include "base/failure.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <functional>

using namespace hs;
namespace fs = std::filesystem;

namespace {

std::string refusalOf(const std::function<void()>& work)
{
    try {
        work();
    } catch (const Failure& failure) {
        return failure.error().message;
    }
    return {};
}

}  // namespace

TEST_CASE("one folder is written to by one training at a time")
{
    const test::TempDir folder;
    {
        const train::OutputFolder first(folder / "out", false);
        CHECK(refusalOf([&] { train::OutputFolder(folder / "out", false); }).find("Another training") == 0);
        CHECK(refusalOf([&] {
                  train::OutputFolder::check(folder / "out", false);
              }).find("Another training") == 0);
    }
    CHECK(refusalOf([&] { train::OutputFolder(folder / "out", false); }).empty());
}

TEST_CASE("a refused folder can be used as soon as it is in order")
{
    const test::TempDir folder;
    folder.write("out/training_state.safetensors", "");
    CHECK(refusalOf([&] { train::OutputFolder(folder / "out", false); }).find("--resume") !=
          std::string::npos);
    CHECK(refusalOf([&] { train::OutputFolder(folder / "out", true); }).empty());
    fs::remove(folder / "out/training_state.safetensors");
    CHECK(refusalOf([&] { train::OutputFolder(folder / "out", false); }).empty());
}

TEST_CASE("a training that has ended has nothing to resume")
{
    const test::TempDir folder;
    folder.write("out/model.safetensors", "");
    CHECK(refusalOf([&] { train::OutputFolder::check(folder / "out", true); }).find("has ended") !=
          std::string::npos);
    CHECK(refusalOf([&] {
              train::OutputFolder::check(folder / "out", false);
          }).find("holds a model already") != std::string::npos);
}

TEST_CASE("a look at a folder changes nothing")
{
    const test::TempDir folder;
    train::OutputFolder::check(folder / "out", false);
    CHECK_FALSE(fs::exists(folder / "out"));
}

TEST_CASE("what a killed training left half written is cleared away, and nothing else")
{
    const test::TempDir folder;
    folder.write("out/training_state.safetensors", "");
    folder.write("out/training_state.safetensors.12-3.part", "");
    folder.write("out/training_curve.csv.12-4.part", "");
    folder.write("out/mine.part", "");
    const train::OutputFolder out(folder / "out", true);
    CHECK(fs::exists(out.stateFile()));
    CHECK_FALSE(fs::exists(folder / "out/training_state.safetensors.12-3.part"));
    CHECK_FALSE(fs::exists(folder / "out/training_curve.csv.12-4.part"));
    CHECK(fs::exists(folder / "out/mine.part"));
}
