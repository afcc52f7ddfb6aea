#include "engine/run/decoder_tensors.h"
#include "engine/run/engine.h"
#include "engine/run/head_outputs_tensors.h"
#include "support/catch.h"
#include "support/fresh_run.h"
#include "support/models.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace hs;

namespace {

engine::RunRequest requestWithWrites(const std::string& golden)
{
    engine::RunRequest request;
    request.model = test::openGolden(golden);
    for (int position = 0; position < 10; ++position)
        request.tokens.push_back((position * 5 + 2) % request.model->spec().vocabulary);
    if (request.model->spec().gateBias)
        request.gate = engine::ScoreGate{*request.model->spec().gateBias};
    request.capture.fullMaps = request.capture.logits = true;
    return request;
}

/// Different numbers everywhere, small enough to leave the model within reason.
engine::SharedWrites writesAt(const engine::RunRequest& request, std::vector<engine::WritePlace> places,
                              float size = 0.3f)
{
    auto writes = std::make_shared<engine::StreamWrites>();
    for (const engine::WritePlace place : places) {
        std::vector<float>& row = writes->rows[place];
        for (int index = 0; index < request.model->spec().hidden; ++index)
            row.push_back(size * std::sin(static_cast<float>(index * 7 + place.layer * 3 + place.position)));
    }
    return writes;
}

bool hasSameMaps(const engine::RunResult& a, const engine::RunResult& b)
{
    bool same = a.predictions == b.predictions && a.loss == b.loss && a.logits == b.logits;
    const std::size_t layerBytes = a.pattern().mapSize() * a.heads.heads * sizeof(float);
    for (std::size_t layer = 0; same && layer < a.maps.size(); ++layer)
        same = std::memcmp(a.maps[layer].get(), b.maps[layer].get(), layerBytes) == 0;
    return same;
}

/// A run of the bare decoder in which one layer's MLP writes nothing, and what it would have written.
struct WithoutMlp {
    at::Tensor logits;   // [query, vocabulary]
    at::Tensor written;  // [query, hidden]
};

WithoutMlp runWithout(const engine::RunRequest& request, int without)
{
    const c10::InferenceMode noGradients;
    const engine::Decoder decoder(*request.model, request.tokens);
    at::Tensor residual = decoder.embed();
    WithoutMlp result;
    for (int layer = 0; layer < request.model->spec().layers; ++layer) {
        const at::Tensor z =
            engine::attend(decoder.project(layer, residual), decoder.hiddenCells(layer), request.gate, {});
        const at::Tensor middle = residual + decoder.attentionOutput(layer, z);
        const at::Tensor added = decoder.mlpOutput(layer, residual, middle);
        if (layer == without)
            result.written = added.to(at::kCPU, at::kFloat).contiguous();
        residual = layer == without ? middle : middle + added;
    }
    result.logits = decoder.logits(residual).to(at::kCPU).contiguous();
    return result;
}

}  // namespace

TEST_CASE("writing zeros to the stream equals writing nothing, bit for bit")
{
    engine::RunRequest request = requestWithWrites(GENERATE(from_range(test::goldenNames())));
    const engine::RunResult plain = test::freshRun(request);
    const int last = request.model->spec().layers - 1;
    request.writes = writesAt(request, {{0, 0}, {0, 4}, {last, 9}}, 0);
    CHECK(hasSameMaps(test::freshRun(request), plain));
    request.writes = std::make_shared<const engine::StreamWrites>();
    CHECK(hasSameMaps(test::freshRun(request), plain));
}

TEST_CASE("writing the negative of what an MLP writes equals the model without that MLP")
{
    engine::RunRequest request = requestWithWrites(GENERATE(from_range(test::goldenNames())));
    const int layer = GENERATE(0, 1);
    const WithoutMlp expected = runWithout(request, layer);
    auto writes = std::make_shared<engine::StreamWrites>();
    for (int position = 0; position < static_cast<int>(request.tokens.size()); ++position) {
        const at::Tensor row = expected.written[position].neg();
        writes->rows[{layer, position}].assign(row.data_ptr<float>(), row.data_ptr<float>() + row.numel());
    }
    request.writes = writes;
    request.capture.fullMaps = false;
    const engine::RunResult result = test::freshRun(request);
    const at::Tensor logits =
        at::from_blob(const_cast<float*>(result.logits.data()), expected.logits.sizes());
    const double largest = expected.logits.abs().max().item<double>();
    CHECK((logits - expected.logits).abs().max().item<double>() <= 1e-4 * largest);
}

