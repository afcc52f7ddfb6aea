#include "service/command_words.h"

#include "base/shell_words.h"
#include "support/catch.h"
#include "support/mentions.h"
#include "support/models.h"

using namespace hs;

namespace {

service::SideRequest demoSide()
{
    auto model = std::make_shared<service::OpenModel>();
    model->request.source = "demo:sparse";
    model->ownGateBias = 0.5;
    service::SideRequest side;
    side.model = model;
    side.prompt = "Mary's book \"here\"";
    side.gate = engine::ScoreGate{0.5};
    side.target = "Mary";
    side.distractor = "John";
    return side;
}

std::vector<std::string> wordsOf(const service::AnalysisRequest& request)
{
    return shellWords(test::value(service::commandOf(request)));
}

}  // namespace

TEST_CASE("a copied command says the model, the prompt and what is changed, word for word")
{
    service::AnalysisRequest request;
    request.side = demoSide();
    CHECK(wordsOf(request) == std::vector<std::string>{"headscope", "sweep", "--model", "demo:sparse",
                                                       "--text", "Mary's book \"here\"", "--target", "Mary",
                                                       "--versus", "John"});
    request.side.ablations = {{HeadId{0, 3}, HeadChange::Kind::Zero}, {HeadId{1, 2}, HeadChange::Kind::Mean}};
    request.side.ablations[{4, 3}] = test::value(parseHeadChange("[14<10]:zero[*<0]:renormalise"));
    request.side.gate = engine::ScoreGate{0.25};
    request.sweep.units = analyses::SweepUnits::Layers;
    const std::vector<std::string> words = wordsOf(request);
    CHECK(std::vector(words.end() - 2, words.end()) == std::vector<std::string>{"--units", "layers"});
    const auto valueOf = [&](const std::string& option) {
        const auto at = std::ranges::find(words, option);
        return at == words.end() ? "none" : *(at + 1);
    };
    CHECK(valueOf("--ablate") == "L0H3,L1H2:mean,L4H3[14<10]:zero[*<0]:renormalise");
    CHECK(valueOf("--gate") == "score");
    CHECK(valueOf("--gate-bias") == "0.25");
}

TEST_CASE("a command about a far model goes to its machine, one about a chat is given the chat")
{
    service::AnalysisRequest request;
    request.side = demoSide();
    request.kind = service::AnalysisKind::Lens;
    auto model = std::make_shared<service::OpenModel>(*request.side.model);
    model->request.source = "ssh://user@gpu//models/olmo";
    request.side.model = model;
    request.side.isChat = true;
    request.side.prompt = "[{\"role\":\"user\"}]";
    const std::string line = test::value(service::commandOf(request));
    CHECK(test::mentions(line, "printf %s '[{\"role\":\"user\"}]' | headscope lens"));
    CHECK(test::mentions(line, "--model /models/olmo"));
    CHECK(test::mentions(line, "--host user@gpu"));
    CHECK(test::mentions(line, "--chat -"));
}

TEST_CASE("the ends of an edge are named as the command reads them")
{
    using Kind = features::GraphNode::Kind;
    service::AnalysisRequest request;
    request.side = demoSide();
    request.side.ablations.clear();
    request.kind = service::AnalysisKind::EdgeHeads;
    const auto endsOf = [&](features::NodeId source, features::NodeId target) {
        request.graph.sources = {source};
        request.graph.targets = {target};
        const std::vector<std::string> words = wordsOf(request);
        const auto at = std::ranges::find(words, "--heads-of");
        REQUIRE(words.end() - at > 2);
        return std::pair(at[1], at[2]);
    };
    CHECK(endsOf({Kind::Feature, 3, 5, 120}, {Kind::Error, 4, 6}) ==
          std::pair<std::string, std::string>("L3F120@5", "L4error@6"));
    CHECK(endsOf({Kind::Token, 0, 2, 17}, {Kind::Logit, 0, 6, 21}) ==
          std::pair<std::string, std::string>("token@2", "logit=21"));
    CHECK(endsOf({Kind::Position, 0, 2}, {Kind::Constant}) ==
          std::pair<std::string, std::string>("position@2", "constant"));
}

TEST_CASE("what no command says is refused with the reason")
{
    const auto refused = [](const auto& change) {
        service::AnalysisRequest request;
        request.side = demoSide();
        change(request);
        const auto line = service::commandOf(request);
        REQUIRE_FALSE(line);
        return line.error().message;
    };
    using Request = service::AnalysisRequest;
    CHECK(test::mentions(refused([](Request& request) { request.side.target.clear(); }), "target"));
    CHECK(test::mentions(refused([](Request& request) { request.side.position = 2; }), "last token"));
    CHECK(test::mentions(refused([](Request& request) { request.side.generated = {1}; }), "the model wrote"));
    CHECK(test::mentions(
        refused([](Request& request) { request.side.ablations[{0, 0}] = HeadChange::Kind::Replace; }),
        "patched"));
    CHECK(test::mentions(refused([](Request& request) {
                             request.kind = service::AnalysisKind::EdgeHeads;
                             request.graph.sources = {{}, {}};
                             request.graph.targets = {{}};
                         }),
                         "single nodes"));
}
