#include "service/engine_backend.h"

#include "engine/request/gate_choice.h"
#include "support/models.h"

#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

/// The demo's sparse model behind a backend, and all it told of what it wrote.
struct Writer {
    service::EngineBackend backend;
    service::SideRequest request;
    std::vector<service::SideResult> steps;

    Writer()
    {
        request.model =
            value(backend.open({HS_SOURCE_DIR "/resources/models/demo-sparse", "cpu", "auto"}, {}));
        request.gate = engine::chooseGate({}, request.model->ownGateBias);
        request.prompt = "When Mary and John went to the store , John gave a drink to";
    }
    Result<service::GeneratedText> write(const service::GenerationSetup& setup, const Hooks& hooks = {})
    {
        steps.clear();
        return backend.generate(Side::Left, request, setup, hooks,
                                [&](service::SideResult step) { steps.push_back(std::move(step)); });
    }
    std::string textOf(const service::GeneratedText& text) const
    {
        std::string joined;
        for (const text::Token& token : service::generatedTokens(request.model->tokenizer.get(), text.tokens))
            joined += token.text;
        return joined;
    }
};

void checkLike(const engine::RunResult& grown, const engine::RunResult& run)
{
    CHECK(grown.tokens == run.tokens);
    CHECK(grown.position == run.position);
    REQUIRE(grown.predictions.size() == run.predictions.size());
    for (std::size_t rank = 0; rank < run.predictions.size(); ++rank)
        CHECK(std::abs(grown.predictions[rank].probability - run.predictions[rank].probability) < 1e-5);
    CHECK(std::abs(grown.loss.value() - run.loss.value()) < 1e-5);
    REQUIRE(grown.tileRows == run.tileRows);
    int farthest = 0;
    for (int index = 0; index < run.heads.total(); ++index)
        for (std::size_t cell = 0; cell < run.tileCells(); ++cell)
            farthest = std::max(farthest, std::abs(grown.tileOf(run.heads.at(index))[cell] -
                                                   run.tileOf(run.heads.at(index))[cell]));
    CHECK(farthest <= 1);
}

}  // namespace

TEST_CASE("each step of a generation is the run of its text, and the last is that of the whole text")
{
    Writer writer;
    writer.request.ablations[{2, 1}] = engine::HeadAblation::Kind::Zero;
    writer.request.ablations[{1, 3}] = engine::HeadAblation::Kind::Mean;
    writer.request.target = "Mary";
    const service::GeneratedText text =
        value(writer.write({.count = 5, .temperature = 1, .topK = 20, .seed = 4, .ablateFrom = 2}));
    REQUIRE(text.tokens.size() == 5);
    CHECK(text.end == analyses::GenerationEnd::Count);
    REQUIRE(writer.steps.size() == 6);
    for (std::size_t step = 0; step < writer.steps.size(); ++step) {
        const service::SideResult& told = writer.steps[step];
        CHECK(told.request.generated == std::vector(text.tokens.begin(), text.tokens.begin() + step));
        CHECK(told.request.next == (step < 5 ? std::optional(text.tokens[step]) : std::nullopt));
        CHECK(told.request.ablations.size() == (step < 2 ? 0 : 2));
        const service::SideResult run = value(writer.backend.run(Side::Right, told.request, {}, {}));
        CHECK(told.tokens == run.tokens);
        CHECK(told.tokens.size() == 15 + step);
        checkLike(told.after, run.after);
        checkLike(told.before, run.before);
        CHECK(told.next.id == run.next.id);
        CHECK(std::abs(told.next.after.probability - run.next.after.probability) < 1e-5);
        CHECK(std::abs(told.next.before.probability - run.next.before.probability) < 1e-5);
        CHECK(std::abs(told.target.after.probability - run.target.after.probability) < 1e-5);
    }
    CHECK(writer.steps.back().next.id == -1);
}

TEST_CASE("a text ends with its stop text, and where the model reads no more")
{
    Writer writer;
    const std::string whole = writer.textOf(value(writer.write({.count = 30})));
    const std::string stop = whole.substr(10, 3);
    const service::GeneratedText stopped = value(writer.write({.count = 30, .stop = stop}));
    CHECK(stopped.end == analyses::GenerationEnd::Listener);
    CHECK(writer.textOf(stopped).find(stop) != std::string::npos);
    CHECK(stopped.tokens.size() < 30);
    CHECK(whole.starts_with(writer.textOf(stopped)));
    CHECK(writer.steps.size() == stopped.tokens.size());

    const std::size_t room = 3;
    const auto context = static_cast<std::size_t>(writer.request.model->context);
    for (std::size_t length = 15; length + room < context; ++length)
        writer.request.prompt += " the";
    const service::GeneratedText full = value(writer.write({.count = 30}));
    CHECK(full.end == analyses::GenerationEnd::Context);
    CHECK(full.tokens.size() == room);
    CHECK(writer.steps.back().tokens.size() == context);
}

TEST_CASE("what a growing text cannot have is refused with the remedy, and a stop keeps what was told")
{
    Writer writer;
    writer.request.ablations[{2, 1}] = engine::HeadAblation::Kind::Replace;
    writer.request.patch = "When Mary and John went to the store , Mary gave a drink to";
    CHECK(writer.write({.count = 3}).error().message.find("cannot be patched") != std::string::npos);
    writer.request.ablations.clear();
    writer.request.scales.push_back(value(parseFeatureScale("L1F7=0")));
    CHECK(writer.write({.count = 3}).error().message.find("set them back to 1") != std::string::npos);
    writer.request.scales.clear();

    std::stop_source stop;
    const Hooks hooks{[&](int done, int) { done == 4 ? static_cast<void>(stop.request_stop()) : void(); },
                      stop.get_token()};
    CHECK(writer.write({.count = 30}, hooks).error().code == ErrorCode::Cancelled);
    CHECK(writer.steps.size() == 4);
}

TEST_CASE("generated texts agree as far as they say the same, whatever their tokens are")
{
    const auto tokens = [](std::initializer_list<std::string> texts) {
        std::vector<text::Token> made;
        for (const std::string& text : texts)
            made.push_back({0, text, 0, 0});
        return made;
    };
    CHECK(service::agreeingTokens(tokens({"to", " Ma", "ry", "."}), tokens({"to", " Mary", " ."})) == 3);
    CHECK(service::agreeingTokens(tokens({"to", " Mary", " ."}), tokens({"to", " Ma", "ry", "."})) == 2);
    CHECK(service::agreeingTokens(tokens({"to"}), tokens({"to", "be"})) == 1);
    CHECK(service::agreeingTokens(tokens({"to", "be"}), tokens({"to"})) == 1);
    CHECK(service::agreeingTokens({}, tokens({"to"})) == 0);
}
