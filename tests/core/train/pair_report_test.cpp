#include "train/pair_report.h"

#include "support/catch.h"
#include "text/tokenizer_parts.h"
#include "train/model_pairs.h"
#include "train/task_suite.h"
#include "train/task_tokenizer.h"

#include <cmath>

using namespace hs;

namespace {

train::HeldOutMeasure measured(double density)
{
    train::HeldOutMeasure measure;
    measure.groups.resize(1);
    measure.groups[0].agreement = 0.875;
    measure.crossEntropy = 2.5 + density;
    measure.divergence = 0.25;
    measure.density = density;
    measure.headDensity = {density, 2 * density, 3 * density, 0, density / 2, density};
    measure.heads = 6;
    measure.headsEverActive = 5;
    measure.meanHeadsActive = 4.5;
    measure.mostHeadsActive = 5;
    return measure;
}

train::PairReport sample()
{
    train::PairReport report;
    report.models = {{{"dense", {2, 3, 3}, {}}, {"sparse", {2, 3, 3}, 0.5}}};
    report.source = "a text";
    report.tokens = 3000;
    for (const char* const first : {"<s>", ""})
        for (const int length : {16, 64, 255, 1024})
            report.texts.push_back({first, length, 8, {measured(0.25), measured(1.0 / length)}});
    train::TaskReport task;
    task.task = text::PairTask::Opposites;
    task.prompts = 20;
    task.scores = {{{1, 0.75, 4.5}, {0.5, 0.25, 1.5}}};
    task.pairs = {0, 3};
    task.heads.sizes = {{{10, 20}, {4, 6}}};
    task.edges.sizes = {{{100, 300}, {5, 5}}};
    report.tasks.push_back(task);
    train::TaskReport none;
    none.task = text::PairTask::GreaterThan;
    none.problem = "This tokenizer has no years.";
    report.tasks.push_back(none);
    report.moved = {4, 255, {{{1, 2}, 0.5}, {{0, 0}, 0.01}}};
    report.seconds = {{"loading", 1.5}, {"text", 2}};
    return report;
}

std::shared_ptr<const text::Tokenizer> reportTokenizer()
{
    return std::make_shared<const text::Tokenizer>(
        text::makeTokenizerParts(Json::parse(train::taskTokenizerJson())));
}

}  // namespace

TEST_CASE("a report read back says the same")
{
    const Json json = train::toJson(sample());
    CHECK(train::toJson(train::pairReportFrom(json, "report.json")) == json);
    for (const char* const field : {"passages", "tasks", "dense", "level"}) {
        Json broken = json;
        broken.erase(field);
        CHECK_THROWS_AS(train::pairReportFrom(broken, "report.json"), Failure);
    }
    CHECK(json["tasks"][0]["circuit_heads"]["factor"] == 3);
    CHECK(json["tasks"][0]["circuit_edges"]["factor"] == 40);
    CHECK(json["tasks"][1]["left_out"] == "This tokenizer has no years.");
    CHECK(json["passages"][0]["dense"]["density_by_layer"] == Json({0.5, 0.125}));
}

TEST_CASE("models are judged at the longest of the usual lengths, once for each beginning")
{
    const train::PairReport report = sample();
    const auto judged = report.judged();
    REQUIRE(judged.size() == 2);
    for (const train::TextReport* const text : judged)
        CHECK(text->length == 255);
    CHECK(judged[0]->firstToken == "<s>");
    CHECK(judged[1]->firstToken.empty());
}

TEST_CASE("circuits of no pair have no factor")
{
    CHECK(std::isnan(train::CircuitReport().factor()));
    CHECK(std::isnan(train::CircuitReport{{{{3}, {0}}}}.factor()));
    CHECK(train::CircuitReport{{{{3, 5}, {2, 2}}}}.factor() == 2);
}

TEST_CASE("a tokenizer with the words of the built-in tasks gets their held-out pairs")
{
    const auto tokenizer = reportTokenizer();
    CHECK(train::knowsTaskWords(*tokenizer));
    const train::TaskSuite suite;
    const auto pairs = train::modelPairs(*tokenizer, text::PairTask::GreaterThan, 5, 1);
    REQUIRE(pairs);
    for (std::size_t number = 0; number < 5; ++number) {
        const train::TaskPair pair = suite.pair(train::Task::GreaterThan, number);
        CHECK((*pairs)[number].clean == pair.cleanText);
        CHECK((*pairs)[number].corrupted == pair.corruptedText);
        CHECK((*pairs)[number].answers.size() ==
              static_cast<std::size_t>(pair.answer.last - pair.answer.first + 1));
        const auto& answers = (*pairs)[number].answers;
        CHECK(std::count(answers.begin(), answers.end(), (*pairs)[number].target) == 1);
        CHECK(std::count(answers.begin(), answers.end(), (*pairs)[number].versus) == 0);
    }
    CHECK(*train::modelPairs(*tokenizer, text::PairTask::GreaterThan, 5, 2) != *pairs);
}
