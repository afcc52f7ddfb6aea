#include "analyses/analysis_json.h"
#include "base/shell_words.h"
#include "engine/request/gate_choice.h"
#include "program.h"
#include "service/command_words.h"
#include "service/engine_backend.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

using namespace hs;
using namespace hs::test;

namespace {

/// A question to one of the demo models, or to both.
service::AnalysisRequest questionOf(service::EngineBackend& backend, service::AnalysisKind kind)
{
    service::AnalysisRequest request;
    request.kind = kind;
    request.side.model = orThrow(backend.open({"demo:sparse"}, {}));
    request.side.prompt = kPrompt;
    request.side.gate = engine::chooseGate({}, request.side.model->ownGateBias);
    request.side.target = "Mary";
    request.side.distractor = "John";
    request.side.ablations[{1, 2}] = orThrow(parseHeadChange("[6-8<1-2]:renormalise"));
    return request;
}

Json printedFor(const service::AnalysisRequest& request)
{
    std::vector<std::string> words = shellWords(orThrow(service::commandOf(request)));
    REQUIRE(words.front() == "headscope");
    words.erase(words.begin());
    words.insert(words.end(), {"--json", "-"});
    const Outcome outcome = headscope(words);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return Json::parse(outcome.out);
}

}  // namespace

TEST_CASE("a copied command, run, prints what the window's analysis found")
{
    service::EngineBackend backend;
    const auto sweepRequest = questionOf(backend, service::AnalysisKind::Sweep);
    const auto sweep = std::get<analyses::Sweep>(orThrow(backend.analyse(sweepRequest, {}, {})));
    const Json swept = printedFor(sweepRequest)["prompts"][0];
    for (std::size_t unit = 0; unit < sweep.units.size(); ++unit)
        CHECK(swept["changes"][unit]["logit_diff"].get<double>() ==
              Approx(sweep.changes[unit].logitDifference).margin(1e-5));

    const auto attributeRequest = questionOf(backend, service::AnalysisKind::Attribution);
    const auto attribution =
        std::get<engine::Attribution>(orThrow(backend.analyse(attributeRequest, {}, {})));
    const Json attributed = printedFor(attributeRequest);
    const Json mine = analyses::toJson(attribution);
    for (const char* const total : {"total", "logit", "sum"})
        if (mine.contains(total))
            CHECK(attributed[total].get<double>() == Approx(mine[total].get<double>()).margin(1e-5));

    auto flowRequest = questionOf(backend, service::AnalysisKind::Flow);
    flowRequest.threshold = 0.25;
    const auto flow = std::get<stats::TokenFlow>(orThrow(backend.analyse(flowRequest, {}, {})));
    CHECK(printedFor(flowRequest)["edges"].size() == analyses::toJson(flow)["edges"].size());
}

TEST_CASE("each kind of copied command is one that the program takes")
{
    service::EngineBackend backend;
    auto circuit = questionOf(backend, service::AnalysisKind::Circuit);
    circuit.side.ablations.clear();
    circuit.corrupted = "When Anna and John went to the store , John gave a drink to";
    CHECK(printedFor(circuit).contains("units"));
    auto scatter = questionOf(backend, service::AnalysisKind::Scatter);
    scatter.heads = {{0, 0}, {4, 3}};
    CHECK_FALSE(printedFor(scatter).empty());
    auto compare = questionOf(backend, service::AnalysisKind::Compare);
    compare.other = compare.side;
    CHECK_FALSE(printedFor(compare).empty());
    compare.other->prompt = "When John and Mary went to the store , Mary gave a drink to";
    compare.other->ablations.clear();
    const auto found = std::get<analyses::Comparison>(orThrow(backend.analyse(compare, {}, {})));
    const Json printed = printedFor(compare);
    CHECK(printed["rows"] == found.rows);
    CHECK(printed["heads"][0]["name"] == toString(found.pairs.front().head));
    CHECK(printed["heads"][0]["total_variation"].get<double>() ==
          Approx(found.pairs.front().distance.totalVariation).margin(1e-5));
    auto lens = questionOf(backend, service::AnalysisKind::Lens);
    lens.lens.withHalves = true;
    CHECK(printedFor(lens).contains("layers"));
}

TEST_CASE("a copied graph has the window's nodes, and the heads of an edge their loads")
{
    service::EngineBackend backend;
    auto request = questionOf(backend, service::AnalysisKind::Graph);
    const auto found = std::get<service::FeatureGraph>(orThrow(backend.analyse(request, {}, {})));
    const Json graph = printedFor(request);
    CHECK(graph["nodes"].size() + graph["headscope"]["nodes"].size() == found.graph.nodes.size());

    REQUIRE_FALSE(found.carried.empty());
    const features::GraphEdge& edge =
        found.graph.edges.at(static_cast<std::size_t>(found.carried.front().edge));
    request.kind = service::AnalysisKind::EdgeHeads;
    request.graph.sources = {features::idOf(found.graph.nodes.at(static_cast<std::size_t>(edge.source)))};
    request.graph.targets = {features::idOf(found.graph.nodes.at(static_cast<std::size_t>(edge.target)))};
    const auto heads = std::get<features::EdgeHeads>(orThrow(backend.analyse(request, {}, {})));
    const Json printed = printedFor(request)["heads"];
    REQUIRE(printed.size() == heads.loads.size());
    for (std::size_t head = 0; head < heads.loads.size(); ++head)
        CHECK(printed[head]["load"].get<double>() == Approx(heads.loads[head]).margin(1e-5));
}

TEST_CASE(
    "copied commands say how much each token counts, what a head writes and what each prompt of a set gives")
{
    service::EngineBackend backend;
    auto saliencyRequest = questionOf(backend, service::AnalysisKind::Saliency);
    saliencyRequest.lens.steps = 8;
    const auto saliency = std::get<engine::Saliency>(orThrow(backend.analyse(saliencyRequest, {}, {})));
    const Json tokens = printedFor(saliencyRequest)["tokens"];
    REQUIRE(tokens.size() == saliency.integrated.size());
    for (std::size_t token = 0; token < tokens.size(); ++token)
        CHECK(tokens[token]["integrated"].get<double>() == Approx(saliency.integrated[token]).margin(1e-5));

    auto wordsRequest = questionOf(backend, service::AnalysisKind::HeadWords);
    wordsRequest.heads = {{4, 3}};
    wordsRequest.side.position = 14;
    const auto words = std::get<service::HeadWords>(orThrow(backend.analyse(wordsRequest, {}, {})));
    const Json promoted = printedFor(wordsRequest)["promoted"];
    REQUIRE(promoted.size() == words.onPrompt.tokens.most.size());
    for (std::size_t word = 0; word < promoted.size(); ++word)
        CHECK(promoted[word]["logit"].get<double>() ==
              Approx(words.onPrompt.tokens.most[word].weight).margin(1e-5));

    auto setRequest = questionOf(backend, service::AnalysisKind::Prompts);
    setRequest.set.where = "task:opposites:6";
    const auto set = std::get<analyses::SetResult>(orThrow(backend.analyse(setRequest, {}, {})));
    const Json rows = printedFor(setRequest)["prompts"];
    REQUIRE(rows.size() == set.rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        CHECK(rows[row]["loss"].get<double>() == Approx(set.rows[row].sides[0].loss).margin(1e-5));
}
