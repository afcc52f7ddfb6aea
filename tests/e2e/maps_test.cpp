#include "done.h"
#include "program.h"
#include "refusal.h"
#include "support/catch.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

Words on(const std::string& command, const std::string& model, const Words& more = {})
{
    Words words = {command, "--model", model, "--text", kPrompt};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

}  // namespace

TEST_CASE("scatter correlates the heads that are named")
{
    const Json json = jsonOf(on("scatter", "demo:dense", {"--heads", "L0H0,L0H2,L3H5", "--weights"}));
    REQUIRE(json["heads"].size() == 3);
    CHECK(json["heads"][2] == Json{{"layer", 3}, {"head", 5}});
    const Json& correlations = json["correlations"];
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            CHECK(correlations[row][column] == correlations[column][row]);
    CHECK(correlations[1][1].get<double>() == Approx(1));
    CHECK(json["weights"][0].size() == 120);  // causal cells of 15 tokens
    REQUIRE(json["pairs"].size() == 3);
    double last = 1;
    for (const Json& pair : json["pairs"]) {
        CHECK(pair["correlation"].get<double>() <= last);
        last = pair["correlation"];
    }
    CHECK(json["clusters"].size() == 3);
}

TEST_CASE("scatter takes the heads that look anywhere where none are named")
{
    const Json sparse = jsonOf(on("scatter", "demo:sparse"));
    CHECK_FALSE(sparse.contains("weights"));
    CHECK(sparse["heads"].size() >= 2);
    CHECK(sparse["heads"].size() < 64);
    for (const Json& row : sparse["correlations"])
        CHECK(row.size() == sparse["heads"].size());
    std::set<std::string> names;
    for (const Json& group : sparse["groups"]) {
        CHECK(group.size() >= 2);
        for (const Json& name : group)
            CHECK(names.insert(name).second);
    }
    CHECK(jsonOf(on("scatter", "demo:dense"))["heads"].size() == 64);
    requireRefusal(headscope(on("scatter", "demo:dense", {"--heads", "L0H0"})), "two heads");
    requireRefusal(headscope(on("scatter", "demo:dense", {"--heads", "L0H0,L9H0"})), "L9H0");
    requireRefusal(headscope(on("scatter", "demo:dense", {"--heads", "nonsense"})), "nonsense");
}

TEST_CASE("flow lists the edges that reach the threshold, and those on a way between two tokens")
{
    const Json json = jsonOf(on("flow", "demo:sparse", {"--threshold", "0.2"}));
    REQUIRE_FALSE(json["edges"].empty());
    double last = 1;
    for (const Json& edge : json["edges"]) {
        CHECK(edge["weight"].get<double>() >= 0.2);
        CHECK(edge["weight"].get<double>() <= last);
        CHECK(edge["key"].get<int>() <= edge["query"].get<int>());
        last = edge["weight"];
    }
    CHECK(json["ways"].size() == json["tokens"].size());
    const Json way = jsonOf(on("flow", "demo:sparse", {"--threshold", "0.2", "--key", "2", "--query", "14"}));
    CHECK(way["edges"].size() < json["edges"].size());
    CHECK((way["ways"][14][2] == 0) == way["edges"].empty());
    CHECK_FALSE(way["edges"].empty());  // Mary reaches the answer
    CHECK(jsonOf(on("flow", "demo:sparse", {"--ablate", "L*H*"}))["edges"].empty());

    requireRefusal(headscope(on("flow", "demo:sparse", {"--key", "5", "--query", "2"})), "swap");
    requireRefusal(headscope(on("flow", "demo:sparse", {"--key", "5", "--query", "99"})), "position 99");
    CHECK(headscope(on("flow", "demo:sparse", {"--key", "5"})).exitCode == 2);
    CHECK(headscope(on("flow", "demo:sparse", {"--threshold", "1.5"})).exitCode == 2);
}

TEST_CASE("attribute shows two models side by side, with the factors between them")
{
    Words words = {"attribute", "--dense",  "demo:dense", "--sparse", "demo:sparse", "--text",
                   kPrompt,     "--target", "Mary",       "--versus", "John"};
    const Json json = jsonOf(words);
    const auto count = [](const Json& side) { return static_cast<double>(side["smallest"].size()); };
    CHECK(json["factor"]["heads"].get<double>() == Approx(count(json["dense"]) / count(json["sparse"])));
    CHECK(json["factor"]["edges"].get<double>() > 2);
    CHECK(json["sparse"]["model"] != json["dense"]["model"]);
    words.insert(words.end(), {"--json", "/nowhere/out.json"});
    requireRefusal(headscope(words), "/nowhere/out.json");
}

TEST_CASE("the demo pair's tokenizer has pairs of its own")
{
    for (const char* const task : {"indirect-objects", "greater-than"}) {
        const Outcome written = headscope({"pairs", "--model", "demo:dense", "--task", task, "--count", "3"});
        CHECK(written.exitCode == 0);
        CHECK(std::ranges::count(written.out, '\n') == 3);
        CHECK(written.out.find("\"target\"") != std::string::npos);
    }
    CHECK(headscope({"pairs", "--model", "demo:dense", "--task", "nonsense"}).exitCode == 2);
    requireRefusal(headscope({"pairs", "--model", "/nowhere", "--task", "greater-than"}), "/nowhere");
}
