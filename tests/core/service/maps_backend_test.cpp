#include "service/maps_backend.h"

#include "base/npz_writer.h"
#include "engine/request/gate_choice.h"
#include "service/any_backend.h"
#include "service/engine_need.h"
#include "support/models.h"
#include "support/temp_dir.h"

#include <algorithm>
#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

const std::string kDenseModel = HS_SOURCE_DIR "/resources/models/demo-dense";
const std::string kMapsPrompt = "When Mary and John went to the store , John gave a drink to";

/// A model's run, and the same as a file of maps.
struct MapsBench {
    TempDir folder;
    service::AnyBackend backend;
    service::SideRequest model;
    service::SideResult run;
    service::SideRequest maps;

    MapsBench()
    {
        model.model = value(backend.open({kDenseModel, "cpu", "auto"}, {}));
        model.gate = engine::chooseGate({}, model.model->ownGateBias);
        model.prompt = kMapsPrompt;
        run = value(backend.run(Side::Left, model, {}, {}));
        write("maps.npz", [](float weight, int, int, int, int) { return weight; });
        maps = open("maps.npz");
    }

    service::SideRequest open(const std::string& name)
    {
        service::SideRequest side;
        side.model = value(backend.open({(folder / name).string()}, {}));
        return side;
    }

    template <class Change>
    void write(const std::string& name, const Change& change)
    {
        const HeadShape& heads = run.after.heads;
        const int length = run.after.queries();
        std::vector<std::vector<float>> layers;
        for (int layer = 0; layer < heads.layers; ++layer) {
            const auto map =
                value(backend.maps(model, {Side::Left, layer, engine::MapKind::Weights, false}, {}));
            layers.emplace_back(map.get(), map.get() + heads.heads * length * length);
            for (std::size_t cell = 0; cell < layers.back().size(); ++cell) {
                const int at = static_cast<int>(cell);
                float& weight = layers.back()[cell];
                weight = change(weight, layer, at / (length * length), at / length % length, at % length);
            }
        }
        std::vector<std::u32string> texts;
        for (const text::Token& token : run.tokens)
            texts.emplace_back(token.text.begin(), token.text.end());
        const std::vector<std::span<const float>> parts(layers.begin(), layers.end());
        NpzWriter writer(folder / name);
        writer.add("attention", parts, {heads.layers, heads.heads, length, length});
        writer.add("tokens", texts);
        writer.finish();
    }

    service::AnalysisRequest analysis(service::AnalysisKind kind)
    {
        service::AnalysisRequest request;
        request.kind = kind;
        request.side = maps;
        return request;
    }
};

}  // namespace

TEST_CASE("a model's run and its maps from a file show the same")
{
    MapsBench bench;
    const service::SideResult file = value(bench.backend.run(Side::Right, bench.maps, {}, {}));
    const engine::RunResult& here = bench.run.after;
    CHECK(file.after.isCausal);
    CHECK(file.after.heads == here.heads);
    CHECK(file.after.pattern() == here.pattern());
    CHECK(file.after.tileRows == here.tileRows);
    CHECK(file.after.tileColumns == here.tileColumns);
    CHECK(file.keyTokens.empty());
    CHECK(file.after.density == Approx(here.density));
    CHECK(file.after.predictions.empty());
    const auto isNear = [](double a, double b) {
        return (std::isnan(a) && std::isnan(b)) || a == Approx(b).margin(1e-6);
    };
    for (const HeadId head : here.heads.all()) {
        // The maps were computed anew: a weight may round to the next level.
        CHECK(std::equal(here.tileOf(head), here.tileOf(head) + here.tileCells(), file.after.tileOf(head),
                         [](int a, int b) { return std::abs(a - b) <= 1; }));
        const stats::HeadStats& one = here.statsOf(head);
        const stats::HeadStats& other = file.after.statsOf(head);
        for (const auto field : {&stats::HeadStats::previousToken, &stats::HeadStats::induction,
                                 &stats::HeadStats::duplicateToken, &stats::HeadStats::entropyNormalized,
                                 &stats::HeadStats::meanDistance, &stats::HeadStats::densityAbove})
            CHECK(isNear(one.*field, other.*field));
    }
    CHECK(file.kinds == bench.run.kinds);
    CHECK(std::ranges::equal(file.tokens, bench.run.tokens, {}, &text::Token::text, &text::Token::text));
    CHECK(value(bench.backend.cellWeights(Side::Right, bench.maps, 14, 3, {})) ==
          value(bench.backend.cellWeights(Side::Left, bench.model, 14, 3, {})));
}

