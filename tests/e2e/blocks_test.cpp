#include "done.h"
#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/npz.h"
#include "support/temp_dir.h"

#include <fstream>

using namespace hs::test;
using Json = nlohmann::json;

TEST_CASE("a run's maps are of blocks, named, while predictions and loss stay those of its tokens")
{
    const TempDir folder;
    const std::string npz = (folder / "run.npz").string();
    const Json plain = jsonOf({"run", "--model", "demo:dense", "--text", kPrompt});
    const Json run = jsonOf({"run", "--model", "demo:dense", "--text", kPrompt, "--blocks",
                             "1-4=who,5-8=where,10-14", "--json", "-", "--npz", npz});
    // Where whole maps are wanted, sums are made in another order.
    REQUIRE(run["predictions"].size() == plain["predictions"].size());
    for (std::size_t rank = 0; rank < run["predictions"].size(); ++rank) {
        CHECK(run["predictions"][rank]["id"] == plain["predictions"][rank]["id"]);
        CHECK(run["predictions"][rank]["logit"].get<double>() ==
              Approx(plain["predictions"][rank]["logit"].get<double>()).margin(1e-4));
    }
    CHECK(run["loss"].get<double>() == Approx(plain["loss"].get<double>()).margin(1e-5));
    CHECK(run["tokens"] == plain["tokens"]);
    REQUIRE(run["blocks"].size() == 5);
    CHECK(run["blocks"][1] == Json{{"text", "who"}, {"first", 1}, {"last", 4}});
    CHECK_FALSE(plain.contains("blocks"));

    // The file is one that view and all commands on maps open.
    const Json maps = jsonOf({"edges", "--model", npz, "--key", "1", "--query", "2", "--min", "0"});
    const Json edges = jsonOf({"edges", "--model", "demo:dense", "--text", kPrompt, "--blocks",
                               "1-4=who,5-8=where,10-14", "--key", "1", "--query", "2", "--min", "0"});
    CHECK(maps["key_token"]["text"] == "who");
    CHECK(edges["key_token"]["text"] == "who");
    REQUIRE(maps["heads"].size() == edges["heads"].size());
    for (std::size_t head = 0; head < maps["heads"].size(); ++head)
        CHECK(maps["heads"][head]["weight"].get<double>() ==
              Approx(edges["heads"][head]["weight"].get<double>()).margin(1e-6));
}

TEST_CASE("blocks of a chat are its messages, and metrics, comparisons and flow are of them")
{
    const TempDir folder;
    const std::string chat = (folder / "chat.json").string();
    std::ofstream(chat) << R"([{"role": "user", "content": "When Mary and John went"},
                              {"role": "assistant", "content": "to the store"},
                              {"role": "user", "content": "John gave"}])";
    const auto of = [&](std::vector<std::string> command) {
        command.insert(command.end(),
                       {"--chat", chat, "--chat-template", "gemma3", "--blocks", "messages", "--json", "-"});
        return jsonOf(command);
    };
    const Json metrics = of({"metrics", "--model", "demo:dense"});
    CHECK(metrics["heads"].size() == 64);
    const Json compared = of({"compare"});
    REQUIRE(compared["blocks"].size() == 5);
    CHECK(compared["blocks"][1]["text"] == "user 1");
    CHECK(compared["heads"].size() == 64);
    const Json flow = of({"flow", "--model", "demo:dense", "--threshold", "0"});
    for (const Json& edge : flow["edges"])
        CHECK(edge["query"].get<int>() < 5);
}

TEST_CASE("blocks that cannot be are refused with what can")
{
    requireRefusal(
        headscope({"metrics", "--model", "demo:dense", "--text", kPrompt, "--blocks", "paragraphs"}),
        "names no blocks");
    requireRefusal(headscope({"metrics", "--model", "demo:dense", "--text", kPrompt, "--blocks", "messages"}),
                   "The prompt is no chat");
    requireRefusal(headscope({"edges", "--model", "demo:dense", "--text", kPrompt, "--blocks", "1-13",
                              "--key", "0", "--query", "9"}),
                   "There is no block 9 among the 3");
    requireRefusal(headscope({"compare", "--report", "--text", kPrompt, "--blocks", "words"}),
                   "A report is of tokens");
}
