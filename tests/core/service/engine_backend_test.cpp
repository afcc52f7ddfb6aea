#include "service/engine_backend.h"

#include "engine/request/gate_choice.h"
#include "service/engine_request.h"
#include "support/models.h"

#include <algorithm>
#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

const std::string kDense = HS_SOURCE_DIR "/resources/models/demo-dense";
const std::string kSparse = HS_SOURCE_DIR "/resources/models/demo-sparse";
const std::string kStorePrompt = "When Mary and John went to the store , John gave a drink to";

/// A backend with the demo pair's request at hand.
struct Bench {
    service::EngineBackend backend;

    service::SideRequest request(const std::string& source)
    {
        service::SideRequest made;
        made.model = value(backend.open({source, "cpu", "auto"}, {}));
        made.gate = engine::chooseGate({}, made.model->ownGateBias);
        made.prompt = kStorePrompt;
        return made;
    }
    std::shared_ptr<const service::SideResult> run(const service::SideRequest& request,
                                                   Side side = Side::Left)
    {
        return std::make_shared<const service::SideResult>(value(backend.run(side, request, {}, {})));
    }
};

std::vector<std::uint8_t> layerTiles(const engine::RunResult& run, int layer)
{
    const std::uint8_t* const tiles = run.tileOf({layer, 0});
    return {tiles, tiles + run.heads.heads * run.tileRows * run.tileRows};
}

std::string bestToken(const service::SideResult& run, const engine::RunResult& result)
{
    return run.request.model->tokenizer->tokenText(result.predictions.front().token);
}

}  // namespace

TEST_CASE("the demo pair runs: tokens, predictions, pictures")
{
    Bench bench;
    const auto run = bench.run(bench.request(kDense));
    CHECK(run->tokens.size() == 15);
    CHECK(run->tokens.front().text == "<bos>");
    CHECK(bestToken(*run, run->after) == "Mary");
    CHECK(run->after.predictions.size() == 10);
    CHECK(run->after.loss.has_value());
    CHECK(run->position == 14);
    CHECK(run->after.tiles == run->before.tiles);
    CHECK(run->after.tileRows == 15);
    CHECK_FALSE(run->request.gate);
    const auto model = run->request.model;
    CHECK(model->title == "demo-dense");
    CHECK(model->heads == model->model->spec().headShape());
    CHECK(model->context == model->model->spec().context);
    CHECK(model->fingerprint.size() == 16);
    CHECK(model->fingerprint != bench.request(kSparse).model->fingerprint);
}

TEST_CASE("a chat runs with its tokens' roles, and another text is another last message of the user")
{
    Bench bench;
    service::SideRequest request = bench.request(kDense);
    request.isChat = true;
    request.prompt =
        R"({"template": "gemma3", "messages": [{"role": "user", "content": "When Mary and John went"}]})";
    const auto run = bench.run(request);
    CHECK(run->tokens.front().text == "<bos>");
    CHECK(run->tokens.front().role == text::TokenRole::Begin);
    CHECK(std::ranges::count(run->tokens, text::TokenRole::User, &text::Token::role) >= 3);
    const service::SideRequest other = service::withPrompt(request, "When John and Mary went");
    CHECK(other.isChat);
    CHECK(other.prompt ==
          R"({"template":"gemma3","messages":[{"role":"user","content":"When John and Mary went"}]})");
    CHECK(bench.run(other)->tokens.size() == run->tokens.size());
    CHECK_FALSE(request.hasSameInput(other));
    request.prompt = R"([{"role": "user", "content": "hello"}])";
    CHECK(bench.backend.run(Side::Left, request, {}, {})
              .error()
              .message.starts_with("This model's files have no chat template; "));
}

TEST_CASE("an ablation changes only later layers, and the run before it stands beside")
{
    Bench bench;
    service::SideRequest request = bench.request(kDense);
    const auto plain = bench.run(request);
    request.ablations[{1, 3}] = engine::HeadAblation::Kind::Zero;
    const auto ablated = bench.run(request);
    for (const int layer : {0, 1})
        CHECK(layerTiles(ablated->after, layer) == layerTiles(plain->after, layer));
    for (int layer = 2; layer < request.model->heads.layers; ++layer)
        CHECK(layerTiles(ablated->after, layer) != layerTiles(plain->after, layer));
    CHECK(ablated->before.predictions == plain->after.predictions);
    CHECK(ablated->before.tiles == plain->after.tiles);
    CHECK(ablated->after.predictions != plain->after.predictions);
    CHECK(ablated->after.firstLayerComputed == 1);

    SECTION("also when the text changes while heads are ablated")
    {
        request.prompt = "The opposite of \" large \" is";
        const auto other = bench.run(request);
        request.ablations.clear();
        Bench fresh;
        service::SideRequest same = fresh.request(kDense);
        same.prompt = request.prompt;
        const auto expected = fresh.run(same);
        CHECK(other->before.predictions == expected->after.predictions);
        for (int layer = 0; layer < request.model->heads.layers; ++layer)
            CHECK(layerTiles(other->before, layer) == layerTiles(expected->after, layer));
    }
}

