#include "engine/run/engine.h"
#include "engine/run/pooled_attention_tensors.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>
#include <cstdlib>

using namespace hs;

namespace {

engine::RunRequest tiledRequest(const std::string& golden)
{
    engine::RunRequest request;
    request.model = test::openGolden(golden);
    request.tokens = {3, 14, 15, 9, 26, 5, 3, 14, 58, 9, 7, 9};
    request.capture.logits = true;
    request.capture.tileSide = 5;
    return request;
}

void checkNear(double a, double b)
{
    CHECK((std::isnan(b) ? std::isnan(a) : a == Approx(b).margin(1e-5)));
}

void checkNear(const stats::HeadStats& a, const stats::HeadStats& b)
{
    checkNear(a.previousToken, b.previousToken);
    checkNear(a.currentToken, b.currentToken);
    checkNear(a.firstToken, b.firstToken);
    checkNear(a.duplicateToken, b.duplicateToken);
    checkNear(a.induction, b.induction);
    checkNear(a.entropy, b.entropy);
    checkNear(a.entropyNormalized, b.entropyNormalized);
    checkNear(a.peak, b.peak);
    checkNear(a.meanDistance, b.meanDistance);
    checkNear(a.density, b.density);
    checkNear(a.densityAbove, b.densityAbove);
    CHECK(a.offDiagonalAboveHalf == b.offDiagonalAboveHalf);
}

}  // namespace

TEST_CASE("a run gives the same with full maps and without, on every architecture")
{
    const bool isGated = GENERATE(false, true);
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (isGated ? " gated" : ""));
        engine::RunRequest request = tiledRequest(name);
        if (isGated)
            request.gate = engine::ScoreGate{0.25};
        request.ablations[{0, 1}] = {engine::HeadAblation::Kind::Mean, {}};
        const engine::RunResult pooled = test::value(engine::Engine().run(request));
        request.capture.fullMaps = true;
        const engine::RunResult mapped = test::value(engine::Engine().run(request));

        CHECK(pooled.density == mapped.density);
        for (std::size_t index = 0; index < mapped.logits.size(); ++index)
            REQUIRE(pooled.logits[index] == Approx(mapped.logits[index]).margin(1e-4));
        for (int index = 0; index < mapped.heads.total(); ++index) {
            const HeadId head = mapped.heads.at(index);
            INFO(name << " " << toString(head));
            checkNear(pooled.statsOf(head), mapped.statsOf(head));
            for (int cell = 0; cell < mapped.tileRows * mapped.tileRows; ++cell)
                REQUIRE(std::abs(pooled.tileOf(head)[cell] - mapped.tileOf(head)[cell]) <= 1);
        }
    }
}

#if !defined(__SANITIZE_THREAD__)  // which does not see OpenMP's own barriers
TEST_CASE("pooled attention has the same bits whatever the number of threads")
{
    model::ArchSpec spec;
    spec.heads = 6;
    spec.kvHeads = 3;
    spec.headDim = 20;
    spec.windows = {0};
    const int length = 300;
    at::manual_seed(7);
    const at::Tensor qkv = at::randn({length, spec.queryWidth() + 2 * spec.kvWidth()});
    const at::Tensor tokens = at::randint(40, {length}, at::kInt);
    const at::Tensor ids = tokens.to(at::kLong);
    const stats::RepeatedTokens repeats({ids.data_ptr<std::int64_t>(), static_cast<std::size_t>(length)});
    const stats::SummaryRules rules{repeats, length, 64, 0.01};
    const auto poolOn = [&](int threads) {
        at::set_num_threads(threads);
        return engine::poolAttention(spec, 0, qkv, tokens, engine::ScoreGate{0.1}, rules);
    };
    const int before = at::get_num_threads();
    const engine::LayerAttention alone = poolOn(1);
    const engine::LayerAttention together = poolOn(3);
    at::set_num_threads(before);
    CHECK(together.z.equal(alone.z));
    CHECK((together.record.stats == alone.record.stats));
    CHECK(together.record.activeCells == alone.record.activeCells);
    CHECK(std::equal(together.record.tiles.get(), together.record.tiles.get() + spec.heads * 64 * 64,
                     alone.record.tiles.get()));
}
#endif
