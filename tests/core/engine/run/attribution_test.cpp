#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/patching.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace hs;

namespace {

using PartKind = engine::AttributionPart::Kind;

const std::vector<std::int64_t> kTokens = {3, 14, 15, 9, 26, 5, 3, 14, 58, 9, 7};

engine::AttributionRequest attributionRequest(std::shared_ptr<const engine::Model> model)
{
    engine::AttributionRequest request;
    request.run.model = std::move(model);
    request.run.tokens = kTokens;
    request.target = test::kTarget;
    return request;
}

/// A model with random weights and a golden model's architecture with a change.
std::shared_ptr<const engine::Model> variant(const std::string& golden,
                                             const std::function<void(model::ArchSpec&)>& change)
{
    model::ArchSpec spec = test::openGolden(golden)->spec();
    change(spec);
    return test::value(engine::randomModel(spec, 7, test::testOptions()));
}

double sumOfParts(const engine::Attribution& attribution)
{
    double sum = 0;
    for (const engine::AttributionPart& part : attribution.parts)
        sum += part.value;
    return sum;
}

double finalBias(const engine::Attribution& attribution)
{
    const engine::AttributionPart& last = attribution.parts.back();
    return last.kind == PartKind::FinalBias ? last.value : 0;
}

std::vector<double> sumsOfEdges(const engine::Attribution& attribution)  // [layer * head]
{
    std::vector<double> sums(attribution.heads.size());
    for (const engine::AttributionEdge& edge : attribution.edges)
        sums[static_cast<std::size_t>(attribution.shape.indexOf(edge.head))] += edge.value;
    return sums;
}

/// The sums that hold in any run, whatever the model.
void requireSums(const engine::AttributionRequest& request)
{
    engine::Engine engine;
    const engine::Attribution attribution = test::value(engine.attribute(request));
    REQUIRE(attribution.heads.size() == static_cast<std::size_t>(attribution.shape.total()));
    CHECK(std::abs(sumOfParts(attribution) - attribution.logit) <= 1e-4 * std::abs(attribution.logit));
    const std::vector<double> sums = sumsOfEdges(attribution);
    for (int index = 0; index < attribution.shape.total(); ++index) {
        const HeadId head = attribution.shape.at(index);
        INFO(toString(head));
        const auto at = static_cast<std::size_t>(index);
        const bool isAblated = request.run.ablations.contains(head);
        CHECK(sums[at] == Approx(isAblated ? 0 : attribution.heads[at]).epsilon(1e-4).margin(1e-6));
    }

    engine::RunRequest run = request.run;
    run.capture.watched = {request.target, request.versus.value_or(request.target)};
    run.capture.position = attribution.position;
    const engine::RunResult result = test::value(engine.run(run));
    CHECK(attribution.probability == Approx(result.watched[0].probability));
    const std::optional<double> cap = request.run.model->spec().logitCap;
    const auto beforeCap = [&](double logit) { return cap ? *cap * std::atanh(logit / *cap) : logit; };
    CHECK(attribution.isBeforeCap == cap.has_value());
    CHECK(attribution.logit == Approx(beforeCap(result.watched[0].logit) -
                                      (request.versus ? beforeCap(result.watched[1].logit) : 0))
                                   .epsilon(cap ? 1e-4 : 1e-5)
                                   .margin(1e-5));
}

/// Switches one head of the last layer off. If the MLP does not see it, the last residual loses only what
/// the head wrote, so every logit loses the head's contribution; the norm then scales the rest, except for
/// the final norm's bias, by one factor.
void requireBruteForce(std::shared_ptr<const engine::Model> model, HeadId head)
{
    const auto vocabulary = static_cast<std::size_t>(model->spec().vocabulary);
    engine::AttributionRequest request = attributionRequest(std::move(model));
    engine::RunRequest ablated = request.run;
    ablated.ablations[head] = {};
    ablated.capture.logits = true;
    engine::Engine engine;
    const engine::RunResult without = test::value(engine.run(ablated));
    const float* const logits = without.logits.data() + (kTokens.size() - 1) * vocabulary;

    std::vector<double> left, wanted;
    double largestHead = 0;
    for (std::size_t token = 0; token < vocabulary; ++token) {
        request.target = static_cast<std::int64_t>(token);
        const engine::Attribution attribution = test::value(engine.attribute(request));
        const double value = attribution.heads[static_cast<std::size_t>(attribution.shape.indexOf(head))];
        largestHead = std::max(largestHead, std::abs(value));
        left.push_back(logits[token] - finalBias(attribution));
        wanted.push_back(attribution.logit - finalBias(attribution) - value);
    }
    double product = 0, square = 0;
    for (std::size_t token = 0; token < vocabulary; ++token) {
        product += left[token] * wanted[token];
        square += wanted[token] * wanted[token];
    }
    for (std::size_t token = 0; token < vocabulary; ++token)
        REQUIRE(left[token] == Approx(wanted[token] * product / square).margin(1e-3 * largestHead));
}

std::string refusal(const engine::AttributionRequest& request)
{
    engine::Engine engine;
    const auto refused = engine.attribute(request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::BadRequest);
    return refused.error().message;
}

}  // namespace

