#include "done.h"
#include "heard_program.h"
#include "program.h"
#include "refusal.h"
#include "support/bytes_of.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <cmath>
#include <csignal>
#include <iterator>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

const std::string kPairs =
    R"({"clean": "When Mary and John went to the store , John gave a drink to", "corrupted": "When Mary and John went to the store , Mary gave a drink to", "target": "Mary", "versus": "John"})"
    "\n\n"
    R"({"clean": "When Tom and Anna went to the park , Anna gave a ball to", "corrupt": "When Tom and Anna went to the park , Tom gave a ball to", "target": "Tom", "versus": "Anna"})"
    "\n"
    R"({"clean": "When Anna and Tom went to the park , Anna gave a ball to", "corrupted": "When Anna and Tom went to the park , Tom gave a ball to", "target": "Tom", "versus": "Anna"})"
    "\n";

// The sparse model's heads do not look so far back: the logits are equal, which only a run reveals.
const std::string kAlike =
    R"({"clean": "Mary and went to the", "corrupted": "Tom and went to the", "target": "store", "versus": "park"})"
    "\n";

Words with(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

}  // namespace

TEST_CASE("paths are ranked with their ends, and estimates say how good they are")
{
    const Words pair = {"circuit",
                        "--model",
                        "demo:sparse",
                        "--units",
                        "paths",
                        "--clean",
                        "When Mary and John went to the store , John gave a drink to",
                        "--corrupt",
                        "When Mary and John went to the store , Mary gave a drink to",
                        "--target",
                        "Mary",
                        "--versus",
                        "John"};
    const Json exact = jsonOf(with(pair, {"--rank", "remove"}));
    CHECK(exact["unit"] == "paths");
    CHECK(exact["curve"].empty());
    const Json& first = exact["units"][0];
    CHECK(first["to"].contains("input"));
    CHECK(std::abs(first["removal"].get<double>()) > 0.1);
    CHECK(first["effect"].is_null());
    const Json estimated = jsonOf(with(pair, {"--rank", "gradient"}));
    CHECK(estimated["units"].size() == exact["units"].size());
    CHECK(estimated["check"]["sampled"] == 64);
    CHECK(estimated["check"]["rank_correlation"].get<double>() > 0.5);

    const TempDir folder;
    const std::string pairs = folder.write("pairs.jsonl", kPairs).string();
    requireRefusal(headscope({"circuit", "--model", "demo:sparse", "--units", "paths", "--pairs", pairs}),
                   "one pair of prompts");
    requireRefusal(headscope(with(pair, {"--refine"})), "leave out --refine");
}

TEST_CASE("circuits over a file of pairs have means over them")
{
    const TempDir folder;
    const std::string pairs = folder.write("pairs.jsonl", kPairs).string();
    const Json json = jsonOf({"circuit", "--model", "demo:sparse", "--pairs", pairs, "--refine"});
    REQUIRE(json["pairs"].size() == 3);
    double smallest = 0;
    double refined = 0;
    for (const Json& pair : json["pairs"]) {
        smallest += pair["smallest"].get<double>() / 3;
        refined += static_cast<double>(pair["refined"].size()) / 3;
        CHECK(pair["refined"].size() <= pair["smallest"].get<std::size_t>());
        CHECK(pair["target"].contains("text"));
        for (const char* key : {"clean", "corrupted", "units", "curve", "baseline", "index"})
            CHECK(pair.contains(key));
    }
    CHECK(json["smallest"]["mean"].get<double>() == Approx(smallest));
    CHECK(json["smallest"]["pairs"] == 3);
    CHECK(json["refined"]["mean"].get<double>() == Approx(refined));
    CHECK(json["curve"].front() == Json({0, 0.0}));
    CHECK(json["curve"].back()[1].get<double>() == Approx(1).margin(1e-5));

    const Json& first = json["pairs"][0];
    const Json alone = jsonOf({"circuit", "--model", "demo:sparse", "--refine", "--clean",
                               "When Mary and John went to the store , John gave a drink to", "--corrupt",
                               "When Mary and John went to the store , Mary gave a drink to", "--target",
                               "Mary", "--versus", "John"});
    for (const char* key : {"units", "curve", "smallest", "refined", "baseline", "clean", "target"})
        CHECK(alone[key] == first[key]);
}

