#include "done.h"
#include "support/catch.h"
#include "training_setup.h"

#include <set>
#include <sstream>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

const std::set<std::string> kTasks = {"indirect objects", "greater than", "opposites",
                                      "addition",         "repeats",      "agreement"};

double densityOf(const std::string& model, const std::string& text)
{
    return Json::parse(done({"run", "--model", model, "--text", text}).out)["density"];
}

}  // namespace

TEST_CASE("demo lists prompts of every task with what is right")
{
    const Json few = Json::parse(done({"demo", "--examples", "2"}).out);
    std::multiset<std::string> tasks;
    for (const Json& example : few) {
        tasks.insert(example["task"].get<std::string>());
        CHECK_FALSE(example["text"].get<std::string>().empty());
        CHECK_FALSE(example["text"].get<std::string>().starts_with("<bos>"));
        // All but the years of a century have one right answer.
        CHECK((example["answers"].size() == 1 || example["task"] == "greater than"));
        CHECK_FALSE(example["answers"].empty());
    }
    for (const std::string& task : kTasks)
        CHECK(tasks.count(task) == 2);
    CHECK(tasks.size() == 12);
    CHECK(Json::parse(done({"demo", "--examples"}).out).size() == 18);
}

TEST_CASE("demo gives clean and corrupted prompts that differ in one word")
{
    const TempDir folder;
    const std::string file = (folder / "pairs.jsonl").string();
    CHECK(done({"demo", "--pairs", "3", "--json", file}).out.empty());
    std::istringstream lines(bytesOf(file));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const Json pair = Json::parse(line);
        CHECK(kTasks.count(pair["task"].get<std::string>()) == 1);
        CHECK(pair["target"] != pair["versus"]);
        std::istringstream clean(pair["clean"].get<std::string>());
        std::istringstream corrupted(pair["corrupted"].get<std::string>());
        int differing = 0;
        std::string one;
        std::string other;
        while (clean >> one && corrupted >> other)
            differing += one != other;
        CHECK(differing == 1);
        CHECK(clean.eof());
    }
    CHECK(count == 18);
}

TEST_CASE("demo wants to know what to show")
{
    CHECK(headscope({"demo"}).exitCode == 2);
    CHECK(headscope({"demo", "--report", "--pairs", "3"}).exitCode == 2);
    CHECK(headscope({"demo", "--pairs", "0"}).exitCode == 2);
    CHECK(headscope({"demo", "--examples", "many"}).exitCode == 2);
}

TEST_CASE("the demo pair does its tasks, the sparse model with few edges and half of its heads at most")
{
    const TempDir folder;
    const std::string file = (folder / "report.json").string();
    const Outcome table = done({"demo", "--report", "--json", file});
    for (const std::string& task : kTasks)
        CHECK(table.out.find(task) != std::string::npos);
    const Json report = Json::parse(bytesOf(file));
    REQUIRE(report["models"].size() == 2);
    CHECK(report["models"][0]["model"] == "demo:dense");
    CHECK(report["models"][1]["model"] == "demo:sparse");
    for (const Json& model : report["models"]) {
        std::set<std::string> tasks;
        for (const Json& task : model["tasks"]) {
            tasks.insert(task["task"].get<std::string>());
            CHECK(task["score"].get<double>() >= 0);
            CHECK(task["score"].get<double>() <= 1);
            CHECK((task["scored_by"] == "probability") == (task["task"] == "greater than"));
        }
        CHECK(tasks == kTasks);
        CHECK(model["density"].get<double>() > 0);
        CHECK(model["density"].get<double>() <= 1);
        CHECK(model["heads_ever_active"].get<int>() <= model["heads"].get<int>());
        CHECK(model["most_heads_active"].get<int>() <= model["heads_ever_active"].get<int>());
        CHECK(model["mean_heads_active"].get<double>() <= model["most_heads_active"].get<int>());
    }
    const Json& dense = report["models"][0];
    const Json& sparse = report["models"][1];
    for (std::size_t task = 0; task < kTasks.size(); ++task) {
        const double score = dense["tasks"][task]["score"];
        INFO(dense["tasks"][task]["task"]);
        CHECK(score >= (dense["tasks"][task]["scored_by"] == "probability" ? 0.95 : 0.99));
        CHECK(sparse["tasks"][task]["score"].get<double>() >= score - 0.005);
    }
    CHECK(dense["density"] == 1);
    CHECK(sparse["density"].get<double>() <= 0.004);
    CHECK(sparse["most_heads_active"].get<int>() <= sparse["heads"].get<int>() / 2);

    // The mean over few prompts is close to that over many.
    double sum = 0;
    const Json examples = Json::parse(done({"demo", "--examples", "1"}).out);
    for (const Json& example : examples) {
        CHECK(densityOf("demo:dense", example["text"]) == 1);
        sum += densityOf("demo:sparse", example["text"]);
    }
    const double few = sum / static_cast<double>(examples.size());
    const double many = report["models"][1]["density"];
    CHECK(few > many / 4);
    CHECK(few < many * 4);
}
