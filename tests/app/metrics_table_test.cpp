#include "app/support/metrics_table.h"

#include "stats/metric_table.h"
#include "support/catch.h"
#include "support/refusals.h"

#include <cmath>

using namespace hs;
using hs::test::isRefused;

namespace {

/// A model of one layer with two heads; metric m of head h on prompt p is 10 h + m + p, the first does not exist
/// on the first prompt.
app::MeasuredPrompt measuredOn(int index)
{
    app::MeasuredPrompt prompt{index, "prompt " + std::to_string(index), 0.5, {{0, 0}, {0, 1}}, {}};
    for (int head = 0; head < 2; ++head) {
        prompt.values.emplace_back();
        for (std::size_t metric = 0; metric < stats::allMetrics().size(); ++metric)
            prompt.values.back().push_back(10 * head + static_cast<double>(metric) + index);
        if (index == 0)
            prompt.values.back().front() = NAN;
    }
    return prompt;
}

app::MetricsTable metricsOn(const std::vector<int>& prompts, int promptCount = 3)
{
    app::MetricsTable table{"demo", 0.1, promptCount, {{"gate", "auto"}}, {}};
    for (const int index : prompts)
        table.prompts.push_back(measuredOn(index));
    return table;
}

}  // namespace

TEST_CASE("metrics that were written are read back as the same")
{
    const app::MetricsTable table = metricsOn({0, 2});
    const Json json = app::toJson(table);
    CHECK(app::isMetricsPart(json));
    const app::MetricsTable back = app::metricsTableFrom(json, "metrics.json");
    CHECK(app::toJson(back) == json);
    CHECK(back.prompts.at(1).index == 2);
    CHECK(app::toCsv(back) == app::toCsv(table));

    Json other = json;
    other["metrics"] = 2;
    CHECK(isRefused([&] { app::metricsTableFrom(other, "my.json"); }, "another version"));
    other = json;
    other["prompts"][1]["heads"].erase(0);
    CHECK(isRefused([&] { app::metricsTableFrom(other, "my.json"); }, "my.json"));
    other = json;
    other["prompts"][0]["heads"][0].erase("entropy");
    CHECK(isRefused([&] { app::metricsTableFrom(other, "my.json"); }, "entropy"));
}

TEST_CASE("the CSV of metrics over several prompts has means and deviations over those that have a number")
{
    const std::string name(stats::allMetrics().front().name);
    const std::string csv = app::toCsv(metricsOn({0, 1, 2}));
    CHECK(csv.starts_with("layer,head," + name + ","));
    CHECK(csv.find("," + name + "_sd,") != std::string::npos);
    CHECK(csv.find(",prompts\n0,0,1.5,2,") != std::string::npos);
    CHECK(csv.find("\n0,1,11.5,12,") != std::string::npos);
    CHECK(csv.ends_with(",1,3\n"));
    const std::string one = app::toCsv(metricsOn({1}, 1));
    CHECK(one.find("_sd") == std::string::npos);
    CHECK(one.find("\n0,1,11,12,") != std::string::npos);
}

TEST_CASE("the parts of metrics make the whole, and those that do not belong together are refused")
{
    const Json whole = app::toJson(metricsOn({0, 1, 2}));
    CHECK(app::toJson(app::merged({metricsOn({1}), metricsOn({}), metricsOn({0, 2})})) == whole);
    CHECK(isRefused([] { app::merged({metricsOn({0}), metricsOn({2})}); }, "Prompt 1 is in none"));
    CHECK(isRefused([] { app::merged({metricsOn({}), metricsOn({})}); }, "no prompts"));
    const auto isRefusedWith = [](auto&& change) {
        app::MetricsTable other = metricsOn({1, 2});
        change(other);
        return isRefused([&] { app::merged({metricsOn({0}), other}); }, "different runs");
    };
    CHECK_FALSE(isRefusedWith([](app::MetricsTable&) {}));
    CHECK(isRefusedWith([](app::MetricsTable& table) { table.model = "other"; }));
    CHECK(isRefusedWith([](app::MetricsTable& table) { table.threshold = 0.2; }));
    CHECK(isRefusedWith([](app::MetricsTable& table) { table.promptCount = 4; }));
    CHECK(isRefusedWith([](app::MetricsTable& table) { table.conditions["gate"] = "off"; }));
    CHECK(isRefusedWith([](app::MetricsTable& table) { table.prompts.front().heads.pop_back(); }));
}
