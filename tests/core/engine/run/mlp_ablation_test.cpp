#include "engine/run/decoder_tensors.h"
#include "engine/run/head_outputs_tensors.h"
#include "support/catch.h"
#include "support/fresh_run.h"
#include "support/models.h"

#include <numeric>

using namespace hs;

namespace {

using Kind = engine::HeadAblation::Kind;

engine::RunRequest requestOn(const std::string& name)
{
    engine::RunRequest request;
    request.model = test::openGolden(name);
    request.tokens = {3, 14, 15, 9, 26, 5, 3, 14, 33, 9};
    request.capture.logits = true;
    return request;
}

engine::RunRequest outputsKept(engine::RunRequest request)
{
    request.capture.headOutputs = true;
    return request;
}

double largestDifference(const at::Tensor& a, const at::Tensor& b)
{
    return (a - b).abs().max().item<double>();
}

at::Tensor logitsOf(const engine::RunResult& result)  // [query, vocabulary]
{
    return at::tensor(result.logits).view({static_cast<std::int64_t>(result.tokens.size()), -1});
}

/// The logits of the embedding and what attention adds with no head: biases, which belong to none.
at::Tensor logitsWithoutUnits(const engine::RunRequest& request)
{
    const c10::InferenceMode noGradients;
    const model::ArchSpec& spec = request.model->spec();
    const engine::Decoder decoder(*request.model, request.tokens);
    at::Tensor stream = decoder.embed();
    const at::Tensor nothing = at::zeros({stream.size(0), spec.heads, spec.headDim}, stream.options());
    for (int layer = 0; layer < spec.layers; ++layer)
        stream = stream + decoder.attentionOutput(layer, nothing);
    return decoder.logits(stream).to(at::kCPU);
}

bool hasAttentionBias(const engine::Model& model)
{
    return model.weights().at(0, model::Role::OutBias).defined() ||
           model.weights().at(0, model::Role::AttentionAfterNormBias).defined();
}

}  // namespace

TEST_CASE("with all heads and MLPs ablated the embedding's logits are left, on every architecture")
{
    int unbiased = 0;
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        engine::RunRequest request = requestOn(name);
        for (const HeadId unit : request.model->spec().headShape().all(Units::HeadsAndMlps))
            request.ablations[unit] = {};
        const at::Tensor left = logitsOf(test::freshRun(request));
        CHECK(largestDifference(left, logitsWithoutUnits(request)) <= 1e-5);
        if (hasAttentionBias(*request.model))
            continue;
        ++unbiased;
        const engine::Decoder decoder(*request.model, request.tokens);
        CHECK(largestDifference(left, decoder.logits(decoder.embed()).to(at::kCPU)) <= 1e-5);
    }
    CHECK(unbiased > 5);
}

TEST_CASE("an ablated MLP changes its own layer's result alone, on every architecture")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const engine::RunRequest plain = outputsKept(requestOn(name));
        const auto outputs = test::freshRun(plain).headOutputs;
        for (const Kind kind : {Kind::Zero, Kind::Mean}) {
            engine::RunRequest ablated = plain;
            ablated.ablations[HeadId::mlpOf(1)] = {kind, {}};
            const auto changed = test::freshRun(ablated).headOutputs;
            const at::Tensor was = outputs->mlp(1);
            const at::Tensor wanted =
                kind == Kind::Zero ? at::zeros_like(was) : was.mean(0, true).expand_as(was);
            CHECK(largestDifference(changed->mlp(1), wanted) <= 1e-6);
            for (const int layer : {0, 1})
                CHECK(changed->z(layer).equal(outputs->z(layer)));
            CHECK(changed->mlp(0).equal(outputs->mlp(0)));
        }
    }
}

TEST_CASE("an MLP replaced by itself changes nothing, and by another run's brings what that run wrote")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "gpt_neox-parallel", "olmo2", "gemma2");
    INFO(name);
    const engine::RunRequest plain = outputsKept(requestOn(name));
    const engine::RunResult before = test::freshRun(plain);
    engine::RunRequest same = plain;
    for (int layer = 0; layer < before.heads.layers; ++layer)
        same.ablations[HeadId::mlpOf(layer)] = {Kind::Replace, before.headOutputs};
    // A GPU adds the stream to what an MLP writes within its product, where the MLP is left to itself.
    const at::Tensor wanted = logitsOf(before);
    const double rounding =
        plain.model->facts().device.isCuda() ? 1e-5 * wanted.abs().max().item<double>() : 0;
    CHECK(largestDifference(logitsOf(test::freshRun(same)), wanted) <= rounding);

    engine::RunRequest other = plain;
    other.tokens[2] = 40;
    const engine::RunResult there = test::freshRun(other);
    engine::RunRequest patched = plain;
    patched.ablations[HeadId::mlpOf(0)] = {Kind::Replace, there.headOutputs};
    const engine::RunResult after = test::freshRun(patched);
    CHECK(after.headOutputs->mlp(0).equal(there.headOutputs->mlp(0)));
    CHECK(after.logits != before.logits);
    // Everything that reads the stream, taken from there, gives that run's logits but for its embedding.
    for (const HeadId unit : before.heads.all(Units::HeadsAndMlps))
        patched.ablations[unit] = {Kind::Replace, there.headOutputs};
    const engine::RunResult all = test::freshRun(patched);
    const auto vocabulary = static_cast<std::ptrdiff_t>(all.logits.size() / all.tokens.size());
    for (auto at = all.logits.end() - vocabulary, own = there.logits.end() - vocabulary;
         at != all.logits.end(); ++at, ++own)
        REQUIRE(*at == Approx(*own).margin(1e-4));
}

TEST_CASE("a run with ablated MLPs resumes with the bits of a full run")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2-inverse-layer", "gpt_neox-parallel", "qwen2");
    const engine::RunRequest plain = requestOn(name);
    engine::Engine engine;
    REQUIRE(test::value(engine.run(plain)).firstLayerComputed == 0);
    for (int layer = plain.model->spec().layers - 1; layer >= 0; --layer) {
        engine::RunRequest ablated = plain;
        ablated.ablations[HeadId::mlpOf(layer)] = {Kind::Mean, {}};
        const engine::RunResult resumed = test::value(engine.run(ablated));
        CHECK(resumed.firstLayerComputed == layer);
        CHECK(resumed.logits == test::freshRun(ablated).logits);
        CHECK(test::value(engine.run(plain)).logits == test::freshRun(plain).logits);
    }
}

TEST_CASE("what an MLP does not have is refused with what to do")
{
    const auto refusal = [](HeadId unit, const engine::HeadAblation& ablation) {
        engine::RunRequest request = requestOn("gpt2");
        request.ablations[unit] = ablation;
        const auto refused = engine::Engine().run(request);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::BadRequest);
        return refused.error().message;
    };
    CHECK(refusal(HeadId::mlpOf(9), {}).find("no L9MLP in this model") != std::string::npos);
    engine::HeadAblation cut{Kind::Cells, {}};
    cut.edits = {{{{3, 3}, {1, 1}}, {}}};
    CHECK(refusal(HeadId::mlpOf(0), cut).find("ablate it as a whole") != std::string::npos);
    engine::RunRequest shorter = outputsKept(requestOn("gpt2"));
    shorter.tokens.pop_back();
    CHECK(refusal(HeadId::mlpOf(0), {Kind::Replace, test::freshRun(shorter).headOutputs})
              .find("prompts of equal length") != std::string::npos);
}
