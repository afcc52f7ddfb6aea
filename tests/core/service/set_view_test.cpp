#include "service/engine_backend.h"

#include "engine/request/gate_choice.h"
#include "support/models.h"
#include "support/refusals.h"
#include "support/temp_dir.h"

#include <cstring>

using namespace hs;
using namespace hs::test;

namespace {

const std::string kSetPrompt = "When Mary and John went to the store , John gave a drink to";

/// A backend, and the sparse demo's request to show a set.
struct SetBench {
    TempDir folder;
    service::EngineBackend backend{std::chrono::milliseconds(0)};
    service::SideRequest one;

    SetBench()
    {
        one.model = value(backend.open({"demo:sparse", "cpu", "auto"}, {}));
        one.gate = engine::chooseGate({}, one.model->ownGateBias);
        one.prompt = kSetPrompt;
    }
    service::SideRequest set(const std::string& lines,
                             analyses::SetAverage average = analyses::SetAverage::Mean,
                             const std::string& name = "set.txt")
    {
        service::SideRequest request = one;
        request.view.emplace();
        request.view->set.where = folder.write(name, lines).string();
        request.view->average = average;
        return request;
    }
    service::SideResult run(const service::SideRequest& request)
    {
        return value(backend.run(Side::Left, request, {}, {}));
    }
    std::vector<float> layer(const service::SideRequest& request, int layer, std::size_t tokens)
    {
        const engine::LayerMap map =
            value(backend.maps(request, {Side::Left, layer, engine::MapKind::Weights, false}, {}));
        const auto cells = static_cast<std::size_t>(request.model->heads.heads) * tokens * tokens;
        return {map.get(), map.get() + cells};
    }
    analyses::SetResult scores(const service::SideRequest& request, const Hooks& hooks = {},
                               const service::OnAnalysisPart& onPart = {})
    {
        service::AnalysisRequest asked;
        asked.kind = service::AnalysisKind::Prompts;
        asked.side = one;
        asked.set = request.view->set;
        return std::get<analyses::SetResult>(value(backend.analyse(asked, hooks, onPart)));
    }
};

std::vector<std::uint8_t> tilesOf(const engine::RunResult& run)
{
    std::vector<std::uint8_t> tiles;
    for (const engine::LayerTiles& layer : run.tiles)
        tiles.insert(tiles.end(), layer.get(),
                     layer.get() + static_cast<std::size_t>(run.heads.heads) * run.tileCells());
    return tiles;
}

}  // namespace

TEST_CASE("a set of one prompt shows that prompt: tokens, tiles, maps, cells, statistics, kinds and loss")
{
    SetBench bench;
    const service::SideResult one = bench.run(bench.one);
    for (const analyses::SetAverage average : {analyses::SetAverage::Mean, analyses::SetAverage::Largest}) {
        const service::SideRequest set = bench.set(kSetPrompt + "\n", average);
        const service::SideResult shown = bench.run(set);
        REQUIRE(shown.tokens.size() == one.tokens.size());
        for (std::size_t at = 0; at < one.tokens.size(); ++at)
            CHECK(shown.tokens[at].text == one.tokens[at].text);
        CHECK(shown.after.tokens == one.after.tokens);
        CHECK(shown.after.tileRows == one.after.tileRows);
        CHECK(tilesOf(shown.after) == tilesOf(one.after));
        CHECK(shown.kinds == one.kinds);
        CHECK(shown.after.loss.value() == Approx(one.after.loss.value()));
        CHECK(shown.after.density == Approx(one.after.density));
        for (std::size_t head = 0; head < one.after.stats.size(); ++head)
            CHECK(shown.after.stats[head].peak == Approx(one.after.stats[head].peak));
        CHECK(bench.layer(set, 2, one.tokens.size()) == bench.layer(bench.one, 2, one.tokens.size()));
        CHECK(value(bench.backend.cellWeights(Side::Left, set, 9, 3, {})) ==
              value(bench.backend.cellWeights(Side::Left, bench.one, 9, 3, {})));
        CHECK(shown.set->done == 1);
        CHECK_FALSE(one.set);
    }
    const service::SideResult deviation =
        bench.run(bench.set(kSetPrompt + "\n", analyses::SetAverage::Deviation));
    CHECK(std::ranges::all_of(tilesOf(deviation.after), [](std::uint8_t cell) { return cell == 0; }));
}

TEST_CASE("ablations and the gate apply to every prompt of a set")
{
    SetBench bench;
    service::SideRequest set = bench.set(kSetPrompt + "\n");
    set.ablations[{1, 3}] = bench.one.ablations[{1, 3}] = engine::HeadAblation::Kind::Zero;
    set.gate.reset();
    bench.one.gate.reset();
    CHECK(tilesOf(bench.run(set).after) == tilesOf(bench.run(bench.one).after));
}

