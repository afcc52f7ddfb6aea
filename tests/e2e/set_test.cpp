#include "done.h"
#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/npz.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

const Words kTexts = {
    "When Mary and John went to the store , John gave a drink to",
    "When Tom and Anna went to the park , Anna gave a ball to", "The opposite of \" hot \" is \"",
    "When Anna and Mary went to the store , Mary gave a book to", "The opposite of \" large \" is \""};

std::string bytesIn(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

Words with(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::string linesOf(Words texts)
{
    std::string lines;
    for (const std::string& text : texts)
        lines += Json{{"text", text}}.dump() + "\n";
    return lines;
}

}  // namespace

TEST_CASE("what heads and MLPs write over a set has intervals, and parts of it make the same bytes")
{
    const TempDir folder;
    const auto path = [&](const std::string& name) { return (folder / name).string(); };
    const std::string file = folder.write("p.jsonl", linesOf(kTexts)).string();
    const Words metrics = {"metrics", "--model", "demo:sparse", "--units", "heads+mlps", "--prompts", file};
    done(with(metrics, {"--csv", path("m.csv"), "--json", path("m.json")}));
    const Json json = Json::parse(bytesIn(path("m.json")));
    REQUIRE(json["mlps"].size() == 8);
    CHECK(json["mlps"][3]["name"] == "L3MLP");
    CHECK(json["mlps"][3]["logit"]["low"] < json["mlps"][3]["logit"]["high"]);
    CHECK(json["mlps"][3]["norm"]["count"] == kTexts.size());
    CHECK(json["heads"][0].contains("norm"));
    done(with(metrics, {"--shard", "2/2", "--json", path("2.json")}));
    done(with(metrics, {"--resume", path("2.json"), "--json", path("on.json"), "--csv", path("on.csv")}));
    CHECK(bytesIn(path("on.json")) == bytesIn(path("m.json")));
    CHECK(bytesIn(path("on.csv")) == bytesIn(path("m.csv")));
    requireRefusal(
        headscope({"metrics", "--model", "demo:sparse", "--prompts", file, "--resume", path("2.json")}),
        "another set, model or options");
}

TEST_CASE("a set of prompts in any order, in shards or in an array gives the same bytes")
{
    const TempDir folder;
    const auto path = [&](const std::string& name) { return (folder / name).string(); };
    const std::string file = folder.write("p.jsonl", linesOf(kTexts)).string();
    Words backwards = kTexts;
    std::ranges::reverse(backwards);
    std::string text;
    for (const std::string& line : backwards)
        text += line + "\n";
    folder.write("p.txt", text);
    const Words metrics = {"metrics", "--model", "demo:sparse", "--prompts"};
    const Words averages = {"run", "--model", "demo:sparse", "--align", "end", "--prompts"};
    done(with(metrics, {file, "--csv", path("m.csv"), "--json", path("m.json")}));
    done(with(averages, {file, "--npz", path("a.npz"), "--json", path("a.json")}));
    done(with(metrics, {path("p.txt"), "--csv", path("back.csv")}));
    done(with(averages, {path("p.txt"), "--npz", path("back.npz")}));
    CHECK(bytesIn(path("back.csv")) == bytesIn(path("m.csv")));
    CHECK(bytesIn(path("back.npz")) == bytesIn(path("a.npz")));

    done(with(metrics, {file, "--shard", "2/2", "--json", path("2.json")}));
    done(with(metrics, {file, "--shard", "1/2", "--json", path("1.json")}));
    done({"merge", path("2.json"), path("1.json"), "--json", path("both.json"), "--csv", path("both.csv")});
    CHECK(bytesIn(path("both.json")) == bytesIn(path("m.json")));
    CHECK(bytesIn(path("both.csv")) == bytesIn(path("m.csv")));

    // A shard is like a run that was stopped after it.
    done(with(metrics, {file, "--resume", path("2.json"), "--json", path("on.json")}));
    CHECK(bytesIn(path("on.json")) == bytesIn(path("m.json")));
    requireRefusal(headscope(with(metrics, {file, "--gate", "off", "--resume", path("2.json")})),
                   "another set");

    done(with({"array", "--parts", "2", "--scheduler", "local", "--folder", path("array"), "--"},
              with(averages, {file, "--npz", path("spread.npz"), "--json", path("spread.json")})));
    CHECK(bytesIn(path("spread.npz")) == bytesIn(path("a.npz")));
    CHECK(bytesIn(path("spread.json")) == bytesIn(path("a.json")));
}

TEST_CASE("an average of one prompt is that prompt")
{
    const TempDir folder;
    const auto path = [&](const std::string& name) { return (folder / name).string(); };
    const std::string file = folder.write("one.txt", kTexts[0] + "\n").string();
    done({"run", "--model", "demo:sparse", "--text", kTexts[0], "--npz", path("run.npz")});
    done({"run", "--model", "demo:sparse", "--prompts", file, "--npz", path("set.npz")});
    const auto run = readNpz(path("run.npz"));
    const auto set = readNpz(path("set.npz"));
    for (const char* const name : {"tokens", "texts", "attention"})
        CHECK(run.at(name).bytes == set.at(name).bytes);
    done({"metrics", "--model", path("set.npz"), "--csv", path("maps.csv")});  // opened as maps
}

TEST_CASE("metrics of a set are the means of those of its prompts, with intervals around them")
{
    const TempDir folder;
    const std::string file =
        folder.write("p.csv", "text\n\"" + kTexts[0] + "\"\n\"" + kTexts[1] + "\"\n").string();
    const Outcome outcome = headscope({"metrics", "--model", "demo:dense", "--prompts", file, "--json", "-"});
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    const Json set = Json::parse(outcome.out);
    double sum = 0;
    for (const std::string& text : {kTexts[0], kTexts[1]})
        sum += Json::parse(headscope({"metrics", "--model", "demo:dense", "--text", text, "--json", "-"})
                               .out)["heads"][11]["peak"]
                   .get<double>();
    const Json& peak = set["heads"][11]["peak"];
    CHECK(set["heads"][11]["name"] == "L1H3");
    CHECK(peak["mean"].get<double>() == Approx(sum / 2).epsilon(1e-5));
    CHECK(peak["low"].get<double>() < peak["mean"].get<double>());
    CHECK(peak["high"].get<double>() > peak["mean"].get<double>());
    CHECK(peak["count"] == 2);
    CHECK(set["prompts"].size() == 2);
}

TEST_CASE("bad lines of a set are named by number and the rest is done, in every command")
{
    const TempDir folder;
    const auto path = [&](const std::string& name) { return (folder / name).string(); };
    const auto question = [](const std::string& text) {
        return Json{{"text", text}, {"source", kTexts[3]}, {"target", "Mary"}, {"versus", "John"}}.dump() +
               "\n";
    };
    const std::string lines = question(kTexts[0]) + "nonsense\n" + question(kTexts[1]) + "{\"text\": \"\"}\n";
    const std::string file = folder.write("p.jsonl", lines).string();
    const std::vector<Words> commands = {
        {"metrics", "--model", "demo:sparse", "--prompts", file},
        {"run", "--model", "demo:sparse", "--prompts", file},
        {"compare", "--prompts", file},
        {"sweep", "--model", "demo:sparse", "--units", "layers", "--prompts", file},
        {"circuit", "--model", "demo:sparse", "--rank", "gradient", "--pairs", file}};
    for (const Words& command : commands) {
        INFO(command.front());
        const Outcome outcome = headscope(with(command, {"--json", path("out.json")}));
        CHECK(outcome.exitCode == 1);
        CHECK(outcome.err.find("Line 2 of") != std::string::npos);
        CHECK(outcome.err.find("Line 4 of") != std::string::npos);
        CHECK(outcome.err.find("2 of 4 prompts were left out") != std::string::npos);
        const Json json = Json::parse(bytesIn(path("out.json")));
        const Json& rows = json.contains("prompts") ? json["prompts"] : json["pairs"];
        if (command.front() == "circuit") {
            CHECK(rows[1]["problem"].get<std::string>().find("Line 2 of") == 0);
        } else {
            CHECK(rows.size() == 2);
            CHECK(json["left_out"][0]["index"] == 1);
            CHECK(json["left_out"][1]["problem"].get<std::string>().find("Line 4 of") != std::string::npos);
        }
        for (const char* const shard : {"1/2", "2/2"})
            headscope(with(command, {"--shard", shard, "--json", path(std::string(1, *shard) + ".json")}));
        const Outcome merged =
            headscope({"merge", path("1.json"), path("2.json"), "--json", path("both.json")});
        CHECK(merged.exitCode == 1);
        CHECK(bytesIn(path("both.json")) == bytesIn(path("out.json")));
        std::filesystem::remove(path("out.json"));
    }
    requireRefusal(
        headscope({"metrics", "--model", "demo:sparse", "--prompts", folder.write("bad", "{\n").string()}),
        "Line 1 of");
    requireRefusal(headscope({"metrics", "--model", "demo:sparse", "--ablate", "L99H0", "--prompts", file}),
                   "L99H0");
}

TEST_CASE("prompts of a template are averaged by its slots")
{
    const TempDir folder;
    const auto path = [&](const std::string& name) { return (folder / name).string(); };
    const std::string file = folder.write("v.csv", "name,thing\nMary,drink\nTom,ball\n").string();
    done({"run", "--model", "demo:sparse", "--prompts", file, "--template", "{name} gave a {thing} to",
          "--npz", path("a.npz"), "--json", path("a.json")});
    const Json json = Json::parse(bytesIn(path("a.json")));
    CHECK(json["about"]["align"] == "slots");
    const auto arrays = readNpz(path("a.npz"));
    const std::int64_t side = arrays.at("tokens").shape.front();
    const auto tokens = arrays.at("tokens").as<std::int64_t>();
    CHECK(std::ranges::count(tokens, -1) == 2);
    const auto texts = arrays.at("texts").bytes;
    CHECK(texts.find(std::string("{\0\0\0n\0\0\0a\0\0\0m\0\0\0e\0\0\0}", 21)) != std::string::npos);
    CHECK(arrays.at("attention").shape == std::vector<std::int64_t>{8, 8, side, side});
    CHECK(arrays.at("prompts").as<std::int64_t>() == std::vector<std::int64_t>{2});
}

TEST_CASE("compare over a set has both models, their reductions and every head with intervals")
{
    const Outcome outcome = headscope({"compare", "--prompts", "task:indirect-objects:6", "--json", "-"});
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    const Json json = Json::parse(outcome.out);
    CHECK(json["overall"][0]["name"] == "dense");
    CHECK(json["overall"][2]["active_edges"]["low"].get<double>() > 0);
    CHECK(json["heads"].size() == 64);
    CHECK(json["heads"][0]["total_variation"]["count"] == 6);
    CHECK(json["prompts"][5]["sparse"]["answer"].is_string());
}
