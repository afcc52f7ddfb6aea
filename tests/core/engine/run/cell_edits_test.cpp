#include "engine/load/model.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/fresh_run.h"
#include "support/mentions.h"
#include "support/models.h"
#include "support/patching.h"

#include <cmath>

using namespace hs;

namespace {

constexpr int kEditedTokens = 9;

engine::RunRequest shortRequest(const std::string& name)
{
    engine::RunRequest request;
    request.model = test::openOnce(name);
    for (int position = 0; position < kEditedTokens; ++position)
        request.tokens.push_back((position * 5 + 2) % request.model->spec().vocabulary);
    request.capture.logits = true;
    return request;
}

/// The request with heads changed as in "L0H1[4<2]:renormalise".
engine::RunRequest withChanges(engine::RunRequest request,
                               const std::vector<std::pair<HeadId, std::string>>& changes)
{
    for (const auto& [head, text] : changes) {
        const HeadChange change = test::value(parseHeadChange(text));
        request.ablations[head] = {change.kind, nullptr, nullptr, change.cells};
    }
    return request;
}

/// One in the middle of the layers, with a neighbour that shares its keys where heads do.
HeadId middleHead(const engine::RunRequest& request)
{
    return {request.model->spec().layers / 2, request.model->spec().heads - 1};
}

std::vector<float> editedPattern(const engine::RunRequest& request, HeadId head)
{
    engine::Engine engine;
    const engine::LayerMap maps =
        test::value(engine.layerMaps(request, head.layer, engine::MapKind::Weights));
    const float* const first =
        maps.get() + static_cast<std::ptrdiff_t>(head.head) * kEditedTokens * kEditedTokens;
    return {first, first + kEditedTokens * kEditedTokens};
}

double largestGap(const std::vector<float>& a, const std::vector<float>& b)
{
    REQUIRE(a.size() == b.size());
    double most = 0;
    for (std::size_t index = 0; index < a.size(); ++index)
        most = std::max(most, double(std::abs(a[index] - b[index])));
    return most;
}

}  // namespace

TEST_CASE("a head all of whose cells are cut writes what an ablated head writes")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        for (const bool isGated : {false, true}) {
            engine::RunRequest request = shortRequest(name);
            if (isGated)
                request.gate = engine::ScoreGate{0.1};
            const HeadId head = middleHead(request);
            REQUIRE((test::freshRun(withChanges(request, {{head, "[*<*]"}})).logits ==
                     test::freshRun(withChanges(request, {{head, "zero"}})).logits));
        }
    }
}

TEST_CASE("cells scaled by one are left as they are")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const engine::RunRequest request = shortRequest(name);
        const engine::RunResult plain = test::freshRun(request);
        const engine::RunResult scaled =
            test::freshRun(withChanges(request, {{middleHead(request), "[*<*]:scale=1"}}));
        REQUIRE((scaled.logits == plain.logits));
        REQUIRE(scaled.loss == plain.loss);
    }
}

TEST_CASE("a pattern is edited cell by cell")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const engine::RunRequest request = shortRequest(name);
        const HeadId head = middleHead(request);
        std::vector<float> expected = editedPattern(request, head);
        expected[6 * kEditedTokens + 2] = 0;
        expected[7 * kEditedTokens + 2] = 0;
        expected[5 * kEditedTokens + 5] *= 2;
        REQUIRE(largestGap(editedPattern(withChanges(request, {{head, "[6-7<2]:zero[5<5]:scale=2"}}), head),
                           expected) < 1e-6);
    }
}

TEST_CASE("renormalised rows sum to what they did")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        for (const bool isGated : {false, true}) {
            engine::RunRequest request = shortRequest(name);
            if (isGated)
                request.gate = engine::ScoreGate{0.1};
            const HeadId head = middleHead(request);
            const std::vector<float> before = editedPattern(request, head);
            const std::vector<float> after =
                editedPattern(withChanges(request, {{head, "[*<0]:renormalise"}}), head);
            for (int query = 0; query < kEditedTokens; ++query) {
                double was = 0, is = 0;
                for (int key = 0; key <= query; ++key) {
                    was += before[query * kEditedTokens + key];
                    is += after[query * kEditedTokens + key];
                }
                REQUIRE(after[query * kEditedTokens] == 0);
                const bool hasRest = was - before[query * kEditedTokens] > 1e-7;
                REQUIRE(std::abs(is - (hasRest ? was : 0)) < 1e-5);
            }
        }
    }
}