TEST_CASE("the shards of circuits merge to the whole, byte for byte, of one model or two")
{
    const TempDir folder;
    const std::string pairs = folder.write("pairs.jsonl", kPairs).string();
    const auto file = [&](const char* name) { return (folder / name).string(); };
    const auto write = [&](const Words& models, const Words& more) {
        const Outcome outcome = headscope(with(with({"circuit"}, models), more));
        INFO(outcome.err);
        REQUIRE(outcome.exitCode == 0);
    };
    const Words one = {"--model", "demo:sparse"};
    for (const Words& models : {Words{"--dense", "demo:dense", "--sparse", "demo:sparse"}, one}) {
        write(models, {"--pairs", pairs, "--json", file("whole.json")});
        write(models, {"--pairs", pairs, "--shard", "1/2", "--json", file("one.json")});
        write(models, {"--pairs", pairs, "--shard", "2/2", "--json", file("two.json")});
        CHECK(headscope({"merge", file("two.json"), file("one.json"), "--json", file("joined.json")})
                  .exitCode == 0);
        CHECK(bytesOf(file("joined.json")) == bytesOf(file("whole.json")));
    }

    requireRefusal(headscope({"merge", file("one.json")}), "add the shard");
    requireRefusal(headscope({"merge", file("one.json"), file("one.json"), file("two.json")}),
                   "each part once");
    requireRefusal(headscope({"merge", file("one.json"), file("two.json"), "--csv", file("x.csv")}),
                   "--json");
    write(one, {"--pairs", pairs, "--shard", "2/2", "--level", "0.5", "--json", file("other.json")});
    requireRefusal(headscope({"merge", file("one.json"), file("other.json")}), "different searches");
    const std::string others = folder.write("others.jsonl", kPairs + "\n").string();
    write(one, {"--pairs", others, "--shard", "2/2", "--json", file("foreign.json")});
    requireRefusal(headscope({"merge", file("one.json"), file("foreign.json")}), "different searches");
}

TEST_CASE("parts of a sweep and of circuits do not merge")
{
    const TempDir folder;
    const std::string pairs = folder.write("pairs.jsonl", kPairs).string();
    const std::string prompts =
        folder.write("prompts.jsonl", R"({"text": "Mary and", "target": "John"})").string();
    const std::string circuits = (folder / "circuits.json").string();
    const std::string sweep = (folder / "sweep.json").string();
    REQUIRE(headscope({"circuit", "--model", "demo:sparse", "--pairs", pairs, "--json", circuits}).exitCode ==
            0);
    REQUIRE(headscope({"sweep", "--model", "demo:sparse", "--prompts", prompts, "--units", "layers", "--json",
                       sweep})
                .exitCode == 0);
    requireRefusal(headscope({"merge", circuits, sweep}), "belong together");
    Json spoilt = Json::parse(bytesOf(circuits));
    spoilt["pairs"][0]["units"][0]["layer"] = 99;
    requireRefusal(headscope({"merge", folder.write("spoilt.json", spoilt.dump()).string()}), "spoilt.json");
}

TEST_CASE("two models' circuits come with the factor between them")
{
    const Json json = jsonOf({"circuit", "--dense", "demo:dense", "--sparse", "demo:sparse", "--clean",
                              "When Mary and John went to the store , John gave a drink to", "--corrupt",
                              "When Mary and John went to the store , Mary gave a drink to", "--target",
                              "Mary", "--versus", "John"});
    const double dense = json["dense"]["smallest"];
    const double sparse = json["sparse"]["smallest"];
    CHECK(json["factor"].get<double>() == Approx(dense / sparse));
    CHECK(json["factor"].get<double>() > 1);
    CHECK_FALSE(json.contains("refined_factor"));
}

TEST_CASE("edges are ranked as heads are, by each of three rankings")
{
    const std::string ranking = GENERATE(as<std::string>(), "restore", "remove", "gradient");
    const Json json = jsonOf({"circuit", "--model", "demo:sparse", "--units", "edges", "--rank", ranking,
                              "--clean", "When Mary and John went to the store , John gave a drink to",
                              "--corrupt", "When Mary and John went to the store , Mary gave a drink to",
                              "--target", "Mary", "--versus", "John"});
    CHECK(json["unit"] == "edges");
    CHECK(json["ranking"] == ranking);
    for (const char* key : {"layer", "head", "query", "key", "effect", "removal"})
        CHECK(json["units"][0].contains(key));
    CHECK(json["curve"].back()[1].get<double>() == Approx(1).margin(1e-5));
    CHECK(json["smallest"].get<int>() > 0);
}