TEST_CASE("a mean is the mean of the prompts' maps, in any order of the file")
{
    SetBench bench;
    const std::string other = "When John and Mary went to the park , Mary gave a book to";
    const service::SideRequest set = bench.set(kSetPrompt + "\n" + other + "\n");
    const std::size_t tokens = bench.run(set).tokens.size();
    const std::vector<float> first = bench.layer(bench.one, 3, tokens);
    bench.one.prompt = other;
    const std::vector<float> second = bench.layer(bench.one, 3, tokens);
    const std::vector<float> mean = bench.layer(set, 3, tokens);
    REQUIRE(mean.size() == first.size());
    for (std::size_t cell = 0; cell < mean.size(); ++cell)
        CHECK(std::abs(mean[cell] - (first[cell] + second[cell]) / 2) < 1e-5f);
    CHECK(bench.layer(bench.set(other + "\n" + kSetPrompt + "\n", analyses::SetAverage::Mean, "turned.txt"),
                      3, tokens) == mean);
    CHECK(bench.run(set).tokens[2].text == "[2]");  // Mary or John
}

TEST_CASE("each prompt of a set has its own run's loss and answer, and faulty lines are named")
{
    SetBench bench;
    const service::SideResult one = bench.run(bench.one);
    const service::SideRequest set = bench.set(
        "{\"text\": \"The opposite of large is\"}\n{\"words\": 3}\n{\"text\": \"" + kSetPrompt + "\"}\n",
        analyses::SetAverage::Mean, "set.jsonl");
    const analyses::SetResult scores = bench.scores(set);
    REQUIRE(scores.rows.size() == 2);
    CHECK(scores.promptCount == 3);
    CHECK(scores.rows[1].index == 2);
    CHECK(scores.rows[1].sides[0].loss == Approx(one.after.loss.value()).epsilon(1e-4));
    CHECK(scores.rows[1].sides[0].answer ==
          one.request.model->tokenizer->tokenText(one.after.predictions.front().token));
    REQUIRE(scores.leftOut.size() == 1);
    CHECK(scores.leftOut[0].index == 1);
    CHECK(scores.leftOut[0].problem.find("Line 2 of ") != std::string::npos);
    CHECK(bench.run(set).set->leftOut == scores.leftOut);
    CHECK(scores.group("heads")->rows.size() == static_cast<std::size_t>(bench.one.model->heads.total()));
}

TEST_CASE("a set that was stopped keeps what it has, and goes on to the same end")
{
    SetBench bench;
    service::SideRequest whole = bench.set({});
    whole.view->set.where = "task:induction:200";
    service::EngineBackend other;
    const service::SideResult end = value(other.run(Side::Left, whole, {}, {}));
    REQUIRE(end.set->done == 200);

    std::stop_source stop;
    std::vector<service::SideResult> parts;
    const auto stopped =
        bench.backend.run(Side::Left, whole, {{}, stop.get_token()}, [&](service::SideResult part) {
            parts.push_back(std::move(part));
            stop.request_stop();
        });
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ErrorCode::Cancelled);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].before.tokens.empty());
    service::SideRequest partial = whole;
    partial.view->isPartial = true;
    const service::SideResult kept = bench.run(partial);
    CHECK(kept.set->done == parts[0].set->done);
    CHECK(kept.set->done < 200);
    CHECK(kept.set->count == 200);
    CHECK(tilesOf(kept.after) == tilesOf(parts[0].after));

    int least = 200;
    const Hooks counting{[&](int done, int) { least = std::min(least, done); }, {}};
    const service::SideResult resumed = value(bench.backend.run(Side::Left, whole, counting, {}));
    CHECK(least > kept.set->done);  // nothing was run twice
    CHECK(tilesOf(resumed.after) == tilesOf(end.after));
    CHECK(resumed.after.loss == end.after.loss);
    partial.ablations[{0, 0}] = engine::HeadAblation::Kind::Zero;  // of which nothing is known
    CHECK(isRefused([&] { orThrow(bench.backend.run(Side::Left, partial, {}, {})); }, "run it again"));
}

TEST_CASE("another average of the same set needs no run, and a set shows weights alone")
{
    SetBench bench;
    service::SideRequest set = bench.set(kSetPrompt + "\nThe opposite of large is\n");
    bench.run(set);
    set.view->average = analyses::SetAverage::Deviation;
    int steps = 0;
    value(bench.backend.run(Side::Left, set, {[&](int, int) { ++steps; }, {}}, {}));
    CHECK(steps == 0);
    CHECK(isRefused([&] { orThrow(bench.backend.pooledMaps(Side::Left, set, engine::MapKind::Scores, {})); },
                    "Only weights are averaged"));
    const service::SideRequest empty = bench.set("\n", analyses::SetAverage::Mean, "empty.txt");
    CHECK(isRefused([&] { orThrow(bench.backend.run(Side::Left, empty, {}, {})); }, "holds no prompts"));
}
