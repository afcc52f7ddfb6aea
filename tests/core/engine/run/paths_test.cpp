#include "engine/run/engine.h"
#include "engine/run/layer_heads_tensors.h"
#include "engine/run/paths_tensors.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/patching.h"

#include <algorithm>
#include <cmath>

using namespace hs;

namespace {

constexpr double kRounding = 2e-5;  // of logits, which sums in another order leave

engine::RunRequest runOn(std::shared_ptr<const engine::Model> model, std::vector<std::int64_t> tokens)
{
    engine::RunRequest run;
    run.model = std::move(model);
    run.tokens = std::move(tokens);
    return run;
}

/// Two prompts that differ in two words.
engine::PathRequest pathRequest(const std::shared_ptr<const engine::Model>& model,
                                const engine::RunRequest& like = {})
{
    engine::RunRequest run = runOn(model, {3, 14, 15, 9, 26, 5, 3, 14});
    engine::RunRequest source = runOn(model, {3, 14, 33, 9, 26, 5, 21, 14});
    run.gate = source.gate = like.gate;
    run.ablations = source.ablations = like.ablations;
    return {run, test::outputsOf(source), {}, test::kTarget, test::kVersus};
}

/// The same architecture with more layers and random weights, so that heads lie between senders and receivers.
std::shared_ptr<const engine::Model> deeper(const std::string& name, int layers)
{
    model::ArchSpec spec = test::openGolden(name)->spec();
    spec.layers = layers;
    spec.windows.resize(static_cast<std::size_t>(layers), spec.windows.front());
    return test::value(engine::randomModel(spec, 3, test::testOptions()));
}

std::vector<engine::HeadPath> pathsFrom(HeadId from, const engine::RunRequest& run)
{
    using enum engine::PathInput;
    const HeadShape shape = run.model->spec().headShape();
    std::vector<engine::HeadPath> paths = {{from, {{}, Logits}}};
    for (const HeadId to : shape.all())
        if (to.layer > from.layer && !run.ablations.contains(to))
            for (const engine::PathInput input : {Query, Key, Value})
                paths.push_back({from, {to, input}});
    return paths;
}

/// Path patching as its definition says, one step after another, with every stream at hand.
class BruteForce {
public:
    explicit BruteForce(const engine::PathRequest& request)
        : m_request(request), m_run(request.run), m_spec(m_run.model->spec()),
          m_decoder(*m_run.model, m_run.tokens)
    {
        at::Tensor stream = m_decoder.embed();
        for (int layer = 0; layer < m_spec.layers; ++layer) {
            m_streams.push_back(stream);
            m_outputs.push_back(attention(layer, stream));
            const at::Tensor middle = stream + m_decoder.attentionOutput(layer, m_outputs.back());
            m_mlps.push_back(m_decoder.mlpOutput(layer, stream, middle));
            stream = middle + m_mlps.back();
        }
        m_streams.push_back(stream);
    }

    double with(const engine::HeadPath& path) const
    {
        const bool isToLogits = path.to.input == engine::PathInput::Logits;
        const int receiving = isToLogits ? m_spec.layers : path.to.head.layer;
        // The run once more with everything frozen but the sender.
        at::Tensor stream = m_streams.front();
        for (int layer = 0; layer < receiving; ++layer) {
            at::Tensor z = m_outputs[layer].clone();
            if (layer == path.from.layer)
                z.select(1, path.from.head).copy_(m_request.source->z(layer).select(1, path.from.head));
            stream = stream + m_decoder.attentionOutput(layer, z) + m_mlps[layer];
        }
        return isToLogits ? metric(stream) : metric(behind(path.to, stream));
    }

private:
    at::Tensor head(int layer, int index, const at::Tensor& query, const at::Tensor& key,
                    const at::Tensor& value) const
    {
        const std::int64_t group = index / (m_spec.heads / m_spec.kvHeads);
        at::Tensor scores = at::matmul(m_decoder.project(layer, query).queries[index],
                                       m_decoder.project(layer, key).keys[group].t());
        if (m_spec.scoreCap)
            scores = at::tanh(scores / *m_spec.scoreCap) * *m_spec.scoreCap;
        scores = scores.masked_fill(m_decoder.hiddenCells(layer), -INFINITY);
        at::Tensor weights = at::softmax(scores, -1);
        if (m_run.gate)
            weights = weights * scores.gt(-m_run.gate->bias);
        return at::matmul(weights, m_decoder.project(layer, value).values[group]);  // [query, head size]
    }

