#include "program.h"
#include "refusal.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

Outcome lens(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "lens");
    const Outcome outcome = headscope(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return outcome;
}

Json lensJson(std::vector<std::string> arguments)
{
    arguments.insert(arguments.end(), {"--json", "-"});
    return Json::parse(lens(std::move(arguments)).out);
}

Json runJson(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "run");
    const Outcome outcome = headscope(arguments);
    REQUIRE(outcome.exitCode == 0);
    return Json::parse(outcome.out);
}

}  // namespace

TEST_CASE("lens says what a model would answer after each layer, and ends with what it answers")
{
    const std::string model = GENERATE(as<std::string>(), "demo:dense", "demo:sparse");
    INFO(model);
    const std::vector<std::string> prompt = {"--model", model, "--text", kPrompt, "--ablate", "L0H1"};
    std::vector<std::string> targeted = prompt;
    targeted.insert(targeted.end(), {"--target", "Mary", "--top", "3"});
    const Json json = lensJson(targeted);
    const Json predictions = runJson(prompt)["predictions"];
    const std::size_t tokens = json["tokens"].size();
    for (std::size_t layer = 0; layer < json["layers"].size(); ++layer) {
        CHECK(json["layers"][layer]["layer"] == layer);
        CHECK(json["layers"][layer]["positions"].size() == tokens);
    }
    const Json& last = json["layers"].back()["positions"].back();
    CHECK(last["position"] == tokens - 1);
    REQUIRE(last["top"].size() == 3);
    for (std::size_t index = 0; index < 3; ++index) {
        CHECK(last["top"][index]["id"] == predictions[index]["id"]);
        CHECK(last["top"][index]["text"] == predictions[index]["text"]);
        CHECK(last["top"][index]["prob"].get<double>() ==
              Approx(predictions[index]["prob"].get<double>()).margin(1e-6));
    }
    const auto& target = last["target"];
    const auto rank = target["rank"].get<std::size_t>();
    CHECK(predictions[rank - 1]["text"] == "Mary");
    CHECK(target["prob"].get<double>() == Approx(predictions[rank - 1]["prob"].get<double>()).margin(1e-6));
    CHECK(json["layers"][0]["positions"].back()["target"]["prob"].get<double>() <
          target["prob"].get<double>());
}

TEST_CASE("lens prints a table of one position, halves between the layers, for one model or two")
{
    const Outcome one = lens({"--model", "demo:sparse", "--text", kPrompt, "--target", "Mary", "--halves"});
    CHECK(one.out.starts_with("layer"));
    CHECK(one.out.find("\n0.5 ") != std::string::npos);
    CHECK(one.out.find("\"Mary\"") != std::string::npos);
    const Json layers =
        lensJson({"--model", "demo:sparse", "--text", kPrompt, "--halves", "--position", "3"})["layers"];
    CHECK(layers[1]["layer"] == 0.5);
    CHECK(layers[1]["positions"].size() == 1);
    CHECK(layers[1]["positions"][0]["position"] == 3);
    CHECK_FALSE(layers[1]["positions"][0].contains("target"));
    CHECK(static_cast<std::size_t>(std::ranges::count(one.out, '\n')) == layers.size() + 1);

    const std::vector<std::string> pair = {"--dense", "demo:dense", "--sparse", "demo:sparse",
                                           "--text",  kPrompt,      "--target", "Mary"};
    const Json both = lensJson(pair);
    CHECK(both["dense"]["layers"].size() == both["sparse"]["layers"].size());
    CHECK(lens(pair).out.find(both["sparse"]["model"].get<std::string>()) != std::string::npos);
}

TEST_CASE("lens says what a head moved to the answer and what its weights do with a token")
{
    const Json cell =
        lensJson({"--model", "demo:sparse", "--text", kPrompt, "--head", "L4H3", "--key", "10"});
    CHECK(cell["query"].get<std::size_t>() == cell["tokens"].size() - 1);
    CHECK(cell["weights"].size() == cell["tokens"].size());
    CHECK(cell["weight"] == cell["weights"][10]);
    CHECK(cell["promoted"].size() == 5);
    CHECK(cell["promoted"][0]["logit"].get<double>() > cell["suppressed"][0]["logit"].get<double>());
    CHECK(lens({"--model", "demo:sparse", "--text", kPrompt, "--head", "L4H3"}).out.find("holds down") !=
          std::string::npos);

    const Json weights =
        lensJson({"--model", "demo:sparse", "--head", "L4H3", "--token", "Mary", "--top", "3"});
    CHECK(weights["token"]["text"] == "Mary");
    CHECK(weights["writes"]["promoted"].size() == 3);
    CHECK(weights["looks_for"]["avoided"].size() == 3);

    const Json copying = lensJson({"--model", "demo:sparse", "--copying"})["heads"];
    CHECK(copying.size() == 64);
    for (const Json& head : copying)
        CHECK(std::abs(head["copying"].get<double>()) <= 1);
}

TEST_CASE("saliency adds up to the difference that the prompt makes")
{
    const Json json = lensJson({"--model", "demo:dense", "--text", kPrompt, "--saliency", "--target", "Mary",
                                "--versus", "John", "--steps", "50"});
    double sum = 0;
    for (const Json& token : json["tokens"]) {
        CHECK(token.contains("gradient_x_input"));
        sum += token["integrated"].get<double>();
    }
    const double difference = json["logit"].get<double>() - json["baseline_logit"].get<double>();
    CHECK(sum == Approx(json["sum"].get<double>()));
    CHECK(sum - difference == Approx(json["error"].get<double>()).margin(1e-9));
    CHECK(std::abs(sum - difference) < 0.02 * std::abs(difference));
}

TEST_CASE("flow --rollout adds one row of shares a token")
{
    const Outcome outcome = headscope({"flow", "--model", "demo:sparse", "--text", kPrompt, "--rollout"});
    REQUIRE(outcome.exitCode == 0);
    const Json json = Json::parse(outcome.out);
    CHECK(json["rollout"].size() == json["tokens"].size());
    for (const Json& row : json["rollout"]) {
        double sum = 0;
        for (const Json& share : row)
            sum += share.get<double>();
        CHECK(sum == Approx(1));
    }
}

TEST_CASE("questions that lens cannot answer are refused")
{
    const std::vector<std::string> prompt = {"lens", "--model", "demo:sparse", "--text", kPrompt};
    const auto refused = [&](std::vector<std::string> more, const std::string& why, int code) {
        std::vector<std::string> arguments = prompt;
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = headscope(arguments);
        INFO(outcome.err);
        CHECK(outcome.exitCode == code);
        CHECK(outcome.err.find(why) != std::string::npos);
    };
    refused({"--saliency"}, "--target", 1);
    refused({"--head", "L9H0"}, "no head L9H0", 1);
    refused({"--head", "L0H0", "--key", "99"}, "no position 99", 1);
    refused({"--head", "L0H0", "--token", "Mary"}, "--token", 2);
    refused({"--copying", "--head", "L0H0"}, "--copying", 2);
}
