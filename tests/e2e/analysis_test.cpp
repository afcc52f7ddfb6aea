#include "done.h"
#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <cmath>
#include <fstream>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

const std::string kClean = "When Mary and John went to the store , John gave a drink to";
const std::string kCorrupted = "When Mary and John went to the store , Mary gave a drink to";

Json attribute(const std::string& model, const std::string& share = "0.8")
{
    return jsonOf({"attribute", "--model", model, "--text", kClean, "--target", "Mary", "--versus", "John",
                   "--share", share});
}

std::vector<std::string> circuitOn(const std::string& model, const std::string& corrupted = kCorrupted,
                                   const std::string& target = "Mary", const std::string& versus = "John")
{
    return {"circuit", "--model",  model,  "--clean",  kClean, "--corrupt",
            corrupted, "--target", target, "--versus", versus};
}

double magnitude(const Json& rows)
{
    double sum = 0;
    for (const Json& row : rows)
        sum += std::abs(row["value"].get<double>());
    return sum;
}

int countReaching(const Json& curve, double mass)
{
    for (const Json& point : curve)
        if (point[1].get<double>() >= mass)
            return point[0];
    return -1;
}

}  // namespace

TEST_CASE("attribute says where a logit comes from, to the last part")
{
    const Json json = attribute(GENERATE(as<std::string>(), "demo:dense", "demo:sparse"));
    double sum = 0;
    for (const Json& part : json["parts"])
        sum += part["value"].get<double>();
    CHECK(sum == Approx(json["logit"].get<double>()).epsilon(1e-4));
    CHECK(json["target"]["text"] == "Mary");
    CHECK(json["target"]["prob"].get<double>() > 0.9);
    CHECK(json["position"].get<std::size_t>() == json["tokens"].size() - 1);
    CHECK(json["heads"].size() == json["cumulative"]["heads"].size());
    CHECK(json["edges"].size() <= 1000);
    CHECK(json["edges"].size() <= json["edges_total"].get<std::size_t>());
    for (const char* units : {"heads", "edges"})
        CHECK(json["cumulative"][units].back()[1].get<double>() == Approx(1));
    for (const char* key : {"layer", "head", "query", "key", "value"})
        CHECK(json["edges"][0].contains(key));

    CHECK(magnitude(json["smallest"]) >= 0.8 * magnitude(json["heads"]));
    for (const Json& head : json["smallest"]) {
        CHECK(magnitude(head["cells"]) >= 0.9 * std::abs(head["value"].get<double>()));
        for (const Json& cell : head["cells"])
            CHECK(cell["query"] == json["position"]);
    }
}

TEST_CASE("the sparse model reads its answer from fewer heads and cells than the dense one")
{
    const Json dense = attribute("demo:dense");
    const Json sparse = attribute("demo:sparse");
    CHECK(sparse["smallest"].size() < dense["smallest"].size());
    CHECK(2 * countReaching(sparse["cumulative"]["edges"], 0.8) <
          countReaching(dense["cumulative"]["edges"], 0.8));
    CHECK(attribute("demo:dense", "0.5")["smallest"].size() < dense["smallest"].size());
}

TEST_CASE("attribute reads a position, ablations, and ids where there is no tokenizer")
{
    const std::vector<std::string> plain = {"attribute", "--model",    golden("llama-grouped").string(),
                                            "--tokens",  "3,14,15,9",  "--target",
                                            "12",        "--position", "2"};
    const Json json = jsonOf(plain);
    CHECK(json["position"] == 2);
    CHECK(json["target"]["id"] == 12);
    CHECK(json["versus"].is_null());
    for (const Json& edge : json["edges"])
        CHECK(edge["key"].get<int>() <= 2);
    std::vector<std::string> ablated = plain;
    ablated.insert(ablated.end(), {"--ablate", "L1H*"});
    const Json without = jsonOf(ablated);
    for (const Json& head : without["heads"])
        CHECK((head["value"] == 0) == (head["layer"] == 1));
}

TEST_CASE("circuit ranks heads and says how few explain the effect")
{
    const TempDir folder;
    const std::string file = (folder / "circuit.json").string();
    std::vector<std::string> arguments = circuitOn("demo:sparse");
    arguments.insert(arguments.end(), {"--level", "0.5", "--units", "heads", "--json", file});
    const Outcome outcome = headscope(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    CHECK(outcome.out.empty());
    const Json json = Json::parse(std::ifstream(file));
    CHECK(json["level"] == 0.5);
    CHECK(json["curve"].front() == Json({0, 0.0}));
    CHECK(json["curve"].back()[0].get<std::size_t>() == json["units"].size());
    CHECK(json["curve"].back()[1].get<double>() == Approx(1).margin(1e-5));
    CHECK(json["curve"][json["smallest"].get<std::size_t>()][1].get<double>() >= 0.5);
    const Json& baseline = json["baseline"];
    CHECK(baseline["clean"].get<double>() > 5);
    CHECK(baseline["corrupted"].get<double>() < -5);
    CHECK(baseline["none_kept"].get<double>() == Approx(baseline["corrupted"].get<double>()).epsilon(1e-5));
    for (const char* key : {"layer", "head", "effect"})
        CHECK(json["units"][0].contains(key));
}

TEST_CASE("the sparse model's circuit has fewer heads than the dense one's")
{
    const int dense = jsonOf(circuitOn("demo:dense"))["smallest"];
    const int sparse = jsonOf(circuitOn("demo:sparse"))["smallest"];
    CHECK(sparse < dense);
}

TEST_CASE("an analysis that is set up wrongly is refused in one sentence")
{
    const std::string model = "demo:sparse";
    const auto attributed = [&](const std::string& target, std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"attribute", "--model", model, "--text", kClean, "--target", target});
        return headscope(more);
    };
    requireRefusal(attributed("Mary John"), "choose one of them");
    requireRefusal(attributed("xylophone"), "choose another word");
    requireRefusal(attributed(""), "give a word");
    requireRefusal(attributed("Mary", {"--versus", "Mary"}), "same token");
    requireRefusal(attributed("Mary", {"--position", "99"}), "position 99");
    requireRefusal(
        headscope({"attribute", "--model", golden("gpt2").string(), "--tokens", "1,2", "--target", "Mary"}),
        "token id");

    requireRefusal(headscope(circuitOn(model, "When Mary and John went")), "same number");
    requireRefusal(headscope(circuitOn(model, kClean)), "are the same");
    requireRefusal(headscope(circuitOn(model, kCorrupted, "xylophone")), "choose another word");
    requireRefusal(headscope(circuitOn(model, kCorrupted, "Mary", "Mary")), "same token");

    CHECK(attributed("Mary", {"--share", "1.5"}).exitCode == 2);
    CHECK(attributed("Mary", {"--position", "-1"}).exitCode == 2);
    CHECK(headscope({"attribute", "--model", model, "--text", kClean}).exitCode == 2);
    CHECK(headscope(
              {"circuit", "--model", model, "--clean", kClean, "--corrupt", kCorrupted, "--target", "Mary"})
              .exitCode == 2);
}