TEST_CASE("maps of the runs, after and before, are the engine's")
{
    Bench bench;
    service::SideRequest request = bench.request(kSparse);
    request.ablations[{0, 2}] = engine::HeadAblation::Kind::Mean;
    bench.run(request);
    engine::Engine engine;
    const engine::MapKind kind = GENERATE(engine::MapKind::Weights, engine::MapKind::Scores,
                                          engine::MapKind::Gate, engine::MapKind::ValueWeighted);
    for (const bool isBefore : {false, true}) {
        const engine::LayerMap map = value(bench.backend.maps(request, {Side::Left, 2, kind, isBefore}, {}));
        engine::RunRequest plain = service::engineRequest(request).run;
        if (isBefore)
            plain.ablations.clear();
        const engine::LayerMap expected = value(engine.layerMaps(plain, 2, kind));
        CHECK(std::equal(map.get(), map.get() + request.model->heads.heads * 15 * 15, expected.get()));
    }
    // Reading maps leaves the run as it was.
    CHECK(bench.run(request)->after.firstLayerComputed == request.model->heads.layers);
}

TEST_CASE("one cell's weight in every head is what the maps say")
{
    Bench bench;
    const service::SideRequest request = bench.request(kDense);
    bench.run(request);
    const std::vector<float> cells = value(bench.backend.cellWeights(Side::Left, request, 9, 4, {}));
    const HeadShape heads = request.model->heads;
    REQUIRE(cells.size() == static_cast<std::size_t>(heads.total()));
    for (int layer = 0; layer < heads.layers; ++layer) {
        const engine::LayerMap map = value(bench.backend.maps(request, {Side::Left, layer}, {}));
        for (int head = 0; head < heads.heads; ++head)
            CHECK(cells[static_cast<std::size_t>(heads.indexOf({layer, head}))] ==
                  Approx(map[static_cast<std::size_t>((head * 15 + 9) * 15 + 4)]).margin(1e-6));
    }
}

TEST_CASE("weights that both sides use are held once")
{
    Bench bench;
    const auto left = bench.request(kDense).model;
    const auto right = bench.request(kDense + "/config.json").model;
    CHECK(left->model == right->model);
    CHECK(left->tokenizer == right->tokenizer);
    CHECK(left->request.source != right->request.source);
    const std::weak_ptr<const engine::Model> weights = left->model;
    Bench other;
    CHECK(other.request(kDense).model->model != left->model);
}

TEST_CASE("the gate is the model's own, off, or set")
{
    Bench bench;
    const auto dense = bench.request(kDense).model;
    const auto sparse = bench.request(kSparse).model;
    const auto runWith = [&](engine::GateChoice gate,
                             const std::shared_ptr<const service::OpenModel>& model) {
        service::SideRequest request;
        request.model = model;
        request.prompt = kStorePrompt;
        request.gate = engine::chooseGate(gate, model->ownGateBias);
        return bench.run(request);
    };
    using Kind = engine::GateChoice::Kind;
    const auto own = runWith({}, sparse);
    CHECK(own->request.gate.has_value());
    CHECK(own->after.density < 0.5);
    const auto off = runWith({Kind::Off, 0.5}, sparse);
    CHECK(off->request == runWith({Kind::Off, {}}, sparse)->request);
    CHECK(off->after.density == Approx(1));
    const auto score = runWith({Kind::Score, {}}, sparse);
    CHECK(score->request == own->request);
    CHECK(score->after.predictions == own->after.predictions);
    CHECK(runWith({Kind::Score, 1e5}, sparse)->after.density == Approx(1));
    CHECK(runWith({Kind::Score, {}}, dense)->request.gate == engine::ScoreGate{0});
    CHECK_FALSE(runWith({Kind::Auto, 0.5}, dense)->request.gate);
}

TEST_CASE("predictions are read where they are wanted, of the words that are watched")
{
    Bench bench;
    service::SideRequest request = bench.request(kDense);
    request.target = "Mary";
    request.distractor = "John";
    request.ablations[{0, 0}] = engine::HeadAblation::Kind::Zero;
    const auto run = bench.run(request);
    CHECK(run->target.after.token == run->target.id);
    CHECK(run->target.after.probability == Approx(run->after.predictions.front().probability));
    CHECK(run->target.before.logit != run->target.after.logit);
    CHECK(run->distractor.after.logit < run->target.after.logit);
    request.position = 4;
    CHECK(bench.run(request)->position == 4);
    request.position = 999;
    CHECK(bench.run(request)->position == 14);
}

