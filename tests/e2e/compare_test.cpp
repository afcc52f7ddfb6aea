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
