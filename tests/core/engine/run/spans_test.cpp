// Runs whose patterns are folded to spans of tokens, against the maps of their tokens.
#include "analyses/map_analyses.h"
#include "engine/run/continuation.h"
#include "engine/run/engine.h"
#include "engine/run/prompt_batch.h"
#include "stats/head_summary.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>
#include <numeric>

using namespace hs;

namespace {

engine::RunRequest plainRequest(const std::string& golden)
{
    engine::RunRequest request;
    request.model = test::openOnce(golden);
    request.tokens = {3, 14, 15, 9, 26, 5, 3, 14, 58, 9, 7, 9};
    request.capture.logits = request.capture.fullMaps = true;
    return request;
}

engine::RunRequest spannedRequest(const std::string& golden)
{
    engine::RunRequest request = plainRequest(golden);
    request.spans = TokenSpans({2, 3, 6, 8, 9, 12});
    return request;
}

/// The sum over keys and the mean over queries of the cells of a map of tokens.
double foldedCell(const float* map, int tokens, const TokenSpans& spans, int row, int column)
{
    double sum = 0;
    for (int query = spans.begin(row); query < spans.end(row); ++query)
        for (int key = spans.begin(column); key < spans.end(column); ++key)
            sum += double(map[query * tokens + key]);
    return sum / spans.size(row);
}

}  // namespace

TEST_CASE("blocks of one token give the same bits as no blocks, on every architecture")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const engine::RunRequest plain = plainRequest(name);
        engine::RunRequest single = plain;
        std::vector<int> ends(plain.tokens.size());
        std::iota(ends.begin(), ends.end(), 1);
        single.spans = TokenSpans(ends);
        // All but two tokens are alone: their cells come from the fold itself.
        engine::RunRequest nearly = plain;
        ends.erase(ends.begin());
        nearly.spans = TokenSpans(ends);

        const engine::RunResult ofTokens = test::value(engine::Engine().run(plain));
        const engine::RunResult ofSingle = test::value(engine::Engine().run(single));
        const engine::RunResult ofNearly = test::value(engine::Engine().run(nearly));
        CHECK(ofSingle.tokens == ofTokens.tokens);
        CHECK((ofSingle.stats == ofTokens.stats || std::isnan(ofTokens.stats.front().peak)));
        CHECK(ofSingle.logits == ofTokens.logits);
        CHECK(ofNearly.logits == ofTokens.logits);
        CHECK(ofNearly.queries() == ofTokens.queries() - 1);
        for (const HeadId head : ofTokens.heads.all()) {
            const float* const map = ofTokens.mapOf(head);
            const float* const same = ofSingle.mapOf(head);
            const float* const nearlySame = ofNearly.mapOf(head);
            CHECK(std::equal(map, map + ofTokens.pattern().mapSize(), same));
            CHECK(std::equal(ofTokens.tileOf(head), ofTokens.tileOf(head) + ofTokens.tileCells(),
                             ofSingle.tileOf(head)));
            for (int query = 2; query < ofTokens.queries(); ++query)
                for (int key = 2; key < ofTokens.queries(); ++key)
                    REQUIRE(nearlySame[ofNearly.pattern().indexOf(query - 1, key - 1)] ==
                            map[ofTokens.pattern().indexOf(query, key)]);
        }
    }
}

TEST_CASE("block sums equal the sums of their cells, on every architecture, gated, ablated and cut")
{
    double worst = 0;
    const bool isGated = GENERATE(false, true);
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (isGated ? " gated" : ""));
        engine::RunRequest request = spannedRequest(name);
        if (isGated)
            request.gate = engine::ScoreGate{0.25};
        request.ablations[{0, 1}] = {engine::HeadAblation::Kind::Mean, {}};
        request.ablations[{0, 0}].kind = engine::HeadAblation::Kind::Cells;
        request.ablations[{0, 0}].edits = test::value(parseHeadChange("[*<0]")).cells;
        engine::RunRequest plain = request;
        plain.spans = {};
        const engine::RunResult ofTokens = test::value(engine::Engine().run(plain));
        const engine::RunResult ofSpans = test::value(engine::Engine().run(request));
        CHECK(ofSpans.logits == ofTokens.logits);
        CHECK(ofSpans.loss == ofTokens.loss);
        CHECK(ofSpans.position == ofTokens.position);
        REQUIRE(ofSpans.queries() == request.spans.count());
        for (const HeadId head : ofTokens.heads.all())
            for (int row = 0; row < ofSpans.queries(); ++row)
                for (int column = 0; column < ofSpans.queries(); ++column) {
                    const double expected =
                        foldedCell(ofTokens.mapOf(head), ofTokens.queries(), request.spans, row, column);
                    const double found = ofSpans.mapOf(head)[ofSpans.pattern().indexOf(row, column)];
                    worst = std::max(worst, std::abs(found - expected));
                    REQUIRE(std::abs(found - expected) < 1e-6);
                }
    }
    WARN("largest difference of a block's cell from the sum of its cells: " << worst);
}