TEST_CASE("a watched text must be one token, as typed or after a space, or it says what to do")
{
    const auto words = value(text::Tokenizer::load(kDense));
    CHECK(service::chooseWatched(*words, "Mary").id == words->idOf("Mary"));
    CHECK(service::chooseWatched(*words, "") == service::WatchChoice{});
    CHECK(service::chooseWatched(*words, "Mary John").id == -1);
    CHECK(service::chooseWatched(*words, "Mary John").problem.find("choose one of them") !=
          std::string::npos);
    CHECK(service::chooseWatched(*words, "xylophone").id == -1);
    CHECK(service::chooseWatched(*words, "xylophone").problem.find("choose another word") !=
          std::string::npos);
}

TEST_CASE("tiles stay within their budget and are never finer than the tokens")
{
    static constexpr int kBytes = 4 << 20;
    CHECK(service::tileSideFor({32, 32, 32}, 60, kBytes) == 60);
    CHECK(service::tileSideFor({32, 32, 32}, 4096, kBytes) == 64);
    CHECK(service::tileSideFor({32, 32, 32}, 4096, kBytes / 16) == 16);
    CHECK(service::tileSideFor({12, 12, 12}, 4096, kBytes) == 128);
    const int side = service::tileSideFor({128, 128, 8}, 4096, kBytes);
    CHECK(128 * 128 * side * side <= kBytes);
    CHECK(side == 16);
    CHECK(service::tileSideFor({1, 1, 1}, 0, kBytes) == 1);
}

TEST_CASE("a model without a tokenizer opens, and says what is missing when text is run")
{
    service::OpenModel silent = *Bench().request(kDense).model;
    silent.tokenizer = nullptr;
    service::SideRequest request;
    request.model = std::make_shared<service::OpenModel>(silent);
    request.prompt = "When";
    const auto result = service::EngineBackend().run(Side::Left, request, {}, {});
    REQUIRE_FALSE(result);
    CHECK(result.error().message.find("tokenizer.json") != std::string::npos);
}

TEST_CASE("a run that takes long tells its first layers, a brief one nothing")
{
    using Parts = std::vector<service::SideResult>;
    const auto partsAt = [](std::chrono::milliseconds interval) {
        Bench bench{service::EngineBackend(interval)};
        const service::SideRequest request = bench.request(kDense);
        Parts parts;
        const auto run = value(
            bench.backend.run(Side::Left, request, {}, [&](const auto& part) { parts.push_back(part); }));
        parts.push_back(run);
        return parts;
    };
    CHECK(partsAt(std::chrono::hours(1)).size() == 1);

    const Parts parts = partsAt(std::chrono::milliseconds(0));
    const service::SideResult& whole = parts.back();
    REQUIRE(parts.size() == static_cast<std::size_t>(whole.after.heads.layers) + 1);
    for (int layers = 1; layers <= whole.after.heads.layers; ++layers) {
        const service::SideResult& part = parts[static_cast<std::size_t>(layers - 1)];
        CHECK(part.request == whole.request);
        CHECK(part.tokens.size() == whole.tokens.size());
        CHECK(part.after.heads.layers == layers);
        CHECK(part.kinds.size() == static_cast<std::size_t>(part.after.heads.total()));
        CHECK(layerTiles(part.after, layers - 1) == layerTiles(whole.after, layers - 1));
    }
}

TEST_CASE("progress counts the layers of every pass: two where heads are ablated on a new prompt")
{
    Bench bench;
    service::SideRequest request = bench.request(kDense);
    const int layers = request.model->heads.layers;
    const auto lastReport = [&] {
        std::pair<int, int> last;
        const Hooks hooks = {[&](int done, int total) {
                                 CHECK(done >= last.first);
                                 last = {done, total};
                             },
                             {}};
        value(bench.backend.run(Side::Left, request, hooks, {}));
        return last;
    };
    CHECK(lastReport() == std::pair(layers, layers));
    request.ablations[{1, 3}] = engine::HeadAblation::Kind::Zero;
    CHECK(lastReport() == std::pair(layers, layers));
    request.prompt += " Mary";
    CHECK(lastReport() == std::pair(2 * layers, 2 * layers));
}

TEST_CASE("work that is cancelled gives the error that says so")
{
    Bench bench;
    const service::SideRequest request = bench.request(kDense);
    std::stop_source stop;
    stop.request_stop();
    const auto result = bench.backend.run(Side::Left, request, {{}, stop.get_token()}, {});
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::Cancelled);
}
