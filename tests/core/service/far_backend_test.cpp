#include "service/any_backend.h"

#include "engine/request/gate_choice.h"
#include "remote/daemon.h"
#include "service/engine_handler.h"
#include "service/result_trees.h"
#include "support/models.h"
#include "support/temp_dir.h"

#include <bit>
#include <cstring>
#include <thread>

using namespace hs;
using namespace hs::test;

namespace {

const std::string kFarPrompt = "When Mary and John went to the store , John gave a drink to";

/// A daemon with this machine's engine on a socket of the test's own.
class Daemon {
public:
    Daemon()
    {
        m_thread = std::jthread([this](std::stop_token stop) {
            remote::DaemonOptions options;
            options.folder = m_folder.path();
            options.stop = stop;
            remote::runDaemon(options, [] { return std::make_unique<service::EngineHandler>(); });
        });
    }
    std::shared_ptr<service::Machines> machines() const
    {
        return std::make_shared<service::Machines>([this](const std::string&) {
            const std::filesystem::path socket = remote::socketIn(m_folder.path());
            while (!std::filesystem::exists(socket))
                std::this_thread::yield();
            return remote::openSocketLine(socket);
        });
    }

private:
    TempDir m_folder;
    std::jthread m_thread;
};

struct FarPair {
    Daemon daemon;
    service::AnyBackend backend{daemon.machines()};

    service::SideRequest request(const std::string& source)
    {
        service::SideRequest made;
        made.model = value(backend.open({source, "cpu", "auto"}, {}));
        made.gate = engine::chooseGate({}, made.model->ownGateBias);
        made.prompt = kFarPrompt;
        made.target = "Mary";
        made.distractor = "John";
        return made;
    }
};

/// Of their numbers; NaN is like itself.
std::vector<std::uint32_t> bitsOf(const std::vector<stats::HeadStats>& stats)
{
    std::vector<std::uint32_t> bits;
    for (const float number : service::numbersOf(stats))
        bits.push_back(std::bit_cast<std::uint32_t>(number));
    return bits;
}

void checkSame(const engine::RunResult& far, const engine::RunResult& here)
{
    CHECK(far.heads == here.heads);
    CHECK(far.tokens == here.tokens);
    CHECK(far.position == here.position);
    CHECK(far.predictions == here.predictions);
    CHECK(far.watched == here.watched);
    CHECK(far.loss == here.loss);
    CHECK(far.density == here.density);
    CHECK(far.stats.size() == here.stats.size());
    CHECK(bitsOf(far.stats) == bitsOf(here.stats));
    REQUIRE(far.tileRows == here.tileRows);
    REQUIRE(far.tiles.size() == here.tiles.size());
    for (std::size_t layer = 0; layer < here.tiles.size(); ++layer)
        CHECK(std::memcmp(far.tiles[layer].get(), here.tiles[layer].get(),
                          static_cast<std::size_t>(here.heads.heads * here.tileRows * here.tileRows)) == 0);
}

void checkSame(const service::SideResult& far, const service::SideResult& here)
{
    CHECK(far.tokens == here.tokens);
    CHECK(far.textTokens() == here.textTokens());
    CHECK(far.spans == here.spans);
    CHECK(far.kinds == here.kinds);
    CHECK(far.position == here.position);
    CHECK(far.target.after == here.target.after);
    CHECK(far.target.before == here.target.before);
    CHECK(far.distractor.id == here.distractor.id);
    checkSame(far.after, here.after);
    checkSame(far.before, here.before);
}

}  // namespace