TEST_CASE("a run with blocks gives the same with full maps and without, on every architecture")
{
    const bool isGated = GENERATE(false, true);
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (isGated ? " gated" : ""));
        engine::RunRequest request = spannedRequest(name);
        request.capture.tileSide = 4;
        if (isGated)
            request.gate = engine::ScoreGate{0.25};
        request.ablations[{0, 0}].kind = engine::HeadAblation::Kind::Cells;
        request.ablations[{0, 0}].edits = test::value(parseHeadChange("[*<0]")).cells;
        const engine::RunResult mapped = test::value(engine::Engine().run(request));
        request.capture.fullMaps = false;
        const engine::RunResult pooled = test::value(engine::Engine().run(request));
        CHECK(pooled.density == mapped.density);
        for (const HeadId head : mapped.heads.all()) {
            INFO(toString(head));
            const stats::HeadStats &a = pooled.statsOf(head), &b = mapped.statsOf(head);
            CHECK(a.peak == Approx(b.peak).margin(1e-5));
            CHECK(a.entropy == Approx(b.entropy).margin(1e-5));
            CHECK(a.previousToken == Approx(b.previousToken).margin(1e-5));
            CHECK(a.density == b.density);
            for (std::size_t cell = 0; cell < mapped.tileCells(); ++cell)
                REQUIRE(std::abs(pooled.tileOf(head)[cell] - mapped.tileOf(head)[cell]) <= 1);
        }
    }
}

TEST_CASE("what a run with blocks says of them is what their own map says")
{
    const engine::RunRequest request = spannedRequest("llama-grouped");
    const engine::RunResult run = test::value(engine::Engine().run(request));
    const stats::RepeatedTokens repeats(run.tokens);
    const stats::SummaryRules rules{repeats, run.queries(), run.tileRows, request.capture.threshold};
    for (const HeadId head : run.heads.all()) {
        std::vector<std::uint8_t> tile(run.tileCells());
        const stats::HeadStats of =
            stats::summarizeHead(run.mapOf(head), rules, stats::causalCells(run.queries()), tile.data());
        CHECK(of.peak == run.statsOf(head).peak);
        CHECK(of.entropy == run.statsOf(head).entropy);
        CHECK(of.density == run.statsOf(head).density);
        CHECK(std::equal(tile.begin(), tile.end(), run.tileOf(head)));
    }
}

TEST_CASE("the maps, cells and flow of a run with blocks are of blocks")
{
    const engine::RunRequest request = spannedRequest("llama-grouped");
    engine::Engine engine;
    const engine::RunResult run = test::value(engine.run(request));
    for (int layer = 0; layer < run.heads.layers; ++layer) {
        const engine::LayerMap maps = test::value(engine.layerMaps(request, layer, engine::MapKind::Weights));
        for (int head = 0; head < run.heads.heads; ++head)
            for (std::size_t cell = 0; cell < run.pattern().mapSize(); ++cell)
                REQUIRE(maps[std::size_t(head) * run.pattern().mapSize() + cell] ==
                        Approx(run.mapOf({layer, head})[cell]).margin(1e-6));
    }
    const std::vector<float> cells = test::value(engine.cellWeights(request, 4, 2));
    for (const HeadId head : run.heads.all())
        CHECK(cells[std::size_t(run.heads.indexOf(head))] ==
              Approx(run.mapOf(head)[run.pattern().indexOf(4, 2)]).margin(1e-6));
    CHECK(test::value(analyses::tokenFlow(engine, request, 0, {})).tokens == request.spans.count());

    CHECK(test::value(engine.layerMaps(request, 0, engine::MapKind::ValueWeighted)));
    CHECK(engine.layerMaps(request, 0, engine::MapKind::Scores).error().message == engine::kNotOfBlocks);
    CHECK(engine.layerMaps(request, 0, engine::MapKind::Gate).error().message == engine::kNotOfBlocks);
}

TEST_CASE("blocks can be chosen, changed and left between runs of the same engine")
{
    engine::RunRequest request = spannedRequest("gpt2");
    engine::Engine engine;
    const auto isAsFresh = [&] {
        const engine::RunResult kept = test::value(engine.run(request));
        const engine::RunResult fresh = test::value(engine::Engine().run(request));
        const auto tile = [&](const engine::RunResult& run) {
            return std::vector<std::uint8_t>(run.tileOf({1, 0}), run.tileOf({1, 0}) + run.tileCells());
        };
        return kept.tokens == fresh.tokens && kept.density == fresh.density && tile(kept) == tile(fresh);
    };
    CHECK(isAsFresh());
    request.spans = TokenSpans({1, 2, 3, 4, 5, 12});
    CHECK(isAsFresh());
    request.spans = {};
    CHECK(isAsFresh());
    request.spans = TokenSpans({12});
    CHECK(isAsFresh());
}

TEST_CASE(
    "blocks that do not cut the prompt are refused, and so are those of texts side by side or that grow")
{
    engine::RunRequest request = spannedRequest("gpt2");
    request.capture = {};
    CHECK(engine::promptsTogether(request) == 1);
    const auto says = [](const auto& refused, const std::string& words) {
        return refused.error().message.find(words) != std::string::npos;
    };
    CHECK(says(engine::Continuation().run(request, {}, {}), "Blocks are not followed"));
    CHECK(says(engine::Engine().cellWeights(request, 6, 0), "There is no block 6"));
    request.spans = TokenSpans({2, 11});
    CHECK(says(engine::Engine().run(request), "The blocks do not cut this prompt of 12 tokens"));
}