TEST_CASE("analyses of maps equal those of the model that made them")
{
    MapsBench bench;
    service::AnalysisRequest scatter = bench.analysis(service::AnalysisKind::Scatter);
    scatter.heads = {{0, 0}, {1, 2}, {3, 5}};
    service::AnalysisRequest flow = bench.analysis(service::AnalysisKind::Flow);
    flow.threshold = 0.3;
    flow.hasRollout = true;
    const auto found = std::get<stats::HeadScatter>(value(bench.backend.analyse(scatter, {}, {})));
    const auto followed = std::get<stats::TokenFlow>(value(bench.backend.analyse(flow, {}, {})));
    scatter.side = flow.side = bench.model;
    CHECK(found.weights ==
          std::get<stats::HeadScatter>(value(bench.backend.analyse(scatter, {}, {}))).weights);
    const auto there = std::get<stats::TokenFlow>(value(bench.backend.analyse(flow, {}, {})));
    CHECK(followed.edges == there.edges);
    CHECK(followed.rollout == there.rollout);
    CHECK_FALSE(there.rollout.empty());
    CHECK_FALSE(there.edges.empty());
}

TEST_CASE("maps are compared with a model and with another file by the texts of their tokens")
{
    MapsBench bench;
    bench.write("other.npz", [](float weight, int layer, int head, int query, int key) {
        return layer != 2 || head != 1 ? weight : key == query ? 1.0f : 0.0f;
    });
    service::AnalysisRequest request = bench.analysis(service::AnalysisKind::Compare);
    request.other = bench.model;
    const auto same = std::get<analyses::Comparison>(value(bench.backend.analyse(request, {}, {})));
    REQUIRE(same.pairs.size() == bench.run.after.heads.all().size());
    CHECK(same.pairs.front().distance.totalVariation == Approx(0).margin(1e-6));
    request.other = bench.open("other.npz");
    const auto changed = std::get<analyses::Comparison>(value(bench.backend.analyse(request, {}, {})));
    CHECK(changed.pairs.front().head == HeadId{2, 1});
    CHECK(changed.pairs[1].distance.totalVariation == 0);
}

TEST_CASE("what takes an engine is refused with one reason wherever it is asked for")
{
    MapsBench bench;
    const service::OpenModel& maps = *bench.maps.model;
    const std::string reason = service::whyNoRun(maps);
    CHECK_FALSE(reason.empty());
    CHECK(service::whyNoRun(*bench.model.model).empty());
    for (const service::AnalysisKind kind : service::kAnalyses) {
        const service::AnalysisRequest request = bench.analysis(kind);
        const bool isPossible = service::whyNotPossible(maps, kind).empty();
        CHECK(isPossible == (kind == service::AnalysisKind::Scatter ||
                             kind == service::AnalysisKind::Compare || kind == service::AnalysisKind::Flow));
        if (!isPossible)
            CHECK(bench.backend.analyse(request, {}, {}).error().message == reason);
    }
    for (const engine::MapKind kind :
         {engine::MapKind::Scores, engine::MapKind::Gate, engine::MapKind::ValueWeighted}) {
        CHECK(service::whyNotPossible(maps, kind) == reason);
        CHECK(bench.backend.maps(bench.maps, {Side::Left, 0, kind, false}, {}).error().message == reason);
        CHECK(bench.backend.pooledMaps(Side::Left, bench.maps, kind, {}).error().message == reason);
    }
    CHECK(bench.backend.generate(Side::Left, bench.maps, {}, {}, {}).error().message == reason);
    bench.maps.ablations[{0, 0}] = engine::HeadAblation::Kind::Zero;
    CHECK(bench.backend.run(Side::Left, bench.maps, {}, {}).error().message == reason);
    const auto far = bench.backend.open({"ssh://gpu//tmp/maps.npz#encoder"}, {});
    REQUIRE_FALSE(far);
    CHECK(far.error().message.find("copy the file here") != std::string::npos);
}

