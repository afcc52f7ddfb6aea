#include "model/revisions/revisions.h"

#include "core/model/locator_support.h"
#include "model/adapter/adapter_files.h"

#include <algorithm>

using namespace hs;
using namespace hs::test;
namespace fs = std::filesystem;

namespace {

/// A folder with a model in each of the folders named.
struct FolderOf : TempDir {
    explicit FolderOf(const std::vector<std::string>& names)
    {
        for (const std::string& name : names) {
            write(name + "/config.json", "{}");
            write(name + "/model.safetensors", kSafetensors);
        }
    }
};

std::vector<std::int64_t> stepsOf(const std::vector<model::Revision>& revisions)
{
    std::vector<std::int64_t> steps;
    for (const model::Revision& revision : revisions)
        steps.push_back(revision.step);
    return steps;
}

using Steps = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("folders named after steps are the steps of a training, in their order")
{
    for (const std::vector<std::string>& names : std::vector<std::vector<std::string>>{
             {"step2", "step10", "step100"},
             {"checkpoint-2", "checkpoint-10", "checkpoint-100"},
             {"2", "10", "100"},
             {"global_step2", "global_step10", "global_step100"},
             {"epoch_1-step_2", "epoch_1-step_10", "epoch_1-step_100"},
             {"stage1-step2-tokens1B", "stage1-step10-tokens4B", "stage1-step100-tokens7B"}}) {
        CAPTURE(names.front());
        const FolderOf folder(names);
        const auto inside = model::revisionsIn(folder.path());
        CHECK(stepsOf(inside) == Steps{2, 10, 100});
        CHECK(inside[1].source == (folder / names[1]).string());
        for (const std::string& name : names)
            CHECK(model::revisionsOf((folder / name).string(), {}) == inside);
        CHECK(model::revisionsOf((folder / names[0]).string() + "/", {}) == inside);
        CHECK(model::indexOf(inside, folder / names[2]) == std::size_t{2});
        CHECK_FALSE(model::indexOf(inside, folder.path()));
    }
}

TEST_CASE("folders whose names only happen to hold numbers are no steps of one training")
{
    const FolderOf folder({"smollm2-135m", "smollm2-360m", "qwen2.5-0.5b", "gpt2"});
    CHECK(model::revisionsIn(folder.path()).empty());
    CHECK(model::revisionsOf((folder / "smollm2-135m").string(), {}).empty());
    CHECK(model::revisionsOf("demo:dense", model::Environment::fromProcess()).empty());
    CHECK(model::revisionsOf("no/such model", {}).empty());
    CHECK(model::revisionsOf("", {}).empty());
}

TEST_CASE("one step alone, and folders without a model, are no training")
{
    const FolderOf folder({"step1"});
    folder.write("step2/readme", "");
    folder.write("step3", "");
    CHECK(model::revisionsIn(folder.path()).empty());
    CHECK(model::revisionsOf((folder / "step1").string(), {}).empty());
}

TEST_CASE("steps of two trainings in one folder are told apart by what their names begin with")
{
    const FolderOf folder({"small-step1", "small-step2", "large-step1", "large-step2", "large-step3"});
    CHECK(stepsOf(model::revisionsOf((folder / "small-step2").string(), {})) == Steps{1, 2});
    CHECK(stepsOf(model::revisionsIn(folder.path())) == Steps{1, 2, 3});
}

TEST_CASE("a folder of steps opens as the last one, and a model with steps inside as itself")
{
    const FolderOf folder({"checkpoint-9", "checkpoint-10"});
    CHECK(model::lastStepAt(folder.path().string(), {}) == (folder / "checkpoint-10").string());
    CHECK(test::found(model::lastStepAt(folder.path().string(), {})).folder == folder / "checkpoint-10");
    CHECK(model::lastStepAt((folder / "checkpoint-9").string(), {}) == (folder / "checkpoint-9").string());
    CHECK(model::lastStepAt("gpt2", {}) == "gpt2");
    folder.write("config.json", "{}");
    folder.write("model.safetensors", kSafetensors);
    CHECK(model::lastStepAt(folder.path().string(), {}) == folder.path());
    CHECK(stepsOf(model::revisionsOf(folder.path().string(), {})) == Steps{9, 10});
}

TEST_CASE("steps that link back to their folder are refused like any folder without a model")
{
    const TempDir folder;
    folder.write("config.json", "{}");
    for (const char* const name : {"step1", "step2"})
        fs::create_directory_symlink(folder.path(), folder / name);
    CHECK(model::revisionsIn(folder.path()).size() == 2);
    CHECK_FALSE(refusal(model::lastStepAt(folder.path().string(), {})).empty());
}

TEST_CASE("numbers that no step can have are no steps")
{
    const FolderOf folder({"step99999999999999999999", "step-", "step", "stepping1", "step1", "step20"});
    CHECK(stepsOf(model::revisionsIn(folder.path())) == Steps{1, 20});
}

TEST_CASE("branches of a download that are named after steps are the steps of its training")
{
    const Cache cache;
    for (const auto& [name, commit] : std::vector<std::pair<std::string, std::string>>{
             {"main", "aaa"}, {"step1000", "bbb"}, {"step0", "ccc"}, {"step143000", "ddd"}}) {
        cache.addSnapshot(commit);
        cache.folder().write(fs::path("models--org--name/refs") / name, commit);
    }
    cache.folder().write("models--org--name/refs/step5", "gone");
    const auto known = model::revisionsOf("org/name", cache.environment());
    CHECK(stepsOf(known) == Steps{0, 1000, 143000});
    CHECK(known[1].source == cache.snapshot("bbb").string());
    CHECK(model::revisionsOf(cache.snapshot("aaa").string(), {}) == known);
    CHECK_FALSE(model::indexOf(known, cache.snapshot("aaa")));
    CHECK(found("org/name", cache.environment()).folder == cache.snapshot("aaa"));
}
