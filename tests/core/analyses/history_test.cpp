#include "analyses/history.h"

#include "analyses/history_json.h"
#include "support/models.h"
#include "support/temp_dir.h"

#include <cmath>
#include <limits>

using namespace hs;
using namespace hs::test;
namespace fs = std::filesystem;

namespace {

/// The steps 1, 2 and 3 of what is one model all along, as links.
struct Training {
    TempDir folder;
    std::vector<model::Revision> revisions;

    explicit Training(const std::string& name)
    {
        for (int step = 1; step <= 3; ++step) {
            const fs::path at = folder / ("step" + std::to_string(step));
            fs::create_directory_symlink(goldenModels() / name, at);
            revisions.push_back({step, at.string()});
        }
    }
};

engine::RunRequest runOfStep(const model::Revision& revision)
{
    engine::RunRequest request;
    request.model = openModel(revision.source);
    request.tokens = {3, 1, 4, 1, 5, 9, 2, 6};
    return request;
}

const stats::Metric& peak()
{
    return *stats::findMetric("peak");
}

analyses::History madeUpHistory(const std::vector<std::vector<double>>& peaks)  // [head][step]
{
    analyses::History history;
    history.heads = {1, static_cast<int>(peaks.size()), 1};
    for (std::size_t step = 0; step < peaks.front().size(); ++step) {
        analyses::HistoryPoint point{static_cast<std::int64_t>(10 * step), 1.5, 0.5, {}};
        for (const std::vector<double>& head : peaks) {
            point.stats.emplace_back();
            point.stats.back().peak = head[step];
        }
        history.points.push_back(std::move(point));
    }
    history.asked = static_cast<int>(history.points.size());
    return history;
}

}  // namespace

TEST_CASE("each point of a history is what a run of that step gives")
{
    for (const std::string name : {"gpt2", "llama-grouped"}) {
        CAPTURE(name);
        const Training training(name);
        std::vector<std::size_t> parts;
        const analyses::History history =
            value(analyses::historyOf(training.revisions, runOfStep, {}, [&](const analyses::History& part) {
                parts.push_back(part.points.size());
            }));
        CHECK(parts == std::vector<std::size_t>{1, 2, 3});
        engine::Engine engine;
        const engine::RunResult run = value(engine.run(runOfStep(training.revisions.front())));
        REQUIRE(history.points.size() == 3);
        CHECK(history.heads == run.heads);
        for (const analyses::HistoryPoint& point : history.points) {
            CHECK(point.loss == run.loss);
            CHECK(point.density == run.density);
            for (const HeadId head : run.heads.all())
                CHECK(peak().of(point.stats[run.heads.indexOf(head)]) == peak().of(run.statsOf(head)));
        }
        CHECK(analyses::mostChanged(history, peak()).empty());
    }
}

TEST_CASE("a step that cannot be run is left out with its reason, and the others are not")
{
    Training training("gpt2");
    training.revisions[0].source = (training.folder / "nothing").string();
    training.revisions[2].source = HS_SOURCE_DIR "/resources/models/demo-dense";
    const analyses::History history =
        value(analyses::historyOf(training.revisions, [](const model::Revision& revision) {
            if (!fs::exists(revision.source))
                fail(ErrorCode::NotFound, "It is gone; download it again.");
            return runOfStep(revision);
        }));
    CHECK(history.asked == 3);
    CHECK(history.points.size() == 1);
    REQUIRE(history.leftOut.size() == 2);
    CHECK(history.leftOut[0].step == 1);
    CHECK(history.leftOut[0].problem == "It is gone; download it again.");
    CHECK(history.leftOut[1].problem.find("other heads") != std::string::npos);
}

TEST_CASE("a history that is stopped says so, and one without steps says what to open")
{
    const Training training("gpt2");
    std::stop_source stop;
    const auto stopped = analyses::historyOf(training.revisions, runOfStep, {{}, stop.get_token()},
                                             [&](const analyses::History&) { stop.request_stop(); });
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ErrorCode::Cancelled);
    const auto none = analyses::historyOf({}, runOfStep);
    REQUIRE_FALSE(none);
    CHECK(none.error().message.find("open a folder") != std::string::npos);
}

TEST_CASE("a curve jumps where it changes most, and nowhere if it is flat")
{
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    using Curve = std::vector<double>;
    CHECK(analyses::jumpOf(Curve{0.1, 0.2, 0.8, 0.9}) == std::size_t{2});
    CHECK(analyses::jumpOf(Curve{0.9, 0.1, 0.2}) == std::size_t{1});
    CHECK(analyses::jumpOf(Curve{unknown, 0.1, 0.4, unknown}) == std::size_t{2});
    CHECK_FALSE(analyses::jumpOf(Curve{0.5, 0.5}));
    CHECK_FALSE(analyses::jumpOf(Curve{0.5}));
    CHECK_FALSE(analyses::jumpOf(Curve{}));
    const analyses::History history = madeUpHistory({{0, 0.1, 0.2}, {0.5, 0.5, 0.5}, {0.9, 0.1, 0.2}});
    const auto changed = analyses::mostChanged(history, peak());
    REQUIRE(changed.size() == 2);
    CHECK(changed[0].head == HeadId{0, 2});
    CHECK(changed[0].change == Approx(0.8));
    CHECK(changed[1].head == HeadId{0, 0});
    CHECK(analyses::curveOf(history, {0, 2}, peak()) == Curve{0.9, 0.1, 0.2});
}

TEST_CASE("a history is read back from its JSON as it was, and a broken one is refused")
{
    analyses::History history = madeUpHistory({{0, 0.125, 0.25}, {0.5, 0.5, 0.75}});
    history.points[1].loss.reset();
    history.points[2].stats[0].induction = std::numeric_limits<double>::quiet_NaN();
    history.leftOut.push_back({15, "It is gone; download it again."});
    const Json json = analyses::toJson(history);
    const auto read = [](const Json& from) {
        return guarded(
            [&] { return analyses::historyFrom(JsonReader(from, "The result", "make it again")); });
    };
    CHECK(analyses::toJson(value(read(json))) == json);
    for (const char* const place : {"/shape/layers", "/steps/0/step", "/steps/1/heads/0/layer", "/left_out",
                                    "/steps/2/heads", "/asked"}) {
        CAPTURE(place);
        Json broken = json;
        broken[Json::json_pointer(place)] = -5;
        CHECK_FALSE(read(broken));
    }
    Json huge = json;
    huge["shape"] = {{"layers", 9999}, {"heads", 9999}, {"kv_heads", 1}};
    CHECK_FALSE(read(huge));
    Json backwards = json;
    backwards["steps"][0]["step"] = 999;
    CHECK_FALSE(read(backwards));
}
