#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>
#include <map>

using namespace hs;

namespace {

constexpr int kPosition = 8;

engine::RunRequest requestAtPosition(const std::string& golden)
{
    engine::RunRequest request;
    request.model = test::openGolden(golden);
    request.tokens = {3, 14, 15, 9, 26, 5, 3, 14, 58, 9, 7};
    request.capture.position = kPosition;
    request.capture.topK = request.model->spec().vocabulary;  // what is written to all of them
    return request;
}

std::map<std::int64_t, double> byToken(const engine::HeadWrite& write)
{
    std::map<std::int64_t, double> logits;
    for (const engine::TokenWeight& token : write.tokens.most)
        logits[token.token] = token.weight;
    return logits;
}

}  // namespace

TEST_CASE("what all heads write and the rest are the logit, in every architecture")
{
    const std::string name = GENERATE(from_range(test::goldenNames()));
    INFO(name);
    engine::RunRequest request = requestAtPosition(name);
    SECTION("as it is") {}
    SECTION("gated, with heads switched off")
    {
        request.gate = engine::ScoreGate{0.25};
        request.ablations[{0, 1}] = {};
        request.ablations[{1, 0}] = {engine::HeadAblation::Kind::Mean, {}};
        request.ablations[HeadId::mlpOf(0)] = {engine::HeadAblation::Kind::Mean, {}};
    }
    engine::Engine engine;
    std::map<std::int64_t, double> heads;
    for (const HeadId head : request.model->spec().headShape().all())
        for (const auto& [token, logit] : byToken(test::value(engine.headWrite(request, head))))
            heads[token] += logit;
    for (const std::int64_t token : {0, 12, 40}) {
        const engine::Attribution parts = test::value(engine.attribute({request, kPosition, token, {}}));
        double rest = 0;
        for (const engine::AttributionPart& part : parts.parts)
            rest += part.kind == engine::AttributionPart::Kind::Head ? 0 : part.value;
        CHECK(heads.at(token) + rest == Approx(parts.logit).epsilon(1e-4).margin(1e-4));
    }
}

TEST_CASE("a head and its cells write to every token what the attribution to that token finds")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "llama-grouped", "olmo2", "gemma2");
    INFO(name);
    const engine::RunRequest request = requestAtPosition(name);
    const HeadId head{1, 2};
    engine::Engine engine;
    const engine::HeadWrite whole = test::value(engine.headWrite(request, head));
    const engine::HeadWrite cell = test::value(engine.headWrite(request, head, 5));
    CHECK(whole.query == kPosition);
    CHECK_FALSE(whole.key);
    CHECK(cell.key == 5);
    const engine::LayerMap maps = test::value(engine.layerMaps(request, 1, engine::MapKind::Weights));
    for (std::size_t key = 0; key < request.tokens.size(); ++key)
        CHECK(whole.weights[key] == Approx(maps[(2 * 11 + kPosition) * 11 + key]).margin(1e-6));
    for (const std::int64_t token : {0, 12, 40}) {
        const engine::Attribution parts = test::value(engine.attribute({request, kPosition, token, {}}));
        const auto index = static_cast<std::size_t>(parts.shape.indexOf(head));
        CHECK(byToken(whole).at(token) == Approx(parts.heads[index]).epsilon(1e-4).margin(1e-5));
        double fromKey = 0;
        for (const engine::AttributionEdge& edge : parts.edges)
            fromKey += edge.head == head && edge.key == 5 ? edge.value : 0;
        CHECK(byToken(cell).at(token) == Approx(fromKey).epsilon(1e-4).margin(1e-5));
    }
}

TEST_CASE("an MLP writes to every token what the attribution to that token finds")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "gpt_neox-parallel", "olmo2", "gemma2");
    INFO(name);
    const engine::RunRequest request = requestAtPosition(name);
    engine::Engine engine;
    const engine::HeadWrite write = test::value(engine.headWrite(request, HeadId::mlpOf(1)));
    CHECK(write.weights.empty());
    for (const std::int64_t token : {0, 12, 40}) {
        const engine::Attribution found = test::value(engine.attribute({request, kPosition, token, {}}));
        const auto part = std::ranges::find_if(found.parts, [](const engine::AttributionPart& each) {
            return each.kind == engine::AttributionPart::Kind::Mlp && each.layer == 1;
        });
        REQUIRE(part != found.parts.end());
        CHECK(byToken(write).at(token) == Approx(part->value).epsilon(1e-4).margin(1e-5));
        REQUIRE(found.mlps.size() == static_cast<std::size_t>(found.shape.layers));
        CHECK(found.mlps[1].most.front().token == write.tokens.most.front().token);
        CHECK(found.mlps[1].least.front().token == write.tokens.least.front().token);
    }
}

TEST_CASE("tokens pushed come largest first, tokens held down most negative first, as many as asked for")
{
    engine::RunRequest request = requestAtPosition("qwen3");
    request.capture.topK = 4;
    const engine::PromotedTokens tokens = test::value(engine::Engine().headWrite(request, {0, 3})).tokens;
    REQUIRE(tokens.most.size() == 4);
    REQUIRE(tokens.least.size() == 4);
    for (std::size_t index = 1; index < 4; ++index) {
        CHECK(tokens.most[index - 1].weight >= tokens.most[index].weight);
        CHECK(tokens.least[index - 1].weight <= tokens.least[index].weight);
    }
    CHECK(tokens.least[3].weight < tokens.most[3].weight);
}

TEST_CASE("cells that write nothing are refused with what to do")
{
    engine::RunRequest request = requestAtPosition("gpt2");
    engine::Engine engine;
    const auto refusal = [&](HeadId head, std::optional<int> key) {
        const auto refused = engine.headWrite(request, head, key);
        REQUIRE_FALSE(refused);
        return refused.error().message;
    };
    CHECK(refusal({9, 0}, {}).find("no head L9H0") != std::string::npos);
    CHECK(refusal(HeadId::mlpOf(9), {}).find("no L9MLP") != std::string::npos);
    CHECK(refusal(HeadId::mlpOf(0), 1).find("has no pattern") != std::string::npos);
    CHECK(refusal({0, 0}, 9).find("earlier key") != std::string::npos);
    CHECK(refusal({0, 0}, 11).find("from 0 to 10") != std::string::npos);
    request.ablations[{0, 0}] = {};
    CHECK(refusal({0, 0}, 2).find("L0H0 is ablated") != std::string::npos);
    CHECK(byToken(test::value(engine.headWrite(request, {0, 0}))).at(4) == 0);
}
