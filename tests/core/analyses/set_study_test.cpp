#include "analyses/set_study.h"

#include "analyses/written_units.h"
#include "engine/load/model.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/refusals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <sstream>

using namespace hs;
using analyses::SetAlign;
using analyses::SetAverage;
using analyses::SetMaps;
using analyses::SetResult;
using analyses::SetStudyKind;

namespace {

constexpr std::uint64_t kBudget = 1u << 30;

using Tokens = std::vector<std::int64_t>;

std::vector<Tokens> manyPrompts()
{
    std::vector<Tokens> prompts;
    for (int index = 0; index < 23; ++index) {
        Tokens tokens;
        for (int at = 0; at < 3 + index % 3 * 4; ++at)
            tokens.push_back(1 + (7 * index + 3 * at + index * at) % 11);
        prompts.push_back(tokens);
    }
    return prompts;
}

engine::RunRequest requestOf(const std::string& model, const Tokens& tokens)
{
    engine::RunRequest request;
    request.model = test::openOnce(model);
    request.tokens = tokens;
    return request;
}

/// Adds the prompts with these indices, in this order, to a result.
SetResult studied(SetStudyKind kind, const std::string& model, const std::vector<Tokens>& prompts,
                  const std::vector<int>& indices, SetResult start = {}, SetAlign align = SetAlign::Start)
{
    start.promptCount = static_cast<int>(prompts.size());
    engine::Engine engine, other;
    const HeadShape heads = test::openOnce(model)->spec().headShape();
    const auto text = [](std::int64_t token) { return std::to_string(token); };
    std::vector<analyses::StudiedModel> models = {{&engine, heads, text}};
    if (kind == SetStudyKind::Comparison)
        models.push_back({&other, heads, text});
    analyses::SetStudy study(kind, models, std::move(start), align, kBudget);
    for (const int index : indices) {
        const engine::RunRequest request = requestOf(model, prompts[static_cast<std::size_t>(index)]);
        std::vector<engine::RunRequest> requests(models.size(), request);
        if (kind == SetStudyKind::Comparison)
            requests.back().ablations[{0, 0}] = {};
        study.add({index, requests, {}}, {});
    }
    study.finish({});
    return study.take();
}

std::vector<int> everyIndex(int first, int step, int count)
{
    std::vector<int> indices;
    for (int index = first; index >= 0 && index < count; index += step)
        indices.push_back(index);
    return indices;
}

}  // namespace

TEST_CASE("a set in any order, in shards, or stopped and resumed gives the same bytes")
{
    const std::vector<Tokens> prompts = manyPrompts();
    const int count = static_cast<int>(prompts.size());
    const std::string model = GENERATE("gpt2", "demo-sparse");
    for (const auto kind :
         {SetStudyKind::Metrics, SetStudyKind::WrittenUnits, SetStudyKind::Maps, SetStudyKind::Comparison}) {
        INFO(model << " " << static_cast<int>(kind));
        const SetResult whole = studied(kind, model, prompts, everyIndex(0, 1, count));
        const std::string bytes = toJson(whole).dump();
        CHECK(whole.isWhole());
        CHECK(toJson(studied(kind, model, prompts, everyIndex(count - 1, -1, count))).dump() == bytes);

        std::vector<SetResult> shards;
        for (int shard = 2; shard >= 0; --shard) {
            const Json part = toJson(studied(kind, model, prompts, everyIndex(shard, 3, count)));
            shards.push_back(analyses::setResultFrom(Json::parse(part.dump()), "part", kBudget));
        }
        const SetResult joined = analyses::merged(shards);
        CHECK(toJson(joined).dump() == bytes);
        CHECK(joined.maps == whole.maps);

        SetResult stopped = studied(kind, model, prompts, everyIndex(0, 2, count));
        CHECK_FALSE(stopped.isWhole());
        const SetResult resumed = studied(kind, model, prompts, everyIndex(1, 2, count),
                                          analyses::setResultFrom(toJson(stopped), "part", kBudget));
        CHECK(toJson(resumed).dump() == bytes);
        CHECK(resumed.maps == whole.maps);
        if (kind != SetStudyKind::Maps)
            CHECK(toCsv(resumed) == toCsv(whole));
        CHECK(test::isRefused([&] { analyses::merged({shards[0], shards[1]}); }, "add the shards"));
        CHECK(test::isRefused([&] { analyses::merged({shards[0], shards[0]}); }, "in two parts"));
    }
}