    at::Tensor attention(int layer, const at::Tensor& stream) const  // [query, head, head size]
    {
        std::vector<at::Tensor> heads;
        for (int index = 0; index < m_spec.heads; ++index) {
            heads.push_back(head(layer, index, stream, stream, stream));
            if (m_run.ablations.contains({layer, index}))
                heads.back().zero_();
        }
        return at::stack(heads, 1);
    }

    /// The last stream when one input of a head reads another stream than its layer.
    at::Tensor behind(const engine::PathEnd& to, const at::Tensor& read) const
    {
        using enum engine::PathInput;
        const int layer = to.head.layer;
        const at::Tensor& own = m_streams[layer];
        at::Tensor z = m_outputs[layer].clone();
        z.select(1, to.head.head)
            .copy_(head(layer, to.head.head, to.input == Query ? read : own, to.input == Key ? read : own,
                        to.input == Value ? read : own));
        at::Tensor stream = m_decoder.finishLayer(layer, own, z);
        for (int next = layer + 1; next < m_spec.layers; ++next)
            stream = m_decoder.finishLayer(next, stream, attention(next, stream));
        return stream;
    }

    double metric(const at::Tensor& stream) const
    {
        const at::Tensor logits = m_decoder.logits(stream)[-1];
        return (logits[test::kTarget] - logits[test::kVersus]).item<double>();
    }

    const c10::InferenceMode m_noGradients;
    const engine::PathRequest& m_request;
    const engine::RunRequest& m_run;
    const model::ArchSpec& m_spec;
    engine::Decoder m_decoder;
    std::vector<at::Tensor> m_streams;  // that enter each layer, and the last one
    std::vector<at::Tensor> m_outputs;  // [layer]
    std::vector<at::Tensor> m_mlps;     // what each adds
};

/// Largest difference from brute force over all paths of some senders; they must do something, too.
double largestError(engine::PathRequest request, const std::vector<HeadId>& senders)
{
    for (const HeadId from : senders)
        for (const engine::HeadPath& path : pathsFrom(from, request.run))
            request.paths.push_back(path);
    const engine::VariantResult result = test::value(engine::Engine().runPaths(request));
    const BruteForce bruteForce(request);
    double largest = 0, moved = 0;
    for (std::size_t index = 0; index < request.paths.size(); ++index) {
        const double metric = result.variants[index].logitDifference;
        largest = std::max(largest, std::abs(metric - bruteForce.with(request.paths[index])));
        moved = std::max(moved, std::abs(metric - result.baseline.logitDifference));
    }
    CHECK(moved > 1e-4);
    return largest;
}

std::string refusal(const engine::PathRequest& request)
{
    const auto refused = engine::Engine().runPaths(request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.ends_with("."));
    return refused.error().message;
}

}  // namespace

TEST_CASE("a path does what brute force says, in every architecture")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        CHECK(largestError(pathRequest(test::openGolden(name)), {{0, 1}, {0, 0}}) < kRounding);
    }
}

TEST_CASE("heads and MLPs between sender and receiver stay as they are")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "llama-grouped", "gpt_neox-parallel",
                                      "olmo2", "gemma2", "qwen3", "mistral-window");
    INFO(name);
    const std::shared_ptr<const engine::Model> model = deeper(name, 4);
    engine::RunRequest like;
    SECTION("as it is") {}
    SECTION("gated")
    {
        like.gate = engine::ScoreGate{0.05};
    }
    SECTION("with heads off")
    {
        like.ablations[{1, 0}] = like.ablations[{2, 1}] = {};
    }
    CHECK(largestError(pathRequest(model, like), {{0, 1}, {1, 1}}) < kRounding);
}

TEST_CASE("paths from a run to itself change nothing")
{
    engine::PathRequest request = pathRequest(deeper("gpt2", 3));
    request.source = test::outputsOf(request.run);
    request.paths = pathsFrom({0, 1}, request.run);
    const engine::VariantResult result = test::value(engine::Engine().runPaths(request));
    for (const engine::VariantReading& reading : result.variants)
        CHECK(reading.logitDifference == Approx(result.baseline.logitDifference).margin(1e-6));
}

TEST_CASE("where no MLP reads it, the path from the last layer to the logits is all that a head does")
{
    engine::PathRequest request = pathRequest(test::openGolden("gpt_neox-parallel"));
    const HeadShape shape = request.run.model->spec().headShape();
    engine::VariantRequest patched{request.run, {}, test::kTarget, test::kVersus, false, false};
    for (int head = 0; head < shape.heads; ++head) {
        const HeadId last{shape.layers - 1, head};
        request.paths.push_back({last, {}});
        patched.variants.push_back({{last, {engine::HeadAblation::Kind::Replace, request.source}}});
    }
    const engine::VariantResult paths = test::value(engine::Engine().runPaths(request));
    const engine::VariantResult heads = test::value(engine::Engine().runVariants(patched));
    for (int head = 0; head < shape.heads; ++head) {
        CHECK(paths.variants[head].logitDifference ==
              Approx(heads.variants[head].logitDifference).margin(kRounding));
        CHECK(std::abs(paths.variants[head].logitDifference - paths.baseline.logitDifference) > 1e-5);
    }
}

