#include "app/array/array_parts.h"
#include "app/array/local_parts.h"
#include "app/array/slurm.h"
#include "app/support/sweep_table.h"
#include "base/child_process.h"
#include "support/bytes_of.h"

#include "support/catch.h"
#include "support/refusals.h"
#include "support/temp_dir.h"

using namespace hs;
using hs::test::isRefused;

namespace {

/// A sweep of five prompts in three parts.
app::ArrayPlan samplePlan(const std::filesystem::path& folder)
{
    app::ArrayPlan plan;
    plan.folder = folder;
    plan.directory = "/somewhere";
    plan.command = {"sweep", "--model", "demo:sparse", "--prompts", "it's.jsonl"};
    plan.files.json = (folder / "whole.json").string();
    plan.parts = 3;
    plan.inputs = {5, "prompts", {"model"}, 1000, "1.0"};
    return plan;
}

app::SweepTable sweepOf(const std::vector<int>& lines)
{
    app::SweepTable table{"demo", analyses::SweepUnits::Heads, analyses::SweepMethod::Zero, 5, nullptr, {},
                          {}};
    for (const int line : lines) {
        analyses::Sweep sweep;
        sweep.shape = {1, 1, 1};
        sweep.units = {{0, 0}};
        sweep.changes = {{1.0 / (3 + line), 0, 0, 0, 0}};
        table.prompts.push_back({line, "text", sweep});
    }
    return table;
}

void writePart(const test::TempDir& folder, const app::ArrayPlan& plan, int part, const Json& stamp,
               const std::vector<int>& lines)
{
    Json json = app::toJson(sweepOf(lines));
    json["array"] = stamp;
    folder.write(plan.partFile(part).lexically_relative(folder.path()), json.dump());
}

Json stampFor(const app::ArrayPlan& plan, int part)
{
    return {{"plan", plan.identity()}, {"part", part}};
}

}  // namespace

TEST_CASE("numbers that follow one another are written as a range")
{
    CHECK(app::rangesOf({}) == "");
    CHECK(app::rangesOf({7}) == "7");
    CHECK(app::rangesOf({1, 2, 3, 5, 7, 8}) == "1-3,5,7-8");
}

TEST_CASE("a part is done if its file is whole, of this plan and about the right lines")
{
    const test::TempDir folder;
    const app::ArrayPlan plan = samplePlan(folder.path());
    CHECK(plan.partFile(2).filename() == "002-of-003.json");
    CHECK(app::missingParts(plan) == std::vector<int>{1, 2, 3});
    writePart(folder, plan, 2, stampFor(plan, 2), {1, 4});
    CHECK(app::flawOf(plan, 2) == "");
    CHECK(app::missingParts(plan) == std::vector<int>{1, 3});

    writePart(folder, plan, 2, stampFor(plan, 2), {1});
    CHECK(app::flawOf(plan, 2) == "lacks some of its prompts");
    writePart(folder, plan, 2, stampFor(plan, 2), {1, 2});
    CHECK(app::flawOf(plan, 2) == "lacks some of its prompts");
    writePart(folder, plan, 2, stampFor(plan, 1), {1, 4});
    CHECK(app::flawOf(plan, 2) == "is of another array");
    app::ArrayPlan other = plan;
    other.inputs.prompts = "others";
    writePart(folder, plan, 2, stampFor(other, 2), {1, 4});
    CHECK(app::flawOf(plan, 2) == "is of another array");
    writePart(folder, plan, 2, nullptr, {1, 4});
    CHECK(app::flawOf(plan, 2) == "is of another array");
    const std::string whole = test::bytesOf(plan.partFile(2));
    folder.write("parts/002-of-003.json", whole.substr(0, whole.size() / 2));
    CHECK(app::flawOf(plan, 2).find("002-of-003.json is not valid JSON") != std::string::npos);
}

TEST_CASE("parts are joined to the bytes of a single run, or those that are missing are named")
{
    const test::TempDir folder;
    const app::ArrayPlan plan = samplePlan(folder.path());
    writePart(folder, plan, 2, stampFor(plan, 2), {1, 4});
    CHECK(isRefused([&] { app::mergeParts(plan); }, "Missing: parts 1,3 of 3;"));
    writePart(folder, plan, 1, stampFor(plan, 1), {0, 3});
    CHECK(isRefused([&] { app::mergeParts(plan); }, "Missing: part 3 of 3;"));
    CHECK_FALSE(std::filesystem::exists(plan.files.json));
    writePart(folder, plan, 3, stampFor(plan, 3), {2});
    app::mergeParts(plan);
    CHECK(test::bytesOf(plan.files.json) == app::toJson(sweepOf({0, 1, 2, 3, 4})).dump(2) + "\n");
}