TEST_CASE("what heads and MLPs write in a set is the mean over its prompts, and metrics stay what they were")
{
    const std::string model = GENERATE("gpt2", "demo-sparse");
    const std::vector<Tokens> prompts = manyPrompts();
    const std::vector<int> all = everyIndex(0, 1, static_cast<int>(prompts.size()));
    const SetResult set = studied(SetStudyKind::WrittenUnits, model, prompts, all);
    std::map<HeadId, double> logits, norms;
    engine::Engine engine;
    for (const Tokens& tokens : prompts) {
        engine::RunRequest request = requestOf(model, tokens);
        request.capture.headOutputs = true;
        const engine::RunResult run = test::value(engine.run(request));
        const auto written = analyses::writtenUnits(engine, request, run, {});
        const auto count = static_cast<double>(prompts.size());
        for (const auto& [unit, value] : written.logits) {
            logits[unit] += value / count;
            norms[unit] += written.norms.at(unit) / count;
        }
    }
    std::size_t rows = 0;
    for (const char* const name : {"heads", "mlps"}) {
        const analyses::SetGroup& group = *set.group(name);
        const std::size_t columns = group.columns.size();
        REQUIRE(group.columns[columns - 2] == "logit");
        REQUIRE(group.columns[columns - 1] == "norm");
        for (std::size_t row = 0; row < group.rows.size(); ++row, ++rows) {
            const HeadId unit = test::value(parseUnit(group.rows[row]));
            INFO(group.rows[row]);
            CHECK(group.at(row, columns - 2).estimate().mean == Approx(logits.at(unit)).margin(1e-6));
            CHECK(group.at(row, columns - 1).estimate().mean == Approx(norms.at(unit)).margin(1e-6));
        }
    }
    CHECK(rows == logits.size());
    const analyses::SetGroup metrics = *studied(SetStudyKind::Metrics, model, prompts, all).group("heads");
    for (std::size_t row = 0; row < metrics.rows.size(); ++row)
        for (std::size_t column = 0; column < metrics.columns.size(); ++column) {
            const stats::Estimate known = metrics.at(row, column).estimate();
            const stats::Estimate now = set.group("heads")->at(row, column).estimate();
            INFO(metrics.rows[row] << " " << metrics.columns[column]);
            CHECK(now.count == known.count);
            CHECK((now.count == 0 || now.mean == Approx(known.mean).epsilon(1e-4).margin(1e-6)));
        }
}

TEST_CASE(
    "a table of a set of heads and MLPs ends each layer with its MLP, whose metrics of patterns are empty")
{
    const SetResult set = studied(SetStudyKind::WrittenUnits, "gpt2", manyPrompts(), everyIndex(0, 1, 23));
    std::istringstream lines(toCsv(set));
    std::string line;
    std::getline(lines, line);
    const auto fields = std::count(line.begin(), line.end(), ',');
    CHECK(line.find(",logit,norm,") != std::string::npos);
    std::vector<std::string> firsts;
    while (std::getline(lines, line)) {
        CHECK(std::count(line.begin(), line.end(), ',') == fields);
        firsts.push_back(line.substr(0, line.find(',', line.find(',') + 1)));
    }
    const HeadShape heads = test::openOnce("gpt2")->spec().headShape();
    std::vector<std::string> expected;
    for (const HeadId unit : heads.all(Units::HeadsAndMlps))
        expected.push_back(std::to_string(unit.layer) + "," +
                           (unit.isMlp() ? "MLP" : std::to_string(unit.head)));
    CHECK(firsts == expected);
    const Json json = toJson(set);
    CHECK(json["mlps"][0]["head"] == "MLP");
    CHECK(json["mlps"][0]["logit"]["count"] == 23);
}

TEST_CASE("an average of one prompt is that prompt, in maps and metrics")
{
    const Tokens tokens = {1, 5, 2, 9, 3};
    for (const SetAlign align : {SetAlign::Start, SetAlign::End}) {
        engine::RunRequest request = requestOf("gpt2", tokens);
        request.capture.fullMaps = true;
        const engine::RunResult run = test::value(engine::Engine().run(request));
        const SetResult set = studied(SetStudyKind::Maps, "gpt2", {tokens}, {0}, {}, align);
        for (int layer = 0; layer < run.heads.layers; ++layer)
            for (const SetAverage average : {SetAverage::Mean, SetAverage::Largest}) {
                const std::vector<float> maps = set.maps->layer(layer, average);
                CHECK(std::equal(maps.begin(), maps.end(), run.maps[static_cast<std::size_t>(layer)].get()));
            }
        CHECK(set.rows.front().sides.front().loss == run.loss);
        CHECK(set.maps->placeAt(1).token == 5);
        CHECK(set.maps->placeAt(1).text == "5");
        CHECK(set.group("overall")->at(0, 0).estimate().mean == run.loss);
    }
}

