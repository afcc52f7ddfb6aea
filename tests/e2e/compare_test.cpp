#include "done.h"
#include "program.h"
#include "refusal.h"
#include "support/catch.h"

using namespace hs::test;
using Json = nlohmann::json;

TEST_CASE("edges lists the heads that map a key to a query, the heaviest first")
{
    const Json edges = jsonOf({"edges", "--model", "demo:dense", "--text", kPrompt, "--key", "2", "--query",
                               "14", "--min", "0.05"});
    REQUIRE_FALSE(edges["heads"].empty());
    double last = 1;
    for (const Json& head : edges["heads"]) {
        CHECK(head["weight"].get<double>() <= last);
        CHECK(head["weight"].get<double>() >= 0.05);
        last = head["weight"];
    }
    CHECK(edges["key_token"]["text"] == "Mary");
    const Json oneBased = jsonOf({"edges", "--model", "demo:dense", "--text", kPrompt, "--key", "3",
                                  "--query", "15", "--min", "0.05", "--one-based"});
    CHECK(oneBased["heads"] == edges["heads"]);
    requireRefusal(
        headscope({"edges", "--model", "demo:dense", "--text", kPrompt, "--key", "5", "--query", "2"}),
        "swap");
    requireRefusal(
        headscope({"edges", "--model", "demo:dense", "--text", kPrompt, "--key", "5", "--query", "99"}),
        "position 99");
}

TEST_CASE("compare sums both models up and orders their heads by what changed most")
{
    const Json json =
        jsonOf({"compare", "--dense", "demo:dense", "--sparse", "demo:sparse", "--text", kPrompt});
    CHECK(json["dense"]["heads"] == 64);
    CHECK(json["dense"]["active_edges"] == 1);
    CHECK(json["sparse"]["active_edges"].get<double>() < 0.01);
    CHECK(json["reduction"]["active_edges"].get<double>() > 0.99);
    CHECK(json["sparse"]["heads_retained"].get<int>() < json["dense"]["heads_retained"].get<int>());
    REQUIRE(json["heads"].size() == 64);
    double last = 1;
    for (const Json& pair : json["heads"]) {
        CHECK(pair["total_variation"].get<double>() <= last);
        last = pair["total_variation"];
    }
    const Json same =
        jsonOf({"compare", "--dense", "demo:sparse", "--sparse", "demo:sparse", "--text", kPrompt});
    for (const Json& pair : same["heads"])
        CHECK(pair["total_variation"] == 0);
}

TEST_CASE("compare holds two prompts against each other over the tokens that stand for each other")
{
    const std::vector<std::string> both = {"compare", "--dense", "demo:dense", "--sparse", "demo:dense"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), both.begin(), both.end());
        return more;
    };
    const Json swapped = jsonOf(with({"--text", "When Mary and John went to the store", "--sparse-text",
                                      "When John and Mary went to the store"}));
    CHECK(swapped["rows"] == swapped["tokens"].size());
    CHECK(swapped["heads"][0]["total_variation"].get<double>() > 0);
    const Json longer =
        jsonOf(with({"--text", "When Mary went", "--sparse-text", "When Mary and John went"}));
    CHECK(longer["rows"] == longer["tokens"].size());
    CHECK(longer["sparse_tokens"].size() == longer["tokens"].size() + 2);
    const Json same = jsonOf(with({"--text", "When Mary went", "--sparse-text", "When Mary went"}));
    CHECK_FALSE(same.contains("rows"));
    for (const Json& pair : same["heads"])
        CHECK(pair["total_variation"] == 0);
}

TEST_CASE("compare shows what an ablation does to the same model and prompt")
{
    const std::vector<std::string> both = {"compare",    "--dense", "demo:dense", "--sparse",
                                           "demo:dense", "--text",  kPrompt};
    auto cut = both, uncut = both;
    cut.insert(cut.end(), {"--sparse-ablate", "L0H3"});
    uncut.insert(uncut.end(), {"--ablate", "L0H3", "--sparse-ablate", "none"});
    const Json after = jsonOf(cut), before = jsonOf(uncut);
    CHECK(after["heads"][0]["total_variation"].get<double>() > 0);
    CHECK(after["heads"][0]["total_variation"] == before["heads"][0]["total_variation"]);
    for (const Json& pair : after["heads"])
        if (pair["layer"] == 0)
            CHECK(pair["total_variation"] == 0);
}