TEST_CASE("a run restarted where other things are written equals the full run, bit for bit")
{
    engine::RunRequest plain = requestWithWrites(GENERATE(from_range(test::goldenNames())));
    plain.capture.fullMaps = GENERATE(true, false);
    engine::Engine engine;
    REQUIRE(test::value(engine.run(plain)).firstLayerComputed == 0);
    for (int layer = plain.model->spec().layers - 1; layer >= 0; --layer) {
        engine::RunRequest written = plain;
        written.writes = writesAt(plain, {{layer, 3}, {layer, 7}});
        const engine::RunResult restarted = test::value(engine.run(written));
        CHECK(restarted.firstLayerComputed == layer);
        CHECK(hasSameMaps(restarted, test::freshRun(written)));
        CHECK_FALSE(hasSameMaps(restarted, test::freshRun(plain)));

        // Equal writes are the same run, whoever holds them.
        written.writes = std::make_shared<const engine::StreamWrites>(*written.writes);
        CHECK(test::value(engine.run(written)).firstLayerComputed == plain.model->spec().layers);

        const engine::RunResult restored = test::value(engine.run(plain));
        CHECK(restored.firstLayerComputed == layer);
        CHECK(hasSameMaps(restored, test::freshRun(plain)));
    }
}

TEST_CASE("maps and cells of a run are those with what it writes")
{
    engine::RunRequest request = requestWithWrites("llama-grouped");
    request.writes = writesAt(request, {{0, 2}});
    const engine::RunResult result = test::freshRun(request);
    engine::Engine engine;
    const std::vector<float> cells = test::value(engine.cellWeights(request, 6, 2));
    const HeadShape shape = request.model->spec().headShape();
    for (int layer = 0; layer < shape.layers; ++layer) {
        const engine::LayerMap map = test::value(engine.layerMaps(request, layer, engine::MapKind::Weights));
        for (int head = 0; head < shape.heads; ++head) {
            const float* const own = map.get() + static_cast<std::size_t>(head) * result.pattern().mapSize();
            CHECK(std::equal(own, own + result.pattern().mapSize(), result.mapOf({layer, head})));
            CHECK(cells[static_cast<std::size_t>(shape.indexOf({layer, head}))] ==
                  Approx(result.mapOf({layer, head})[6 * 10 + 2]).margin(1e-6));
        }
    }
}

TEST_CASE("variants of a run that writes to the stream equal separate runs")
{
    engine::VariantRequest request;
    request.run =
        requestWithWrites(GENERATE(as<std::string>(), "gpt2", "gpt_neox-parallel", "olmo2", "gemma2"));
    request.run.capture.fullMaps = request.run.capture.logits = false;
    const int last = request.run.model->spec().layers - 1;
    request.run.writes = writesAt(request.run, {{0, 1}, {0, 8}, {last, 9}, {last, 4}});
    request.target = 4;
    request.versus = 7;
    request.loss = GENERATE(true, false);
    engine::RunRequest other = request.run;
    other.tokens[5] = 1;
    other.capture.headOutputs = true;
    const auto source = test::value(engine::Engine().run(other)).headOutputs;
    other.writes.reset();
    const auto unwritten = test::value(engine::Engine().run(other)).headOutputs;
    request.variants = {{{{0, 0}, {}}},
                        {{{last, 1}, {}}},
                        {},
                        {{{last, 0}, {engine::HeadAblation::Kind::Replace, source}}},
                        {{{last, 0}, {engine::HeadAblation::Kind::Replace, unwritten}}}};
    const engine::VariantResult result = test::value(engine::Engine().runVariants(request));
    for (std::size_t index = 0; index < request.variants.size(); ++index) {
        INFO(index);
        engine::RunRequest alone = request.run;
        alone.ablations = request.variants[index];
        alone.capture.watched = {4, 7};
        const engine::RunResult run = test::freshRun(alone);
        CHECK(result.variants[index].logit == Approx(run.watched[0].logit).epsilon(1e-4).margin(1e-4));
        CHECK(result.variants[index].logitDifference ==
              Approx(run.watched[0].logit - run.watched[1].logit).epsilon(1e-4).margin(1e-4));
        if (request.loss)
            CHECK(result.variants[index].loss == Approx(*run.loss).epsilon(1e-4));
    }
}