TEST_CASE("pairs that cannot be searched are refused before any run, with their line")
{
    const TempDir folder;
    const auto onFile = [&](const std::string& lines, const Words& more = {}) {
        return headscope(with(
            {"circuit", "--model", "demo:sparse", "--pairs", folder.write("p.jsonl", lines).string()}, more));
    };
    const auto line = [](const std::string& clean, const std::string& corrupted, const std::string& target,
                         const std::string& versus) {
        return Json{{"clean", clean}, {"corrupted", corrupted}, {"target", target}, {"versus", versus}}
                   .dump() +
               "\n";
    };
    requireRefusal(onFile(""), "holds no prompts");
    requireRefusal(onFile(R"({"clean": "Mary", "target": "Mary", "versus": "John"})"), "lacks \"corrupted\"");
    requireRefusal(onFile("nonsense\n"), "Line 1");
    requireRefusal(onFile(line("Mary and", "John", "Mary", "John")), "same number");
    requireRefusal(onFile(line("Mary and", "John and", "Mary John", "John")), "more than one token");
    requireRefusal(onFile(line("Mary and", "Mary and", "Mary", "John")), "are the same");
    requireRefusal(onFile(line("Mary and", "John and", "Mary", "Mary")), "same token");
    requireRefusal(onFile(kPairs, {"--shard", "3/2"}), "no shard");
    requireRefusal(onFile(kPairs, {"--gate-bias", "nan"}), "finite");
    requireRefusal(onFile(kPairs, {"--json", "/nowhere/out.json"}), "/nowhere/out.json");
    requireRefusal(onFile(kPairs, {"--json", folder.path().string()}), "is a folder");
    requireRefusal(headscope({"circuit", "--model", "demo:sparse", "--pairs", "/nowhere.jsonl"}),
                   "/nowhere.jsonl");
    requireRefusal(headscope({"circuit", "--model", "demo:sparse"}), "--pairs");
    CHECK(onFile(kPairs, {"--dense", "demo:dense"}).exitCode == 2);
    CHECK(headscope({"circuit", "--dense", "demo:dense", "--pairs", "x"}).exitCode == 2);
    CHECK(onFile(kPairs, {"--clean", "Mary"}).exitCode == 2);
}

TEST_CASE("a faulty line of pairs is named by its number, the others are searched")
{
    const TempDir folder;
    const std::string faulty = GENERATE(
        "nonsense\n", R"({"clean": "Mary and", "corrupted": "John", "target": "Mary", "versus": "John"})");
    const std::string pairs = folder.write("pairs.jsonl", kPairs + faulty).string();
    const Outcome outcome = headscope({"circuit", "--model", "demo:sparse", "--pairs", pairs});
    INFO(outcome.err);
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.err.find("Line 5 of " + pairs) != std::string::npos);
    const Json json = Json::parse(outcome.out);
    REQUIRE(json["pairs"].size() == 4);
    CHECK(json["pairs"][3].contains("problem"));
    CHECK(json["smallest"]["pairs"] == 3);
}

TEST_CASE("a pair whose prompts are answered alike is left out, the others are searched")
{
    const TempDir folder;
    const std::string pairs = folder.write("pairs.jsonl", kAlike + kPairs).string();
    const Outcome outcome = headscope({"circuit", "--model", "demo:sparse", "--pairs", pairs});
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    const Json json = Json::parse(outcome.out);
    REQUIRE(json["pairs"].size() == 4);
    CHECK(json["pairs"][0]["problem"].get<std::string>().ends_with("."));
    CHECK_FALSE(json["pairs"][1].contains("problem"));
    CHECK(json["smallest"]["pairs"] == 3);
    CHECK(outcome.err.find("Line 1 of " + pairs + " was left out") != std::string::npos);
}

TEST_CASE("Ctrl-C keeps the pairs that are done")
{
    const TempDir folder;
    std::string lines = kAlike;
    for (int copy = 0; copy < 100; ++copy)
        lines += kPairs;
    const std::string file = (folder / "circuits.json").string();
    HeardProgram program({"circuit", "--model", "demo:sparse", "--units", "edges", "--pairs",
                          folder.write("pairs.jsonl", lines).string(), "--json", file});
    REQUIRE(program.waitFor("was left out"));
    program.send(SIGINT);
    const Outcome outcome = program.finish();
    INFO(outcome.err);
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.err.find("whose results were written") != std::string::npos);
    const Json json = Json::parse(bytesOf(file));
    CHECK(json["pair_count"] == 301);
    CHECK(json["pairs"].size() >= 1);
    CHECK(json["pairs"].size() < 301);
}
