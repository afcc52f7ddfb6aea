#include "app/commands/demo_features.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("the heads of the demo pair's lines are compared task by task, each task counting alike")
{
    const std::vector<app::DemoCrossings> tasks = {
        {"opposites", {app::spreadOf({2, 4}), app::spreadOf({1, 1})}},
        {"repeats", {app::spreadOf({9}), app::spreadOf({3})}},
        {"agreement", {app::spreadOf({5}), app::spreadOf({})}},
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
