#include "program.h"
#include "refusal.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

Json generationOf(std::vector<std::string> options, const std::string& model = "demo:dense")
{
    options.insert(options.begin(), {"run", "--model", model, "--text", kPrompt, "--top", "2"});
    const Outcome outcome = headscope(options);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return Json::parse(outcome.out);
}

}  // namespace

TEST_CASE("generated tokens have probabilities and runners-up, and make up the continuation")
{
    const Json json = generationOf({"--generate", "6"});
    REQUIRE(json["generated"].size() == 6);
    CHECK(json["stopped_by"] == "count");
    std::string text;
    for (const Json& token : json["generated"]) {
        text += token["text"].get<std::string>();
        REQUIRE(token["runners_up"].size() == 5);
        CHECK(token["prob"].get<double>() >= token["runners_up"][0]["prob"].get<double>());
    }
    CHECK(json["continuation"] == text);
    CHECK(json["generated"][0]["id"] == json["predictions"][0]["id"]);
    CHECK(json["generated"][0]["prob"].get<double>() ==
          Approx(json["predictions"][0]["prob"].get<double>()).epsilon(1e-5));
    CHECK(json["generated"][0]["runners_up"][0]["id"] == json["predictions"][1]["id"]);
}

TEST_CASE("a continuation that is drawn follows from its seed")
{
    const auto drawn = [](const char* seed) {
        return generationOf(
            {"--generate", "12", "--temperature", "1.5", "--top-k", "20", "--seed", seed})["generated"];
    };
    const Json first = drawn("7");
    CHECK(drawn("7") == first);
    CHECK(drawn("8") != first);
}

TEST_CASE("a continuation ends before a text it should stop at")
{
    const std::string whole = generationOf({"--generate", "8"})["continuation"];
    REQUIRE(whole.find('.') != std::string::npos);
    const Json stopped = generationOf({"--generate", "8", "--stop", "nowhere", "--stop", "."});
    CHECK(stopped["continuation"] == whole.substr(0, whole.find('.')));
    CHECK(stopped["generated"].back()["text"] == ".");
    CHECK(stopped["stopped_by"] == "stop_text");
}

TEST_CASE("heads are switched off from the step asked for")
{
    const Json plain = generationOf({"--generate", "4"});
    const Json late = generationOf({"--generate", "4", "--ablate", "L*H*", "--ablate-from", "2"});
    const Json all = generationOf({"--generate", "4", "--ablate", "L*H*"});
    for (int step = 0; step < 2; ++step)
        CHECK(late["generated"][step] == plain["generated"][step]);
    CHECK(late["generated"][2]["prob"] != plain["generated"][2]["prob"]);
    CHECK(all["generated"][0]["prob"] != plain["generated"][0]["prob"]);
}

TEST_CASE("compare says where the continuations of two models part, and which heads speak differently there")
{
    const Outcome outcome = headscope({"compare", "--text", kPrompt, "--generate", "12"});
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    const Json json = Json::parse(outcome.out)["continuations"];
    const std::size_t step = json["parting"]["step"];
    for (std::size_t before = 0; before < step; ++before)
        CHECK(json["dense"]["generated"][before]["id"] == json["sparse"]["generated"][before]["id"]);
    CHECK(json["dense"]["generated"][step]["id"] == json["parting"]["dense"]["id"]);
    CHECK(json["sparse"]["generated"][step]["id"] == json["parting"]["sparse"]["id"]);
    CHECK(json["parting"]["dense"]["id"] != json["parting"]["sparse"]["id"]);
    REQUIRE(json["parting"]["heads"].size() == 64);
    const auto apart = [&](int rank) {
        const Json& head = json["parting"]["heads"][rank];
        return std::abs(head["dense"].get<double>() - head["sparse"].get<double>());
    };
    CHECK(apart(0) > 5 * apart(32));
    CHECK(json["parting"]["heads"][0]["total_variation"].get<double>() <= 1);
    CHECK(json["dense"]["continuation"] == generationOf({"--generate", "12"})["continuation"]);

    const Outcome same =
        headscope({"compare", "--text", kPrompt, "--generate", "2", "--sparse", "demo:dense"});
    REQUIRE(same.exitCode == 0);
    CHECK(Json::parse(same.out)["continuations"]["parting"].is_null());
}

TEST_CASE("options of a continuation that mean nothing alone are refused")
{
    const auto refused = [](std::vector<std::string> options) {
        options.insert(options.begin(), {"run", "--model", "demo:dense", "--text", kPrompt});
        return headscope(options);
    };
    CHECK(refused({"--temperature", "1"}).exitCode == 2);
    CHECK(refused({"--generate", "2", "--top-k", "3"}).exitCode == 2);
    CHECK(refused({"--generate", "2", "--temperature", "-1"}).exitCode == 2);
    requireRefusal(refused({"--generate", "2", "--stop", ""}), "--stop");
}
