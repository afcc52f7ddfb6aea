#include "base/json_reader.h"
#include "service/command_words.h"
#include "service/engine_backend.h"
#include "service/request_trees.h"
#include "support/mentions.h"
#include "support/models.h"

using namespace hs;

namespace {

/// A backend and a chat for the dense demo model.
struct BlockSide {
    service::SideRequest request(text::BlockChoice blocks)
    {
        service::SideRequest made;
        made.model =
            test::value(backend.open({HS_SOURCE_DIR "/resources/models/demo-dense", "cpu", "auto"}, {}));
        made.isChat = true;
        made.prompt = R"({"template": "gemma3", "messages": [
            {"role": "user", "content": "When Mary and John went to the store"},
            {"role": "assistant", "content": "John gave a drink"},
            {"role": "user", "content": "to go to the park and to"}]})";
        made.blocks = std::move(blocks);
        return made;
    }
    service::SideResult run(const service::SideRequest& request)
    {
        return test::value(backend.run(Side::Left, request, {}, {}));
    }
    service::EngineBackend backend;
};

std::vector<std::string> namesOf(const std::vector<text::Token>& tokens)
{
    std::vector<std::string> names;
    for (const text::Token& token : tokens)
        names.push_back(token.text);
    return names;
}

}  // namespace

TEST_CASE("a side's blocks are what its maps are of, and predictions are read at its text's tokens")
{
    BlockSide side;
    const service::SideResult plain = side.run(side.request({}));
    service::SideRequest request = side.request({text::BlockUnit::Messages});
    const service::SideResult run = side.run(request);
    CHECK(namesOf(run.tokens) ==
          std::vector<std::string>{"<bos>", "user 1", "assistant 1", "user 2", "answer"});
    CHECK(run.after.queries() == 5);
    CHECK(run.after.tileRows == 5);
    CHECK(run.textTokens() == plain.tokens);
    CHECK(run.position == plain.position);
    CHECK(run.after.predictions == plain.after.predictions);
    CHECK(run.after.loss == plain.after.loss);
    for (int token = 0; token < std::ssize(plain.tokens); ++token)
        CHECK(run.tokensAt(run.placeOf(token)).contains(token));

    request.ablations[{0, 0}] = {};
    request.position = 3;
    const service::SideResult ablated = side.run(request);
    CHECK(ablated.position == 3);
    CHECK(ablated.before.tokens == run.after.tokens);
    CHECK(ablated.before.density == run.after.density);

    const engine::LayerMap maps =
        test::value(side.backend.maps(request, {Side::Left, 1, engine::MapKind::Weights, false}, {}));
    for (int block = 0; block < 5; ++block) {
        double sum = 0;
        for (int key = 0; key < 5; ++key)
            sum += double(maps[5 * block + key]);
        CHECK(sum == Approx(1).margin(1e-5));
    }
    const std::vector<float> cells = test::value(side.backend.cellWeights(Side::Left, request, 3, 1, {}));
    CHECK(cells[std::size_t(run.after.heads.indexOf({1, 0}))] == Approx(maps[5 * 3 + 1]).margin(1e-6));
    CHECK(test::value(side.backend.pooledMaps(Side::Left, request, engine::MapKind::ValueWeighted, {}))
              .tokens == 5);
}

TEST_CASE("analyses of maps are of blocks, and a corrupted prompt is patched from token by token")
{
    BlockSide side;
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Flow;
    request.side = side.request({text::BlockUnit::Messages});
    CHECK(std::get<stats::TokenFlow>(test::value(side.backend.analyse(request, {}, {}))).tokens == 5);
    request.kind = service::AnalysisKind::Compare;
    request.other = side.request({text::BlockUnit::Messages});
    const auto same = std::get<analyses::Comparison>(test::value(side.backend.analyse(request, {}, {})));
    CHECK(same.pairs.front().distance.totalVariation == 0);

    service::SideRequest patched = side.request({text::BlockUnit::Messages});
    patched.ablations[{0, 0}] = HeadChange::Kind::Replace;
    patched.patch = "to go to the store and to";
    CHECK(side.run(patched).after.queries() == 5);
}

TEST_CASE("what a model writes on is told token by token, and is in the last block of the whole text")
{
    BlockSide side;
    const service::SideRequest request = side.request({text::BlockUnit::Messages});
    std::vector<service::SideResult> steps;
    service::GenerationSetup setup;
    setup.count = 3;
    const service::GeneratedText text = test::value(side.backend.generate(
        Side::Left, request, setup, {}, [&](service::SideResult step) { steps.push_back(std::move(step)); }));
    REQUIRE(!steps.empty());
    CHECK(!steps.front().hasBlocks());
    const service::SideResult whole = side.run(service::atStep(request, 0, text.tokens, std::nullopt));
    CHECK(namesOf(whole.tokens).back() == "answer");
    CHECK(whole.tokensAt(4).last + 1 == std::ssize(whole.textTokens()));
}

TEST_CASE("blocks go to another machine and into copied commands as they are typed")
{
    BlockSide side;
    for (const char* const typed : {"words", "sentences", "lines", "messages", "0-4=question,5-12"}) {
        const service::SideRequest request = side.request(test::value(text::parseBlocks(typed)));
        const remote::Tree tree = service::toTree(request);
        const auto find = [&](const service::OpenRequest&) { return request.model; };
        CHECK(service::sideRequestFrom(remote::reader(tree), find) == request);
        CHECK(test::mentions(test::value(service::commandOf(request)),
                             std::string("--blocks ") + (typed[0] == '0' ? "" : typed)));
    }
    CHECK(!service::toTree(side.request({})).contains("blocks"));
    remote::Tree bad = service::toTree(side.request({text::BlockUnit::Words}));
    bad["blocks"] = "paragraphs";
    const auto find = [&](const service::OpenRequest&) { return side.request({}).model; };
    CHECK_THROWS(service::sideRequestFrom(remote::reader(bad), find));
}

TEST_CASE("a result that was found of blocks is kept apart from that of tokens")
{
    BlockSide side;
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Flow;
    request.side = side.request({});
    const std::string plain = service::keyOf(request);
    CHECK(plain.find("blocks") == std::string::npos);  // keys in older sessions stay valid
    request.side.blocks = {text::BlockUnit::Messages};
    CHECK(service::keyOf(request) != plain);
}