TEST_CASE("integrated gradients over a head's whole way add up to what patching it does")
{
    const std::string name =
        GENERATE(as<std::string>(), "gpt2", "llama-grouped", "gpt_neox-parallel", "olmo2", "gemma2");
    INFO(name);
    engine::PathRequest request = pathRequest(deeper(name, 3));
    const HeadShape shape = request.run.model->spec().headShape();
    engine::VariantRequest patched{request.run, {}, test::kTarget, test::kVersus, false, false};
    for (const HeadId head : shape.all())
        patched.variants.push_back({{head, {engine::HeadAblation::Kind::Replace, request.source}}});
    const engine::VariantResult heads = test::value(engine::Engine().runVariants(patched));

    engine::RunMemory memory;
    const engine::PathResponses responses(memory, request, {});
    double largest = 0, error = 0;
    for (int layer = 0; layer < shape.layers; ++layer) {
        const at::Tensor gradients = engine::integratedGradients(memory, request, responses, layer, {});
        const at::Tensor way = request.source->z(layer) - responses.z(layer);
        const at::Tensor sums = (gradients * way).sum(at::IntArrayRef({0, 2}));
        for (int head = 0; head < shape.heads; ++head) {
            const double effect =
                heads.variants[shape.indexOf({layer, head})].logitDifference - heads.baseline.logitDifference;
            largest = std::max(largest, std::abs(effect));
            error = std::max(error, std::abs(sums[head].item<double>() - effect));
        }
    }
    CHECK(largest > 1e-3);
    // Norms behind an attention that adds little are far from the polynomials that three points integrate.
    CHECK(error < (request.run.model->spec().normAfter ? 3e-2 : 1e-3) * largest);
}

TEST_CASE("estimates of paths follow what they do, and those to the logits are exact")
{
    const std::string name =
        GENERATE(as<std::string>(), "gpt2", "llama-grouped", "gemma2", "olmo2", "qwen3", "gpt_neox-parallel");
    INFO(name);
    engine::PathRequest request = pathRequest(deeper(name, 4));
    for (const HeadId from : request.run.model->spec().headShape().all())
        for (const engine::HeadPath& path : pathsFrom(from, request.run))
            request.paths.push_back(path);
    const engine::VariantResult exact = test::value(engine::Engine().runPaths(request));
    const std::vector<double> estimates = test::value(engine::Engine().estimatePaths(request));
    double squares = 0, errors = 0;
    for (std::size_t index = 0; index < estimates.size(); ++index) {
        const double effect = exact.variants[index].logitDifference - exact.baseline.logitDifference;
        if (request.paths[index].to.input == engine::PathInput::Logits) {
            CHECK(estimates[index] == Approx(effect).margin(1e-6));
            continue;
        }
        squares += effect * effect;
        errors += (estimates[index] - effect) * (estimates[index] - effect);
    }
    // A norm behind the receiver's attention is part of what is taken as linear.
    CHECK(std::sqrt(errors / squares) < (request.run.model->spec().normAfter ? 0.3 : 0.15));
}

TEST_CASE("paths that a model does not have are refused in a sentence")
{
    const engine::PathRequest good = pathRequest(test::openGolden("gpt2"));
    engine::PathRequest bad = good;
    bad.paths = {{{1, 0}, {{1, 1}, engine::PathInput::Query}}};
    CHECK(refusal(bad).find("later layer") != std::string::npos);
    bad.paths = {{{0, 0}, {{9, 0}, engine::PathInput::Query}}};
    CHECK(refusal(bad).find("no head L9H0") != std::string::npos);
    bad.paths = {{{0, 9}, {}}};
    CHECK(refusal(bad).find("no head L0H9") != std::string::npos);
    bad.paths = {{{0, 0}, {{1, 1}, engine::PathInput::Key}}};
    bad.run.ablations[{1, 1}] = {};
    CHECK(refusal(bad).find("is ablated") != std::string::npos);
    bad = good;
    bad.paths = {{{0, 0}, {}}};
    bad.source = nullptr;
    CHECK(refusal(bad).find("another number of tokens") != std::string::npos);
}
