#include "app/support/sweep_table.h"

#include "support/catch.h"
#include "support/refusals.h"

#include <cmath>

using namespace hs;
using hs::test::isRefused;

namespace {

/// A model with two layers of two heads, in which ablating unit i of prompt p changes the logit by i + p.
app::SweptPrompt sweptPrompt(int index)
{
    analyses::Sweep sweep;
    sweep.shape = {2, 2, 2};
    sweep.baseline = {1, 2, 0.5, 3, 0};
    for (int layer = 0; layer < 2; ++layer)
        for (int head = 0; head < 2; ++head) {
            const double change = 2 * layer + head + index;
            sweep.units.push_back({layer, head});
            sweep.changes.push_back({change, -change, 0.25, NAN, 1.0 / 3});
        }
    return {index, "prompt " + std::to_string(index), sweep};
}

app::SweepTable sweepTable(const std::vector<int>& prompts, int promptCount = 3)
{
    app::SweepTable table{"demo",      analyses::SweepUnits::Heads, analyses::SweepMethod::Zero,
                          promptCount, {{"gate", "auto"}},          {}};
    for (const int index : prompts)
        table.prompts.push_back(sweptPrompt(index));
    return table;
}

}  // namespace

TEST_CASE("a sweep that was written is read back as the same")
{
    const app::SweepTable table = sweepTable({0, 2});
    const Json json = app::toJson(table);
    const app::SweepTable back = app::sweepTableFrom(json, "sweep.json");
    CHECK(app::toJson(back) == json);
    CHECK(back.prompts.at(1).index == 2);
    CHECK(back.prompts.at(1).text == "prompt 2");
    CHECK(app::toCsv(back) == app::toCsv(table));
}

TEST_CASE("a file that is no sweep, or one of another kind, is refused by its name")
{
    const auto isRefusedWith = [](const char* key, const Json& value, const std::string& words) {
        Json json = app::toJson(sweepTable({0, 1, 2}));
        json[key] = value;
        return isRefused([&] { app::sweepTableFrom(json, "my.json"); }, words);
    };
    CHECK(isRefused([] { app::sweepTableFrom(Json::array(), "my.json"); }, "my.json"));
    CHECK(isRefused([] { app::sweepTableFrom({{"sweep", 2}}, "my.json"); }, "my.json"));
    CHECK(isRefusedWith("sweep", 1, "another version"));
    CHECK(isRefusedWith("units", "layers", "my.json"));
    CHECK(isRefusedWith("method", "mean", "my.json"));
    CHECK(isRefusedWith("prompt_count", 0, "my.json"));
    CHECK(isRefusedWith("prompts", "none", "my.json"));
}

TEST_CASE("the CSV of one prompt has a row a unit, and nothing where a number is not known")
{
    CHECK(app::toCsv(sweepTable({0}, 1)) == "layer,head,logit,logit_diff,prob,loss,kl\n"
                                            "0,0,0,0,0.25,,0.333333333\n"
                                            "0,1,1,-1,0.25,,0.333333333\n"
                                            "1,0,2,-2,0.25,,0.333333333\n"
                                            "1,1,3,-3,0.25,,0.333333333\n");
    app::SweepTable layers = sweepTable({0}, 1);
    layers.units = analyses::SweepUnits::Layers;
    CHECK(app::toCsv(layers).starts_with("layer,logit,"));
    CHECK(app::toCsv(layers).find("\n1,2,-2,") != std::string::npos);
    layers.units = analyses::SweepUnits::Groups;
    CHECK(app::toCsv(layers).starts_with("layer,kv_group,logit,"));
}

TEST_CASE(
    "a sweep of several prompts has their means, deviations of a sample, intervals, and how many they are")
{
    const std::string csv = app::toCsv(sweepTable({0, 1, 2}));
    CHECK(csv.starts_with(
        "layer,head,logit,logit_diff,prob,loss,kl,"
        "logit_sd,logit_diff_sd,prob_sd,loss_sd,kl_sd,"
        "logit_low,logit_diff_low,prob_low,loss_low,kl_low,"
        "logit_high,logit_diff_high,prob_high,loss_high,kl_high,prompts\n"
        "0,0,1,-1,0.25,,0.333333333,1,1,0,,0,"
        "-1.48413771,-3.48413771,0.25,,0.333333333,3.48413771,1.48413771,0.25,,0.333333333,3\n"));
    CHECK(csv.ends_with(",3\n"));
    const Json means = app::toJson(sweepTable({0, 1, 2}))["means"];
    REQUIRE(means.size() == 4);
    CHECK(means[3]["layer"] == 1);
    CHECK(means[3]["head"] == 1);
    CHECK(means[3]["logit"]["mean"] == 4);
    CHECK(means[3]["logit"]["low"] == Approx(4 - 4.30265273 / std::sqrt(3)));
    CHECK(means[3]["loss"]["count"] == 0);
}

TEST_CASE("the parts of a sweep make the whole in any order, and an empty part does no harm")
{
    const Json whole = app::toJson(sweepTable({0, 1, 2}));
    CHECK(app::toJson(app::merged({sweepTable({0, 2}), sweepTable({1})})) == whole);
    CHECK(app::toJson(app::merged({sweepTable({1}), sweepTable({}), sweepTable({2}), sweepTable({0})})) ==
          whole);
}

TEST_CASE("parts of a sweep that are no whole are refused with what is missing or comes twice")
{
    const auto isRefusedWith = [](std::vector<app::SweepTable> parts, const std::string& words) {
        return isRefused([&] { app::merged(std::move(parts)); }, words);
    };
    CHECK(isRefusedWith({sweepTable({0}), sweepTable({2})}, "Prompt 1 is in none"));
    CHECK(isRefusedWith({sweepTable({0, 1})}, "2 of 3"));
    CHECK(isRefusedWith({sweepTable({0, 1}), sweepTable({1, 2})}, "Prompt 1 is in two parts"));
    CHECK(isRefusedWith({sweepTable({}), sweepTable({})}, "no prompts"));
}

TEST_CASE("parts of different sweeps are refused")
{
    const auto isRefusedWith = [](auto&& change) {
        app::SweepTable other = sweepTable({1, 2});
        change(other);
        return isRefused([&] { app::merged({sweepTable({0}), other}); }, "different sweeps");
    };
    CHECK_FALSE(isRefusedWith([](app::SweepTable&) {}));
    CHECK(isRefusedWith([](app::SweepTable& table) { table.model = "other"; }));
    CHECK(isRefusedWith([](app::SweepTable& table) { table.method = analyses::SweepMethod::Mean; }));
    CHECK(isRefusedWith([](app::SweepTable& table) { table.promptCount = 4; }));
    CHECK(isRefusedWith([](app::SweepTable& table) { table.conditions["gate"] = "off"; }));
    CHECK(isRefusedWith([](app::SweepTable& table) { table.prompts.front().sweep.units.pop_back(); }));
}