TEST_CASE("a device on another machine is held against the processor there")
{
    FarPair pair;
    const auto far = pair.request("ssh://gpu/demo:sparse").model;
    const auto check = value(pair.backend.checkDevice(far, {1, 2, 3}, {}));
    CHECK(check == value(pair.backend.checkDevice(pair.request("demo:sparse").model, {1, 2, 3}, {})));
    CHECK(check.layers == far->heads.layers);
    CHECK_FALSE(far->hasGpu);
    analyses::DeviceCheck differs{2, "Only some.",
                                  analyses::DeviceCheck::Difference{HeadId{1, 0}, 0.75, 0.5}};
    CHECK(service::deviceCheckFrom(remote::reader(service::toTree(differs)), far->heads) == differs);
    differs.beyond->head.reset();
    CHECK(service::deviceCheckFrom(remote::reader(service::toTree(differs)), far->heads) == differs);
}

TEST_CASE("a run on another machine is the run here, and so is each that follows it")
{
    FarPair pair;
    service::SideRequest far = pair.request("ssh://gpu/demo:sparse");
    service::SideRequest here = pair.request("demo:sparse");
    CHECK_FALSE(far.model->model);
    CHECK(far.model->title == here.model->title);
    CHECK(far.model->heads == here.model->heads);
    CHECK(far.model->fingerprint == here.model->fingerprint);
    CHECK(far.model->device == here.model->device + " on gpu");
    const auto check = [&] {
        checkSame(value(pair.backend.run(Side::Left, far, {}, {})),
                  value(pair.backend.run(Side::Left, here, {}, {})));
    };
    check();
    for (service::SideRequest* const request : {&far, &here})
        request->ablations[{1, 3}] = engine::HeadAblation::Kind::Zero;
    check();
    for (service::SideRequest* const request : {&far, &here})
        request->ablations[{0, 0}] = request->ablations[HeadId::mlpOf(1)] = engine::HeadAblation::Kind::Mean;
    check();
    for (service::SideRequest* const request : {&far, &here})
        request->prompt = "The opposite of \" large \" is";
    check();
    for (service::SideRequest* const request : {&far, &here}) {
        request->prompt = R"({"template": "gemma3", "messages": [{"role": "user", "content": "The store"}]})";
        request->isChat = true;
    }
    check();
    CHECK(value(pair.backend.run(Side::Left, far, {}, {})).tokens.front().role == text::TokenRole::Begin);
    for (const text::BlockUnit unit : {text::BlockUnit::Words, text::BlockUnit::Messages}) {
        for (service::SideRequest* const request : {&far, &here})
            request->blocks.unit = unit;
        check();
    }
    CHECK(value(pair.backend.run(Side::Left, far, {}, {})).hasBlocks());
}

TEST_CASE("a part of a run that has all layers already is still a part")
{
    service::EngineBackend backend;
    service::SideRequest request;
    request.model = value(backend.open({"demo:sparse", "cpu", "auto"}, {}));
    request.gate = engine::chooseGate({}, request.model->ownGateBias);
    request.prompt = kFarPrompt;
    request.ablations[{1, 3}] = engine::HeadAblation::Kind::Zero;
    service::SideResult part = value(backend.run(Side::Left, request, {}, {}));
    part.before = {};
    const remote::Tree tree = service::toTree(part, nullptr);
    checkSame(service::sideResultFrom(remote::reader(tree), request, nullptr), part);
}

TEST_CASE("an ablation on another machine sends fewer bytes than a new prompt")
{
    Daemon daemon;
    const std::shared_ptr<service::Machines> machines = daemon.machines();
    service::AnyBackend backend(machines);
    service::SideRequest request;
    request.model = value(backend.open({"ssh://gpu/demo:dense", "cpu", "auto"}, {}));
    request.prompt = kFarPrompt;
    const auto bytesOf = [&] {
        const std::uint64_t before = machines->all().front().state.bytesReceived;
        value(backend.run(Side::Left, request, {}, {}));
        return machines->all().front().state.bytesReceived - before;
    };
    const std::uint64_t whole = bytesOf();
    request.ablations[{6, 3}] = engine::HeadAblation::Kind::Zero;
    CHECK(2 * bytesOf() < whole);
}

