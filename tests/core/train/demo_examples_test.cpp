#include "base/json.h"
#include "engine/request/gate_choice.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "text/tokenizer.h"

#include <fstream>
#include <set>
#include <sstream>

using namespace hs;

namespace {

const char* const kGreaterThan = "Greater than";

/// The menu's groups for the demo pair.
std::vector<Json> demoGroups()
{
    const Json file = Json::parse(std::ifstream(HS_SOURCE_DIR "/resources/prompts.json"));
    std::vector<Json> groups;
    for (const Json& group : file["groups"])
        if (group["for"] == "demo")
            groups.push_back(group);
    return groups;
}

/// 32 in "from the year 17 32 to the year 17".
int startYear(const std::string& text)
{
    std::istringstream words(text.substr(text.find("from the year")));
    std::string word;
    int century = 0;
    int year = 0;
    words >> word >> word >> word >> century >> year;
    return year;
}

/// Whether a word answers the example's "text", whose answer is in "target", or its "corrupted" prompt,
/// whose answer is in "distractor".
bool isRight(const std::string& word, const Json& group, const Json& example, bool isCorrupted = false)
{
    if (group["title"] != kGreaterThan)
        return word == example[isCorrupted ? "distractor" : "target"].get<std::string>();
    const bool isNumber = word.find_first_not_of("0123456789") == std::string::npos;
    return isNumber && std::stoi(word) > startYear(example[isCorrupted ? "corrupted" : "text"]);
}

}  // namespace

TEST_CASE("the demo pair answers every example that it offers, and its corrupted prompt otherwise")
{
    for (const char* const name : {"demo-dense", "demo-sparse"}) {
        const std::filesystem::path folder = std::filesystem::path(HS_SOURCE_DIR) / "resources/models" / name;
        const std::shared_ptr<const text::Tokenizer> tokenizer = test::value(text::Tokenizer::load(folder));
        engine::RunRequest request;
        request.model = test::openModel(folder);
        request.gate = engine::chooseGate({}, request.model->spec().gateBias);
        engine::Engine engine;
        for (const Json& group : demoGroups())
            for (const Json& example : group["examples"]) {
                const auto answerTo = [&](const char* prompt) {
                    request.tokens = test::value(tokenizer->encode(example[prompt].get<std::string>())).ids;
                    const engine::RunResult run = test::value(engine.run(request));
                    return tokenizer->tokenText(run.predictions.front().token);
                };
                CAPTURE(name, example.dump(), answerTo("text"), answerTo("corrupted"));
                CHECK(isRight(answerTo("text"), group, example));
                CHECK(isRight(answerTo("corrupted"), group, example, true));
            }
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
            CHECK(isRight(example["distractor"], group, example, true));
        }
    }
    CHECK(titles == std::set<std::string>{"Indirect objects", kGreaterThan, "Opposites", "Addition",
                                          "Repeats", "Agreement"});
}