TEST_CASE("a place without a head has no statistics, no kind and an empty tile")
{
    const TempDir folder;
    {
        const std::vector<float> one = {1, 0, 0.5f, 0.5f};
        const std::vector<float> two = {0, 1, 1, 0, 0.5f, 0.5f, 0.5f, 0.5f};
        NpzWriter writer(folder / "m.npz");
        const std::vector<std::span<const float>> first = {one}, second = {two};
        writer.add("attention_0", first, {1, 2, 2});
        writer.add("attention_1", second, {2, 2, 2});
        writer.finish();
    }
    service::MapsBackend backend;
    service::SideRequest side;
    side.model = value(backend.open({(folder / "m.npz").string()}, {}));
    const service::SideResult result = value(backend.run(Side::Left, side, {}, {}));
    CHECK_FALSE(result.after.isCausal);
    CHECK(result.after.stats.size() == 4);
    CHECK(std::isnan(result.after.statsOf({0, 1}).peak));
    CHECK_FALSE(result.kinds[1]);
    CHECK(std::all_of(result.after.tileOf({0, 1}), result.after.tileOf({0, 1}) + 4,
                      [](int cell) { return cell == 0; }));
    CHECK(stats::summarize(result.after.stats).heads == 3);
    CHECK(result.after.density == Approx((3 + 2 + 4) / 12.0));
    CHECK(result.tokens[0].id != result.tokens[1].id);
    CHECK(service::tokensOf({"a", "b", "a"})[2].id == service::tokensOf({"a"})[0].id);
    std::stop_source stop;
    stop.request_stop();
    CHECK(backend.run(Side::Left, side, {{}, stop.get_token()}, {}).error().code == ErrorCode::Cancelled);
}

TEST_CASE("a folder may have the mark between a file and its block in its name")
{
    MapsBench bench;
    std::filesystem::create_directory(bench.folder / "c#");
    std::filesystem::copy_file(bench.folder / "maps.npz", bench.folder / "c#/maps.npz");
    const service::SideRequest moved = bench.open("c#/maps.npz");
    REQUIRE(moved.model->blocks.size() == 1);
    CHECK(moved.model->blocks.front().name.empty());
    CHECK(moved.model->blocks.front().source == moved.model->request.source);
}

TEST_CASE("notes say what else a file has and what is odd about it")
{
    const TempDir folder;
    {
        const std::vector<float> odd = {5, 0, -1, 0.5f};
        const std::vector<std::span<const float>> parts = {odd};
        NpzWriter writer(folder / "m.npz");
        writer.add("encoder.attention", parts, {1, 1, 2, 2});
        writer.add("decoder.attention", parts, {1, 1, 2, 2});
        writer.finish();
    }
    service::MapsBackend backend;
    const std::string file = (folder / "m.npz").string();
    const auto first = value(backend.open({file}, {}));
    CHECK(first->title == "m · encoder");
    REQUIRE(first->notes.size() == 2);
    CHECK(first->notes[0].find("\"decoder\": choose beside the title, or write #decoder") !=
          std::string::npos);
    CHECK(first->notes[1].find("above 1") != std::string::npos);
    const auto second = value(backend.open({file + "#decoder"}, {}));
    CHECK(second->notes[0].find("write #encoder") != std::string::npos);
    CHECK(second->fingerprint != first->fingerprint);
    CHECK(second->precision == "float32");
    CHECK(second->weightBytes == 16);
}