TEST_CASE("maps, cells and analyses of another machine are those of this one")
{
    FarPair pair;
    const service::SideRequest far = pair.request("ssh://gpu/demo:dense");
    const service::SideRequest here = pair.request("demo:dense");
    const service::SideRequest farOther = pair.request("ssh://gpu/demo:sparse");
    const service::SideRequest hereOther = pair.request("demo:sparse");

    const std::size_t cells = static_cast<std::size_t>(here.model->heads.heads) * 15 * 15;
    for (const auto& [kind, word] : enumWords(engine::MapKind())) {
        const service::MapQuery query = {Side::Left, 2, kind, false};
        const engine::LayerMap there = value(pair.backend.maps(far, query, {}));
        const engine::LayerMap mine = value(pair.backend.maps(here, query, {}));
        CHECK(std::memcmp(there.get(), mine.get(), cells * sizeof(float)) == 0);
        CHECK(service::toTree(value(pair.backend.pooledMaps(Side::Left, far, kind, {}))) ==
              service::toTree(value(pair.backend.pooledMaps(Side::Left, here, kind, {}))));
    }
    CHECK(value(pair.backend.cellWeights(Side::Left, far, 9, 3, {})) ==
          value(pair.backend.cellWeights(Side::Left, here, 9, 3, {})));

    for (const service::AnalysisKind kind : service::kAnalyses) {
        if (service::readsFeatures(kind) || kind == service::AnalysisKind::History)
            continue;  // those travel in graph_trees_test and below
        service::AnalysisRequest asked;
        asked.kind = kind;
        asked.corrupted = "When Mary and John went to the store , Mary gave a drink to";
        asked.heads = {{0, 1}, {3, 3}, {7, 0}};
        asked.threshold = 0.1;
        asked.set.where = "task:induction:5";
        asked.hasRollout = true;
        asked.lens = {/*withHalves=*/true, /*steps=*/2, /*key=*/3};
        service::AnalysisRequest there = asked;
        there.side = far;
        there.other = farOther;
        asked.side = here;
        asked.other = hereOther;
        CHECK(service::toTree(value(pair.backend.analyse(there, {}, {}))) ==
              service::toTree(value(pair.backend.analyse(asked, {}, {}))));
    }
}

TEST_CASE("the steps of a training are those on the machine that has them")
{
    FarPair pair;
    const TempDir training;
    for (const char* const step : {"step10", "step20"})
        std::filesystem::create_directory_symlink(HS_SOURCE_DIR "/resources/models/demo-dense",
                                                  training / step);
    const std::string here = (training / "step10").string();
    service::AnalysisRequest asked;
    asked.kind = service::AnalysisKind::History;
    asked.side = pair.request(here);
    service::AnalysisRequest there = asked;
    there.side = pair.request("ssh://gpu/" + here);
    const service::OpenModel& model = *there.side.model;
    REQUIRE(model.revisions.size() == 2);
    CHECK(model.revisions[1] == model::Revision{20, "ssh://gpu/" + (training / "step20").string()});
    CHECK(model.revision == std::size_t{0});
    CHECK(pair.request(model.revisions[1].source).model->revision == std::size_t{1});
    CHECK(service::toTree(value(pair.backend.analyse(there, {}, {}))) ==
          service::toTree(value(pair.backend.analyse(asked, {}, {}))));
}