TEST_CASE("parts add up to the logit and cells to their head, in every architecture")
{
    const std::string name = GENERATE(from_range(test::goldenNames()));
    INFO(name);
    engine::AttributionRequest request = attributionRequest(test::openGolden(name));
    SECTION("as it is") {}
    SECTION("against another token, in the middle of the prompt")
    {
        request.position = 4;
        request.versus = test::kVersus;
    }
    SECTION("gated")
    {
        request.run.gate = engine::ScoreGate{0.25};
    }
    SECTION("with heads switched off")
    {
        request.run.ablations[{0, 1}] = {engine::HeadAblation::Kind::Zero, {}};
        request.run.ablations[{1, 0}] = {engine::HeadAblation::Kind::Mean, {}};
        request.run.ablations[HeadId::mlpOf(1)] = {engine::HeadAblation::Kind::Mean, {}};
        request.versus = test::kVersus;
    }
    requireSums(request);
}

TEST_CASE("parts add up where norms, biases and places meet in ways of no golden model")
{
    const bool isParallel = GENERATE(false, true);
    const bool isNormBefore = GENERATE(false, true);
    const bool isNormAfter = GENERATE(false, true);
    const std::string name = GENERATE(as<std::string>(), "gpt2", "llama-grouped", "gpt_neox-serial");
    INFO(name << (isParallel ? " parallel" : "") << (isNormBefore ? " norm before" : "")
              << (isNormAfter ? " norm after" : ""));
    engine::AttributionRequest request = attributionRequest(variant(name, [&](model::ArchSpec& spec) {
        spec.hasParallelResidual = isParallel;
        spec.normBefore = isNormBefore;
        spec.normAfter = isNormAfter;
    }));
    request.versus = test::kVersus;
    requireSums(request);
}

TEST_CASE("switching a head off for good takes its contribution from every logit")
{
    for (const int head : {0, 2})
        requireBruteForce(test::openGolden("gpt_neox-parallel"), {1, head});
    const std::string name = GENERATE(as<std::string>(), "gpt2", "llama-grouped", "qwen2", "olmo");
    INFO(name);
    const std::shared_ptr<const engine::Model> model =
        variant(name, [](model::ArchSpec& spec) { spec.hasParallelResidual = true; });
    for (const int head : {0, 3, 5})
        requireBruteForce(model, {model->spec().layers - 1, head});
}

TEST_CASE("a difference of logits is made of the differences of the parts")
{
    engine::AttributionRequest request = attributionRequest(test::openGolden("olmo2"));
    engine::Engine engine;
    const engine::Attribution target = test::value(engine.attribute(request));
    request.target = test::kVersus;
    const engine::Attribution versus = test::value(engine.attribute(request));
    request.target = test::kTarget;
    request.versus = test::kVersus;
    const engine::Attribution both = test::value(engine.attribute(request));
    REQUIRE(both.parts.size() == target.parts.size());
    for (std::size_t part = 0; part < both.parts.size(); ++part)
        CHECK(both.parts[part].value ==
              Approx(target.parts[part].value - versus.parts[part].value).margin(1e-9));
    CHECK(both.probability == target.probability);
}