TEST_CASE("what is written counts to the MLP's part of a logit, and the parts add up to it")
{
    engine::AttributionRequest request;
    request.run = requestWithWrites(GENERATE(from_range(test::goldenNames())));
    request.run.capture = {};
    request.target = 4;
    const engine::Attribution before = test::value(engine::Engine().attribute(request));
    const int last = request.run.model->spec().layers - 1;
    request.run.writes = writesAt(request.run, {{0, 3}, {last, 9}}, 2);
    const engine::Attribution after = test::value(engine::Engine().attribute(request));
    double sum = 0;
    double largest = 0;
    for (const engine::AttributionPart& part : after.parts) {
        sum += part.value;
        largest = std::max(largest, std::abs(part.value));
    }
    CHECK(std::abs(sum - after.logit) <= 1e-4 * std::max(largest, std::abs(after.logit)));
    const auto mlpOf = [&](const engine::Attribution& attribution) {
        return std::ranges::find_if(attribution.parts,
                                    [&](const engine::AttributionPart& part) {
                                        return part.kind == engine::AttributionPart::Kind::Mlp &&
                                               part.layer == last;
                                    })
            ->value;
    };
    CHECK(mlpOf(after) != Approx(mlpOf(before)).epsilon(1e-3));
}

TEST_CASE("gradients of heads in a run that writes are how its logit changes with them")
{
    engine::RunRequest request = requestWithWrites(GENERATE(as<std::string>(), "gpt2", "llama-grouped"));
    const HeadId head{GENERATE(0, 1), 1};
    request.writes = writesAt(request, {{0, 2}, {0, 9}}, 1);
    request.capture = {};
    request.capture.watched = {4};
    request.capture.headOutputs = true;
    const auto outputs = test::value(engine::Engine().run(request)).headOutputs;
    const auto gradients = test::value(engine::Engine().headGradients(request, 4, {}));
    const double step = 1e-2;
    const auto logitAt = [&](double factor) {
        std::vector<engine::HeadOutputs::Layer> scaled;
        for (int layer = 0; layer < outputs->layerCount(); ++layer)
            scaled.push_back({outputs->z(layer) * factor, {}, {}, {}});
        engine::RunRequest nudged = request;
        nudged.ablations[head] = {engine::HeadAblation::Kind::Replace,
                                  std::make_shared<const engine::HeadOutputs>(request, std::move(scaled))};
        return test::freshRun(nudged).watched[0].logit;
    };
    const auto ofHead = [&](const at::Tensor& z) { return z.select(1, head.head).to(at::kDouble); };
    const double expected =
        (ofHead(outputs->z(head.layer)) * ofHead(gradients->z(head.layer))).sum().item<double>();
    CHECK((logitAt(1 + step) - logitAt(1 - step)) / (2 * step) ==
          Approx(expected).epsilon(0.02).margin(1e-3));
}

TEST_CASE("what cannot be written to the stream is refused with a sentence")
{
    const engine::RunRequest request = requestWithWrites("gpt2");
    const int hidden = request.model->spec().hidden;
    const auto refusalOf = [&](engine::WritePlace place, std::vector<float> row) {
        engine::RunRequest bad = request;
        bad.writes =
            std::make_shared<const engine::StreamWrites>(engine::StreamWrites{{{place, std::move(row)}}});
        const auto result = engine::Engine().run(bad);
        REQUIRE_FALSE(result);
        return result.error().message;
    };
    const std::vector<float> row(static_cast<std::size_t>(hidden), 1);
    CHECK(refusalOf({9, 0}, row).find("layer 9") != std::string::npos);
    CHECK(refusalOf({-1, 0}, row).find("layer -1") != std::string::npos);
    CHECK(refusalOf({0, 10}, row).find("position 10") != std::string::npos);
    CHECK(refusalOf({0, 0}, {1, 2}).find("has 2 numbers") != std::string::npos);
    std::vector<float> infinite = row;
    infinite[3] = std::numeric_limits<float>::infinity();
    CHECK(refusalOf({0, 0}, infinite).find("not finite") != std::string::npos);
}