TEST_CASE(
    "maps of several lengths are averaged from the start or from the end, each cell over those that have it")
{
    SetMaps maps[] = {{{1, 1, 1}, SetAlign::Start, kBudget}, {{1, 1, 1}, SetAlign::End, kBudget}};
    const std::shared_ptr<float[]> two(new float[4]{1, 0, 0.25, 0.75});
    const std::shared_ptr<float[]> three(new float[9]{1, 0, 0, 0.5, 0.5, 0, 0.125, 0.25, 0.625});
    for (SetMaps& each : maps) {
        engine::RunResult run;
        run.heads = {1, 1, 1};
        run.tokens = {4, 5};
        run.maps = {two};
        each.add(run);
        run.tokens = {4, 6, 5};
        run.maps = {three};
        each.add(run);
        CHECK(each.side() == 3);
    }
    CHECK(maps[0].layer(0, SetAverage::Mean) ==
          std::vector<float>{1, 0, 0, 0.375, 0.625, 0, 0.125, 0.25, 0.625});
    CHECK(maps[0].layer(0, SetAverage::Largest)[4] == 0.75f);
    CHECK(maps[0].layer(0, SetAverage::Deviation)[4] == Approx(std::sqrt(2.0) * 0.125));
    CHECK(maps[0].layer(0, SetAverage::Deviation)[0] == 0);
    CHECK(maps[0].placeAt(0).token == 4);
    CHECK(maps[0].placeAt(1).token == SetMaps::Place::kMixed);
    CHECK(maps[0].countAt(1, 0) == 2);
    CHECK(maps[0].countAt(2, 0) == 1);
    CHECK(maps[0].countAt(0, 1) == 0);
    CHECK(maps[1].layer(0, SetAverage::Mean) ==
          std::vector<float>{1, 0, 0, 0.5, 0.75, 0, 0.125, 0.25, 0.6875});
    CHECK(maps[1].placeAt(2).token == 5);
    CHECK(maps[1].countAt(2, 0) == 1);
    CHECK(maps[1].countAt(2, 1) == 2);
}

TEST_CASE("the keys of a slot are summed and its queries averaged, so that rows keep their sum")
{
    engine::RunResult run;
    run.heads = {1, 1, 1};
    run.tokens = {4, 5, 6, 7};
    run.maps = {std::shared_ptr<float[]>(
        new float[16]{1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.25, 0.5, 0, 0.125, 0.125, 0.25, 0.5})};
    SetMaps maps({1, 1, 1}, SetAlign::Slots, kBudget);
    maps.add(run, {{0, 1, ""}, {1, 2, "{name}"}, {3, 1, ""}});
    CHECK(maps.layer(0, SetAverage::Mean) == std::vector<float>{1, 0, 0, 0.375, 0.625, 0, 0.125, 0.375, 0.5});
    CHECK(maps.placeAt(1).text == "{name}");
    CHECK(maps.placeAt(1).token == SetMaps::Place::kMixed);
}

TEST_CASE("averages of maps keep to their budget")
{
    SetMaps maps({1, 1, 1}, SetAlign::Start, 100);
    engine::RunResult run;
    run.heads = {1, 1, 1};
    run.tokens = {4, 5, 6};
    run.maps = {std::shared_ptr<float[]>(new float[9]())};
    CHECK(test::isRefused([&] { maps.add(run); }, "--map-budget"));
}

TEST_CASE("a study that is stopped has the prompts so far")
{
    const std::vector<Tokens> prompts = manyPrompts();
    engine::Engine engine;
    SetResult start;
    start.promptCount = static_cast<int>(prompts.size());
    analyses::SetStudy study(
        SetStudyKind::Metrics,
        {{&engine, test::openOnce("gpt2")->spec().headShape(), [](std::int64_t) { return std::string(); }}},
        start, SetAlign::Start, kBudget);
    std::stop_source stop;
    study.add({0, {requestOf("gpt2", prompts[0])}, {}}, {{}, stop.get_token()});
    study.finish({});
    study.leaveOut(1, "Line 2 is empty.");
    stop.request_stop();
    CHECK(test::isRefused(
        [&] { study.add({2, {requestOf("gpt2", prompts[2])}, {}}, {{}, stop.get_token()}); }, "Cancelled"));
    CHECK(study.done() == 2);
    const SetResult result = study.take();
    CHECK(result.has(0));
    CHECK(result.has(1));
    CHECK_FALSE(result.has(2));
    CHECK(toJson(result)["left_out"][0]["problem"] == "Line 2 is empty.");
}
