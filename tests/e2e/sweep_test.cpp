#include "program.h"
#include "refusal.h"
#include "support/bytes_of.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

const std::string kQuestions =
    R"({"text": "When Mary and John went to the store , John gave a drink to", "target": "Mary", "versus": "John"})"
    "\n\n"
    R"({"text": "When Tom and Anna went to the park , Anna gave a ball to", "target": "Tom", "versus": "Anna"})"
    "\n"
    R"({"text": "The opposite of \" large \" is \"", "target": "small", "source": "The opposite of \" hot \" is \""})"
    "\n";

std::string outOf(const std::vector<std::string>& arguments)
{
    const Outcome outcome = headscope(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return outcome.out;
}

std::vector<std::vector<std::string>> cells(const std::string& csv)
{
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        rows.emplace_back();
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, ',');)
            rows.back().push_back(field);
    }
    return rows;
}

}  // namespace

TEST_CASE("sweep gives for each head what run --ablate gives, less the baseline")
{
    const auto rows = cells(outOf(
        {"sweep", "--model", "demo:sparse", "--text", kPrompt, "--target", "Mary", "--versus", "John"}));
    REQUIRE(rows.size() == 65);
    CHECK(rows[0] == std::vector<std::string>{"layer", "head", "logit", "logit_diff", "prob", "loss", "kl"});
    const auto run = [](const std::string& heads) {
        std::vector<std::string> arguments = {"run", "--model", "demo:sparse", "--text", kPrompt};
        if (!heads.empty())
            arguments.insert(arguments.end(), {"--ablate", heads});
        return Json::parse(outOf(arguments));
    };
    const Json before = run("");
    const Json after = run("L4H3");
    CHECK(std::stod(rows[1 + 4 * 8 + 3][5]) ==
          Approx(after["loss"].get<double>() - before["loss"].get<double>()).margin(1e-5));
    CHECK(std::stod(rows[1 + 4 * 8 + 3][4]) < -0.5);  // the head that answers
}

TEST_CASE("sweep --cells ranks what run --ablate does to each cell of a head")
{
    const auto rows = cells(outOf({"sweep", "--model", "demo:sparse", "--text", kPrompt, "--target", "Mary",
                                   "--versus", "John", "--cells", "L4H3"}));
    CHECK(rows[0] ==
          std::vector<std::string>{"query", "key", "weight", "logit", "logit_diff", "prob", "loss", "kl"});
    const auto lossWith = [](const std::string& heads) {
        std::vector<std::string> arguments = {"run", "--model", "demo:sparse", "--text", kPrompt};
        if (!heads.empty())
            arguments.insert(arguments.end(), {"--ablate", heads});
        return Json::parse(outOf(arguments))["loss"].get<double>();
    };
    const std::string strongest = "L4H3[" + rows.at(1)[0] + "<" + rows.at(1)[1] + "]";
    CHECK(std::stod(rows[1][6]) == Approx(lossWith(strongest) - lossWith("")).margin(1e-5));
    CHECK(std::stod(rows[1][4]) < -0.5);  // where the head that answers finds the answer
    CHECK(lossWith("L4H3[*<*]") == lossWith("L4H3"));
    CHECK(lossWith("L4H3[*<*]:scale=1") == lossWith(""));
    for (const std::string wrong :
         {"L4H3[1<2]", "L4H3[5<", "L4H3[99<0]", "L4H3[5<0]:scale=3", "L4H3[5<0]:patch"})
        requireRefusal(headscope({"run", "--model", "demo:sparse", "--text", kPrompt, "--ablate", wrong}),
                       "[");
}

TEST_CASE("the shards of a sweep merge to the whole, byte for byte")
{
    const TempDir folder;
    const std::string prompts = folder.write("prompts.jsonl", kQuestions).string();
    const auto file = [&](const char* name) { return (folder / name).string(); };
    const auto method = GENERATE(as<std::string>(), "mean", "resample");
    const auto sweep = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"sweep",   "--model", "demo:sparse", "--prompts", prompts,
                                              "--units", "layers",  "--method",    method};
        arguments.insert(arguments.end(), more.begin(), more.end());
        outOf(arguments);
    };
    sweep({"--csv", file("whole.csv"), "--json", file("whole.json")});
    sweep({"--shard", "1/2", "--json", file("one.json")});
    sweep({"--shard", "2/2", "--json", file("two.json")});
    outOf({"merge", file("two.json"), file("one.json"), "--csv", file("joined.csv"), "--json",
           file("joined.json")});
    CHECK(bytesOf(file("joined.csv")) == bytesOf(file("whole.csv")));
    CHECK(bytesOf(file("joined.json")) == bytesOf(file("whole.json")));
    const auto rows = cells(bytesOf(file("whole.csv")));
    REQUIRE(rows.size() == 9);
    CHECK(rows[0].back() == "prompts");
    CHECK(rows[1].back() == "3");

    requireRefusal(headscope({"merge", file("one.json")}), "add the shard");
    requireRefusal(headscope({"merge", file("one.json"), file("one.json"), file("two.json")}),
                   "each part once");
    requireRefusal(headscope({"merge", file("whole.csv")}), "whole.csv");
}

TEST_CASE("sweeps that cannot be made are refused before any run")
{
    const TempDir folder;
    const auto onFile = [&](const std::string& lines) {
        return headscope(
            {"sweep", "--model", "demo:dense", "--prompts", folder.write("p.jsonl", lines).string()});
    };
    requireRefusal(onFile(""), "holds no prompts");
    requireRefusal(onFile("{\"text\": \"Mary\"}\n"), "lacks \"target\"");
    requireRefusal(onFile("nonsense\n"), "Line 1");
    requireRefusal(onFile("{\"text\": 3, \"target\": \"Mary\"}\n"), "in quotation marks");
    requireRefusal(onFile("{\"text\": \"Mary\", \"target\": \"Mary John\"}\n"), "Mary John");
    requireRefusal(headscope({"sweep", "--model", "demo:dense", "--prompts", "/nowhere.jsonl"}),
                   "/nowhere.jsonl");
    const std::vector<std::string> start = {"sweep", "--model", "demo:dense", "--text", kPrompt};
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments = start;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return headscope(arguments);
    };
    requireRefusal(with({}), "--target");
    requireRefusal(with({"--target", "Mary", "--versus", "Mary"}), "same token");
    requireRefusal(with({"--target", "Mary", "--method", "resample"}), "--source");
    requireRefusal(with({"--target", "Mary", "--method", "resample", "--source", "Mary"}), "same number");
    const std::string file = folder.write("good.jsonl", kQuestions).string();
    requireRefusal(headscope({"sweep", "--model", "demo:dense", "--prompts", file, "--shard", "3/2"}),
                   "no shard");
    requireRefusal(
        headscope({"sweep", "--model", "demo:dense", "--prompts",
                   folder.write("lone.jsonl", "{\"text\": \"Mary\", \"target\": \"Mary\"}\n").string(),
                   "--method", "resample"}),
        "source");
}