TEST_CASE("what a model writes on another machine is what it writes here, step by step")
{
    FarPair pair;
    const service::GenerationSetup setup{.count = 6, .temperature = 1, .seed = 3, .ablateFrom = 2};
    std::array<std::vector<service::SideResult>, 2> steps;  // far, here
    std::array<service::GeneratedText, 2> texts;
    for (std::size_t index = 0; index < steps.size(); ++index) {
        service::SideRequest request = pair.request(index == 0 ? "ssh://gpu/demo:sparse" : "demo:sparse");
        request.ablations[{1, 3}] = engine::HeadAblation::Kind::Zero;
        texts[index] =
            value(pair.backend.generate(Side::Left, request, setup, {}, [&](service::SideResult step) {
                steps[index].push_back(std::move(step));
            }));
    }
    CHECK(texts[0] == texts[1]);
    REQUIRE(steps[0].size() == 7);
    REQUIRE(steps[1].size() == 7);
    for (std::size_t step = 0; step < steps[1].size(); ++step) {
        checkSame(steps[0][step], steps[1][step]);
        CHECK(steps[0][step].request.generated == steps[1][step].request.generated);
        CHECK(steps[0][step].request.next == steps[1][step].request.next);
        CHECK(steps[0][step].request.ablations == steps[1][step].request.ablations);
        CHECK(steps[0][step].next.after == steps[1][step].next.after);
        CHECK(steps[0][step].next.before == steps[1][step].next.before);
    }
}

TEST_CASE("a set of prompts on another machine, whose file is here, is the set here")
{
    FarPair pair;
    const TempDir folder;
    service::SideRequest far = pair.request("ssh://gpu/demo:sparse");
    service::SideRequest here = pair.request("demo:sparse");
    service::SetView view;
    view.set.where = folder.write("set.csv", "name\nMary\nJohn\n\"\"\nMary and John\n").string();
    view.set.pattern = "When {name} went to";
    here.view = far.view = view;
    const service::SideResult there = value(pair.backend.run(Side::Left, far, {}, {}));
    const service::SideResult mine = value(pair.backend.run(Side::Left, here, {}, {}));
    checkSame(there, mine);
    REQUIRE(there.set);
    CHECK(there.set->done == 3);
    CHECK(there.set->leftOut == mine.set->leftOut);
    CHECK(bitsOf(there.set->low) == bitsOf(mine.set->low));
    CHECK(bitsOf(there.set->high) == bitsOf(mine.set->high));

    const service::MapQuery query = {Side::Left, 2, engine::MapKind::Weights, false};
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(here.model->heads.heads) *
                              mine.tokens.size() * mine.tokens.size();
    CHECK(std::memcmp(value(pair.backend.maps(far, query, {})).get(),
                      value(pair.backend.maps(here, query, {})).get(), bytes) == 0);
    CHECK(value(pair.backend.cellWeights(Side::Left, far, 3, 1, {})) ==
          value(pair.backend.cellWeights(Side::Left, here, 3, 1, {})));

    service::AnalysisRequest asked;
    asked.kind = service::AnalysisKind::Prompts;
    asked.side = here;
    asked.set = view.set;
    service::AnalysisRequest other = asked;
    other.side = far;
    CHECK(service::toTree(value(pair.backend.analyse(other, {}, {}))) ==
          service::toTree(value(pair.backend.analyse(asked, {}, {}))));
}

TEST_CASE("models on different machines are run side by side, but not compared")
{
    FarPair pair;
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Compare;
    request.side = pair.request("ssh://gpu/demo:dense");
    request.other = pair.request("demo:sparse");
    const Result<service::AnalysisResult> result = pair.backend.analyse(request, {}, {});
    REQUIRE_FALSE(result);
    CHECK(result.error().message.find("open both on the same one") != std::string::npos);
}

TEST_CASE("a folder on another machine lists its folders and models")
{
    Daemon daemon;
    const service::FarFolder folder =
        value(daemon.machines()->list("gpu", HS_SOURCE_DIR "/resources/models", {}));
    CHECK(folder.parent == HS_SOURCE_DIR "/resources");
    CHECK(folder.folders == std::vector<std::string>{"demo-dense", "demo-sparse"});
    REQUIRE(folder.models.size() >= 2);
    CHECK(folder.models[0].source == HS_SOURCE_DIR "/resources/models/demo-dense");
    CHECK(folder.models[0].problem.empty());
    const auto missing = daemon.machines()->list("gpu", "/no/such/folder", {});
    REQUIRE_FALSE(missing);
    CHECK(missing.error().message.find("choose another one") != std::string::npos);
}
