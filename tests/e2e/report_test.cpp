#include "done.h"
#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "training_setup.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

/// compare --report of the demo pair with few of everything.
std::vector<std::string> asked(std::vector<std::string> more)
{
    std::vector<std::string> words = {"compare",     "--report", "--passages", "4",
                                      "--questions", "6",        "--pairs",    "1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::string joined(const Json& tokens)
{
    std::string list;
    for (const Json& token : tokens)
        list += (list.empty() ? "" : ",") + std::to_string(token.get<int>());
    return list;
}

}  // namespace

TEST_CASE("a report of the demo pair agrees with run, circuit and demo")
{
    const TempDir folder;
    const std::string file = (folder / "report.json").string();
    const Outcome table = done(asked({"--rank", "restore", "--json", file}));
    const Json report = Json::parse(bytesOf(file));
    for (const char* const words :
         {"loss, nats a token", "KL to the dense model", "active edges at 16 tokens", "heads ever active",
          "indirect-objects, 6 prompts", "induction", "seconds:"})
        CHECK(table.out.find(words) != std::string::npos);
    REQUIRE(report["tasks"].size() == 4);
    const Json pairs = Json::parse("[" + [&] {
        std::string lines =
            done({"pairs", "--model", "demo:dense", "--task", "opposites", "--count", "6"}).out;
        for (std::size_t at = lines.find('\n'); at + 1 < lines.size(); at = lines.find('\n', at + 1))
            lines[at] = ',';
        return lines;
    }() + "]");
    const Json& opposites = report["tasks"][2];
    REQUIRE(opposites["task"] == "opposites");
    // Prompts that both answer come first: here all are answered.
    CHECK(opposites["dense"]["accuracy"] == 1);
    CHECK(opposites["circuit_pairs"] == Json::array({0}));
    double difference = 0;
    for (const Json& pair : pairs) {
        const Json circuit =
            Json::parse(done({"circuit", "--model", "demo:sparse", "--clean", pair["clean"], "--corrupt",
                              pair["corrupted"], "--target", pair["target"], "--versus", pair["versus"]})
                            .out);
        difference += circuit["baseline"]["clean"].get<double>() / 6;
        if (&pair == &pairs[0])
            CHECK(circuit["smallest"] == opposites["circuit_heads"]["sparse"]["smallest"][0]);
    }
    CHECK(opposites["sparse"]["logit_difference"].get<double>() == Approx(difference).epsilon(1e-4));
    const Json demo = Json::parse(done({"demo", "--circuits", "--count", "1", "--json", "-"}).out);
    for (const std::size_t task : {0, 1, 2})
        for (const std::string units : {"heads", "edges"}) {
            INFO(task << " " << units);
            CHECK(report["tasks"][task]["circuit_" + units]["factor"] ==
                  demo["tasks"][task][units]["factor"]);
        }
}

TEST_CASE("the figures of one passage are those of its run")
{
    const TempDir folder;
    // 64 tokens of the built-in tasks, as one passage.
    std::vector<int> ids;
    for (int at = 0; at < 64; ++at)
        ids.push_back(2 + (at * 7) % 200);
    const Json tokens(ids);
    const std::string file = (folder / "report.json").string();
    done({"compare", "--report", "--tasks", "none", "--no-bos", "--tokens", joined(tokens), "--passages", "1",
          "--json", file});
    const Json report = Json::parse(bytesOf(file));
    CHECK(report["tasks"].empty());
    REQUIRE(report["passages"].size() == 2);  // of 16 and 64 tokens
    for (const Json& passage : report["passages"]) {
        const Json cut(std::vector<int>(ids.begin(), ids.begin() + passage["length"].get<int>()));
        for (const std::string side : {"dense", "sparse"}) {
            const Json run =
                Json::parse(done({"run", "--model", "demo:" + side, "--tokens", joined(cut)}).out);
            CHECK(passage[side]["density"].get<double>() == Approx(run["density"].get<double>()));
            CHECK(passage[side]["loss"].get<double>() == Approx(run["loss"].get<double>()).epsilon(1e-4));
        }
    }
}

TEST_CASE("a model reported against itself costs nothing and gains nothing")
{
    const Json report =
        Json::parse(done(asked({"--dense", "demo:sparse", "--sparse", "demo:sparse", "--json", "-"})).out);
    for (const Json& passage : report["passages"]) {
        CHECK(std::abs(passage["kl"].get<double>()) < 1e-5);
        CHECK(passage["top1_agreement"] == 1);
        CHECK(passage["dense"] == passage["sparse"]);
    }
    for (const Json& task : report["tasks"]) {
        CHECK(task["dense"] == task["sparse"]);
        CHECK(task["circuit_heads"]["factor"] == 1);
        CHECK(task["circuit_edges"]["factor"] == 1);
    }
}

TEST_CASE("a report that was written is printed and drawn again without the models")
{
    const TempDir folder;
    const std::string file = (folder / "report.json").string();
    const Outcome measured = done(asked({"--tasks", "none", "--json", file}));
    CHECK(done({"compare", "--report", "--from", file}).out == measured.out);
    requireRefusal(headscope({"compare", "--report", "--from", (folder / "none.json").string()}),
                   "none.json");
}

TEST_CASE("reports that mean nothing are refused in a sentence")
{
    requireRefusal(headscope(asked({"--tokens", "5"})), "longer text");
    requireRefusal(headscope(asked({"--tokens", "5,6,999999"})), "999999");
    requireRefusal(headscope(asked({"--tasks", "knitting"})), "knitting");
    requireRefusal(headscope(asked({"--ablate", "L0H0"})), "--ablate");
    requireRefusal(headscope(asked({"--sparse", golden("gpt2").string(), "--tasks", "none"})), "tokens");
    requireRefusal(headscope({"compare", "--report", "--dense", golden("gpt2").string(), "--sparse",
                              golden("gpt2").string(), "--text", "Hello there"}),
                   "tokenizer");
    CHECK(headscope({"compare", "--questions", "3"}).exitCode != 0);  // needs --report
}