TEST_CASE("tiles and statistics are those of the edited pattern")
{
    for (const std::string name : {"gpt2", "llama-grouped"}) {
        const engine::RunRequest request = shortRequest(name);
        const HeadId head = middleHead(request);
        const engine::RunRequest cut = withChanges(request, {{head, "[*<0-1]"}});
        engine::RunRequest whole = cut;
        whole.capture.fullMaps = true;  // another way through the layer
        const engine::RunResult pooled = test::freshRun(cut);
        const engine::RunResult recorded = test::freshRun(whole);
        const HeadId other{head.layer, 0};
        for (const HeadId one : {head, other}) {
            REQUIRE(pooled.statsOf(one).density == recorded.statsOf(one).density);
            REQUIRE(std::equal(pooled.tileOf(one), pooled.tileOf(one) + pooled.tileCells(),
                               recorded.tileOf(one)));
        }
        REQUIRE(pooled.statsOf(head).density < test::freshRun(request).statsOf(head).density);
        REQUIRE(largestGap(pooled.logits, recorded.logits) < 1e-4);
    }
}

TEST_CASE("a run resumed from a cached layer has the cells that are cut now")
{
    for (const std::string name : {"gpt2", "qwen3"}) {
        const engine::RunRequest request = shortRequest(name);
        const HeadId head = middleHead(request);
        engine::Engine engine;
        int first = 0;
        for (const std::string change : {"[4<2]", "[4<2]:zero[5<1]", "[*<0]:renormalise", "zero", "[4<2]"}) {
            const engine::RunRequest now = withChanges(request, {{head, change}});
            const engine::RunResult resumed = test::value(engine.run(now));
            REQUIRE((resumed.logits == test::freshRun(now).logits));
            REQUIRE(resumed.firstLayerComputed == first);
            first = head.layer;
        }
    }
}

TEST_CASE("cells patched from another run carry what circuits patch")
{
    const engine::RunRequest request = shortRequest("gpt2");
    engine::RunRequest other = request;
    other.tokens[3] = 1;
    const auto source = test::outputsOf(other);
    const HeadId head = middleHead(request);
    engine::RunRequest edited = withChanges(request, {{head, "[6-7<2-3]:patch"}});
    edited.ablations[head].source = source;
    engine::RunRequest masked = request;
    masked.ablations[head] = {
        engine::HeadAblation::Kind::Replace, source,
        std::make_shared<const engine::CellMask>(engine::CellMask{{{6, 2}, {6, 3}, {7, 2}, {7, 3}}})};
    REQUIRE((test::freshRun(edited).logits == test::freshRun(masked).logits));
}

TEST_CASE("variants that cut cells give what runs of their own give")
{
    for (const std::string name : {"gpt2", "llama-grouped"}) {
        engine::VariantRequest request;
        request.run = shortRequest(name);
        request.run.capture.logits = false;
        request.target = 4;
        request.versus = 7;
        const HeadId head = middleHead(request.run);
        const std::vector<std::string> changes = {"[8<3]", "[*<0]", "[8<3]:renormalise", "zero",
                                                  "[6<6]:scale=2"};
        for (const std::string& change : changes)
            request.variants.push_back(withChanges(request.run, {{head, change}}).ablations);
        engine::Engine engine;
        const engine::VariantResult result = test::value(engine.runVariants(request));
        for (std::size_t index = 0; index < changes.size(); ++index) {
            INFO(name << " " << changes[index]);
            engine::RunRequest alone = request.run;
            alone.ablations = request.variants[index];
            alone.capture.watched = {request.target, *request.versus};
            const engine::RunResult run = test::freshRun(alone);
            REQUIRE(std::abs(result.variants[index].logit - run.watched[0].logit) < 1e-4);
            REQUIRE(std::abs(result.variants[index].loss - *run.loss) < 1e-4);
        }
    }
}

TEST_CASE("cells beyond the prompt are refused")
{
    const engine::RunRequest request = shortRequest("gpt2");
    for (const std::string change : {"[9<0]", "[*<9]", "[3-9<1]"}) {
        const auto result = engine::Engine().run(withChanges(request, {{{0, 0}, change}}));
        REQUIRE_FALSE(result);
        REQUIRE(test::mentions(result.error().message, "9 tokens"));
    }
}
