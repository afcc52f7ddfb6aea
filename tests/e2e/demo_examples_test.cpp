#include "program.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <sstream>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

const char* const kGreaterThan = "Greater than";

/// The groups of the menu that are for the demo pair.
std::vector<Json> demoGroups()
{
    const Json file = Json::parse(std::ifstream(HS_SOURCE_DIR "/resources/prompts.json"));
    std::vector<Json> groups;
    for (const Json& group : file["groups"])
        if (group["for"] == "demo")
            groups.push_back(group);
    return groups;
}

/// 32 of "from the year 17 32 to the year 17".
int startYear(const std::string& text)
{
    std::istringstream words(text.substr(text.find("from the year")));
    std::string word;
    int century = 0;
    int year = 0;
    words >> word >> word >> word >> century >> year;
    return year;
}

bool isRight(const std::string& word, const Json& group, const Json& example)
{
    if (group["title"] != kGreaterThan)
        return word == example["target"];
    const bool isNumber = word.find_first_not_of("0123456789") == std::string::npos;
    return isNumber && std::stoi(word) > startYear(example["text"]);
}

}  // namespace

TEST_CASE("the demo pair answers every example that it offers")
{
    for (const std::string model : {"demo:dense", "demo:sparse"})
        for (const Json& group : demoGroups())
            for (const Json& example : group["examples"]) {
                CAPTURE(model, example.dump());
                const Outcome outcome = headscope({"run", "--model", model, "--text", example["text"]});
                INFO(outcome.err);
                REQUIRE(outcome.exitCode == 0);
                const std::string best = Json::parse(outcome.out)["predictions"][0]["text"];
                CAPTURE(best);
                CHECK(isRight(best, group, example));
            }
}

TEST_CASE("the demo's examples show every built-in task, a few of each, with right and wrong words")
{
    std::set<std::string> titles;
    for (const Json& group : demoGroups()) {
        titles.insert(group["title"].get<std::string>());
        CHECK(group["examples"].size() >= 3);
        CHECK(group["examples"].size() <= 5);
        for (const Json& example : group["examples"]) {
            CAPTURE(example.dump());
            CHECK(isRight(example["target"], group, example));
            CHECK_FALSE(isRight(example["distractor"], group, example));
        }
    }
    CHECK(titles == std::set<std::string>{"Indirect objects", kGreaterThan, "Opposites", "Addition",
                                          "Repeats", "Agreement"});
}
