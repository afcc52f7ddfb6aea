#include "app/support/circuit_table.h"
#include "app/support/commands.h"
#include "app/support/parts.h"
#include "app/support/sweep_table.h"
#include "support/bytes_of.h"

#include "base/mapped_file.h"
#include "support/catch.h"
#include "support/refusals.h"
#include "support/temp_dir.h"

using namespace hs;
using hs::test::isRefused;
using hs::test::refusalOf;

namespace {

std::string sweepPart(int index)
{
    analyses::Sweep sweep;
    sweep.shape = {1, 1, 1};
    sweep.units = {{0, 0}};
    sweep.changes = {{1.0 + index, 0, 0, 0, 0}};
    return app::toJson(app::SweepTable{"demo",
                                       analyses::SweepUnits::Heads,
                                       analyses::SweepMethod::Zero,
                                       2,
                                       nullptr,
                                       {{index, "text", sweep}}})
        .dump();
}

std::string circuitPart(int index)
{
    const Json prompts = {{"clean", "a"}, {"corrupted", "b"}, {"target", "c"}, {"versus", "d"}};
    const app::CircuitTask task = {
        "demo", analyses::CircuitUnits::Heads, analyses::CircuitRanking::Restore, 0.9, false, 2, nullptr};
    return app::toJson(app::CircuitTables{{task, {{index, prompts, std::nullopt, "none"}}}}).dump();
}

/// Runs headscope merge with these words.
void merge(std::vector<std::string> words)
{
    CLI::App app;
    app::Action action;
    app::addMergeCommand(app, action);
    words.insert(words.begin(), "merge");
    std::ranges::reverse(words);  // CLI11 takes them from the end
    app.parse(words);
    action();
}

}  // namespace

TEST_CASE("parts are whole where each item is there once")
{
    CHECK(refusalOf([] { app::requireWhole({0, 1, 2}, 3, "Prompt"); }).empty());
    CHECK(isRefused([] { app::requireWhole({1, 2}, 3, "Prompt"); }, "Prompt 0 is in none of the parts"));
    CHECK(isRefused([] { app::requireWhole({0, 1, 1}, 3, "Pair"); }, "Pair 1 is in two parts"));
    CHECK(isRefused([] { app::requireWhole({0, 1}, 3, "Prompt"); }, "2 of 3"));
    CHECK(isRefused([] { app::requireWhole({0, 1, 2, 3}, 3, "Prompt"); }, "4 of 3"));
}

TEST_CASE("conditions differ by the file's content, gate, ablations and rounding, not by the file's name")
{
    const test::TempDir folder;
    const std::string file = folder.write("a", "content").string();
    const Json conditions = app::conditionsOf(file, {}, false);
    CHECK(app::conditionsOf(folder.write("b", "content").string(), {}, false) == conditions);
    CHECK(app::conditionsOf(folder.write("c", "other").string(), {}, false) != conditions);
    CHECK(app::conditionsOf(file, {}, true) != conditions);
    app::RunArguments gated;
    gated.gate = "score";
    CHECK(app::conditionsOf(file, gated, false) != conditions);
    app::RunArguments biased;
    biased.gateBias = 0;
    CHECK(app::conditionsOf(file, biased, false) != conditions);
    app::RunArguments ablated;
    ablated.ablate = {"L0H0"};
    CHECK(app::conditionsOf(file, ablated, false) != conditions);
    app::RunArguments rounded;
    rounded.tf32 = true;
    CHECK(app::conditionsOf(file, rounded, false) != conditions);
}

TEST_CASE("merge tells sweeps from circuits and writes each in its form")
{
    const test::TempDir folder;
    const std::string first = folder.write("1.json", sweepPart(0)).string();
    const std::string second = folder.write("2.json", sweepPart(1)).string();
    const std::string csv = (folder / "whole.csv").string();
    const std::string json = (folder / "whole.json").string();
    merge({second, first, "--csv", csv, "--json", json});
    CHECK(test::bytesOf(csv).find("\n0,0,1.5,") != std::string::npos);
    CHECK(Json::parse(test::bytesOf(json))["prompts"].size() == 2);

    const std::string third = folder.write("3.json", circuitPart(0)).string();
    const std::string fourth = folder.write("4.json", circuitPart(1)).string();
    merge({third, fourth, "--json", json});
    CHECK(Json::parse(test::bytesOf(json))["pairs"].size() == 2);
    CHECK(isRefused([&] { merge({third, fourth, "--csv", csv}); }, "have no CSV"));
    CHECK(isRefused([&] { merge({first, third, "--json", json}); }, "belong together"));
    CHECK(isRefused([&] { merge({first, "--json", json}); }, "1 of 2"));
    CHECK(isRefused([&] { merge({first, second, "--json", folder.path().string()}); }, "is a folder"));
}
