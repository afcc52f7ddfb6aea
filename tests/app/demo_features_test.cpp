#include "app/commands/demo_features.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("the heads of the demo pair's lines are compared task by task, each task counting alike")
{
    const std::vector<app::DemoCrossings> tasks = {
        {"opposites", {stats::estimateOf({2, 4}), stats::estimateOf({1, 1})}},
        {"repeats", {stats::estimateOf({9}), stats::estimateOf({3})}},
        {"agreement", {stats::estimateOf({5}), stats::estimateOf({})}},
    };
    const Json json = app::toJson({tasks[0], tasks[1]});
    CHECK(json["tasks"][0]["factor"] == 3.0);
    CHECK(json["tasks"][0]["dense"]["prompts"] == 2);
    CHECK(json["factor"] == 3.0);  // 6 heads against 2
    const std::string table = app::crossingsTable(tasks);
    CHECK(table.find("repeats") != std::string::npos);
    CHECK(table.find("9.0") != std::string::npos);
    CHECK(app::toJson(tasks)["tasks"][2]["factor"].is_null());
}