TEST_CASE("cells come largest first, lie where the position may look, and only where the gate is open")
{
    engine::AttributionRequest request = attributionRequest(test::openGolden("mistral-window"));
    request.run.gate = engine::ScoreGate{0.1};
    request.position = 9;
    engine::Engine engine;
    const engine::Attribution attribution = test::value(engine.attribute(request));
    CHECK(attribution.position == 9);
    CHECK(std::is_sorted(attribution.edges.begin(), attribution.edges.end(),
                         [](const auto& a, const auto& b) { return std::abs(a.value) > std::abs(b.value); }));
    const std::size_t length = kTokens.size();
    std::size_t open = 0;
    for (int layer = 0; layer < attribution.shape.layers; ++layer) {
        const engine::LayerMap gate =
            test::value(engine.layerMaps(request.run, layer, engine::MapKind::Gate));
        for (std::size_t head = 0; head < static_cast<std::size_t>(attribution.shape.heads); ++head)
            for (std::size_t key = 0; key < length; ++key) {
                const bool isOpen = gate[(head * length + 9) * length + key] > 0;
                open += isOpen;
                const bool isListed =
                    std::any_of(attribution.edges.begin(), attribution.edges.end(),
                                [&](const engine::AttributionEdge& edge) {
                                    return edge.head == HeadId{layer, static_cast<int>(head)} &&
                                           edge.key == static_cast<int>(key);
                                });
                CHECK(isListed == isOpen);
            }
    }
    CHECK(attribution.edges.size() == open);
    CHECK(open > 0);
}

TEST_CASE("an ablated head contributes what the ablation leaves, from no cell")
{
    engine::AttributionRequest request = attributionRequest(test::openGolden("qwen3"));
    request.run.capture.headOutputs = true;
    engine::Engine engine;
    const engine::Attribution plain = test::value(engine.attribute(request));
    const auto outputs = test::value(engine.run(request.run)).headOutputs;

    request.run.ablations[{1, 2}] = {engine::HeadAblation::Kind::Zero, {}};
    request.run.ablations[{1, 4}] = {engine::HeadAblation::Kind::Replace, outputs};
    const engine::Attribution ablated = test::value(engine.attribute(request));
    const HeadShape shape = plain.shape;
    const auto valueOf = [&](const engine::Attribution& from, HeadId head) {
        return from.heads[static_cast<std::size_t>(shape.indexOf(head))];
    };
    CHECK(valueOf(ablated, {1, 2}) == 0);
    CHECK(valueOf(ablated, {1, 4}) != 0);
    for (const engine::AttributionEdge& edge : ablated.edges)
        CHECK((edge.head != HeadId{1, 2} && edge.head != HeadId{1, 4}));
    // The replaced head differs from what it was only by the final scale.
    CHECK(valueOf(ablated, {1, 4}) / valueOf(plain, {1, 4}) ==
          Approx(valueOf(ablated, {1, 3}) / valueOf(plain, {1, 3})));
}

TEST_CASE("an attribution uses the engine's memory of its run, reports and can be cancelled")
{
    const engine::AttributionRequest request = attributionRequest(test::openGolden("gpt2-inverse-layer"));
    const int layers = request.run.model->spec().layers;
    engine::Engine engine;
    std::stop_source stop;
    const Hooks cancelling = {[&](int, int) { stop.request_stop(); }, stop.get_token()};
    const auto cancelled = engine.attribute(request, cancelling);
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);

    int last = -1;
    const engine::Attribution attribution =
        test::value(engine.attribute(request, {[&](int done, int) { last = done; }, {}}));
    CHECK(last == layers);
    CHECK(attribution.position == static_cast<int>(kTokens.size()) - 1);
    CHECK(test::value(engine.run(request.run)).firstLayerComputed == layers);
}

TEST_CASE("what cannot be attributed is refused in a sentence")
{
    engine::AttributionRequest request = attributionRequest(test::openGolden("gpt2"));
    request.versus = test::kTarget;
    CHECK(refusal(request).find("choose another") != std::string::npos);
    request.versus = 61;
    CHECK(refusal(request).find("from 0 to 60") != std::string::npos);
    request.versus.reset();
    request.target = -1;
    CHECK(refusal(request).find("from 0 to 60") != std::string::npos);
    request.target = test::kTarget;
    for (const int position : {-2, 11}) {
        request.position = position;
        CHECK(refusal(request).find("from 0 to 10") != std::string::npos);
    }
    request.position = -1;
    request.run.tokens.clear();
    CHECK(refusal(request).find("type some text") != std::string::npos);
}
