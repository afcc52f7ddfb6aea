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
    CHECK(printedFor(questionOf(backend, service::AnalysisKind::Lens)).contains("layers"));
}