TEST_CASE("a plan that was written is read back, with whatever decides what its parts hold")
{
    const test::TempDir folder;
    app::ArrayPlan plan = samplePlan(folder.path());
    plan.files.csv = "whole.csv";
    plan.scheduler = app::Scheduler::Slurm;
    plan.sbatch = {"--time=1:00"};
    plan.jobs = 7;
    plan.retries = 0;
    app::writePlan(plan);
    const app::ArrayPlan back = app::readPlan(folder.path());
    CHECK(back.folder == plan.folder);
    CHECK(back.directory == plan.directory);
    CHECK(back.command == plan.command);
    CHECK(back.files.json == plan.files.json);
    CHECK(back.files.csv == plan.files.csv);
    CHECK(back.parts == plan.parts);
    CHECK(back.inputs == plan.inputs);
    CHECK(back.scheduler == plan.scheduler);
    CHECK(back.sbatch == plan.sbatch);
    CHECK(back.jobs == plan.jobs);
    CHECK(back.retries == plan.retries);
    CHECK(back.identity() == plan.identity());
    CHECK(isRefused([&] { app::readPlan(folder / "none"); }, "holds no array"));
    folder.write("plan.json", "{\"array\": 1}");
    CHECK(isRefused([&] { app::readPlan(folder.path()); }, "start the array anew"));
}

TEST_CASE("plans have one identity if their parts are the same, however they are run")
{
    const app::ArrayPlan plan = samplePlan("/folder");
    const auto differs = [&](auto&& change) {
        app::ArrayPlan other = plan;
        change(other);
        return other.identity() != plan.identity();
    };
    CHECK_FALSE(differs([](app::ArrayPlan& other) { other.folder = "/other"; }));
    CHECK_FALSE(differs([](app::ArrayPlan& other) { other.files.json = "other.json"; }));
    CHECK_FALSE(differs([](app::ArrayPlan& other) { other.sbatch = {"--time=1"}; }));
    CHECK_FALSE(differs([](app::ArrayPlan& other) { other.jobs = 3; }));
    CHECK(differs([](app::ArrayPlan& other) { other.parts = 4; }));
    CHECK(differs([](app::ArrayPlan& other) { other.command.push_back("--tf32"); }));
    CHECK(differs([](app::ArrayPlan& other) { other.inputs.prompts = "others"; }));
    CHECK(differs([](app::ArrayPlan& other) { other.inputs.models = {"other"}; }));
    CHECK(differs([](app::ArrayPlan& other) { other.inputs.version = "1.1"; }));
}

TEST_CASE("a task of a job does the part of its number, however many were submitted with it")
{
    const test::TempDir folder;
    app::ArrayPlan plan = samplePlan(folder / "it's 100%");
    plan.sbatch = {"--gres=gpu:1 --time=2:00:00", "--account=\"a b\""};
    const std::string script = app::jobScript(plan, "echo");
    CHECK(script.starts_with("#!/bin/bash\n"));
    CHECK(script.find("\n#SBATCH --gres=gpu:1 --time=2:00:00\n#SBATCH --account=\"a b\"\nset -u\n") !=
          std::string::npos);
    const std::string file = folder.write("job.sh", script).string();
    const auto said = [&](const std::string& words) { return outputOf({"bash", "-c", words}).out; };
    CHECK(said("SLURM_ARRAY_TASK_ID=2 bash " + file) ==
          "array --folder " + plan.folder.string() + " --part 2\n");
    CHECK(said("bash " + file + " merge 4") ==
          "array --folder " + plan.folder.string() + " --merge --retries 4\n");

    plan.jobs = 8;
    const std::vector<std::string> array = app::arrayJob(plan, {1, 3});
    CHECK(array[2] == "--array=1,3%8");
    CHECK(array[3] == "--output=" + (folder / "it's 100%%/logs/%A_%a.out").string());
    CHECK(array[4] == (plan.folder / "job.sh").string());
    const std::vector<std::string> merge = app::mergeJob(plan, {"17", "21"}, 1);
    CHECK(merge[2] == "--dependency=afterany:17:21");
    CHECK(merge.back() == "1");
}

TEST_CASE("parts that run here share the cores")
{
    app::ArrayPlan plan = samplePlan("/folder");
    plan.jobs = 2;
    CHECK(app::localRoom(plan).jobs == 2);
    CHECK(app::localRoom(plan).threads >= 1);
    plan.jobs = 0;
    plan.inputs.weightBytes = std::uint64_t{1} << 60;  // one of which does not fit into memory
    CHECK(app::localRoom(plan).jobs == 1);
}
