#include "control/document/generated_text.h"
#include "control/explorer/generation_runs.h"
#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

constexpr int kCount = 8;
constexpr int kPromptTokens = 9;  // of the prompt that ExplorerUnderTest has, with ⟨bos⟩

struct Writers : ExplorerUnderTest {
    Writers()
    {
        start();
        change([](control::Document& document) { document.generation.count = kCount; });
        explorer->history().clear();
    }
    void change(const std::function<void(control::Document&)>& how)
    {
        explorer->edit(QStringLiteral("Change"), how);
    }
    void write()
    {
        explorer->generate();
        waitUntil(*explorer, [&] { return !explorer->generation().isRunning(); });
        waitUntilIdle(*explorer);
    }
    void lookAt(std::optional<int> step)
    {
        change([step](control::Document& document) { document.step = step; });
    }
    const std::vector<std::int64_t>& generated(Side side) const
    {
        return explorer->document().side(side).generated;
    }
};

}  // namespace

TEST_CASE("what the models write is one step of the history, and each step of it is shown without a run")
{
    Writers writers;
    writers.change([](control::Document& document) { document.position = 2; });
    writers.explorer->history().clear();
    writers.write();
    CHECK(writers.explorer->history().count() == 1);
    CHECK_FALSE(writers.explorer->document().position);
    for (const Side side : kSides) {
        CHECK(writers.generated(side).size() == kCount);
        CHECK(writers.explorer->state(side).run->tokens.size() == kPromptTokens + kCount);
    }
    const int runs = writers.fake->count(Call::Run);
    for (const int step : {0, 5, 3, kCount - 1}) {
        writers.lookAt(step);
        for (const Side side : kSides) {
            const control::SideState& state = writers.explorer->state(side);
            CHECK_FALSE(state.isStale);
            CHECK(state.run->request.generated ==
                  control::generatedShown(writers.explorer->document(), side));
            CHECK(state.run->tokens.size() == static_cast<std::size_t>(kPromptTokens + step));
            CHECK(state.run->next.id == writers.generated(side)[static_cast<std::size_t>(step)]);
            const auto fresh = writers.fake->run(side, state.run->request, {}, {});
            CHECK(fresh->after.predictions == state.run->after.predictions);
        }
    }
    CHECK(writers.fake->count(Call::Run) == runs + 8);  // this test's own
    writers.lookAt(std::nullopt);
    CHECK(writers.explorer->state(Side::Left).run->next.id == -1);
    writers.explorer->history().setIndex(0);
    CHECK(writers.generated(Side::Left).empty());
    CHECK(writers.explorer->document().position == 2);
}

TEST_CASE("a generation that is stopped keeps what was written until then")
{
    Writers writers;
    writers.fake->hold(Call::Generation);
    writers.explorer->generate();
    writers.fake->waitUntilHeld(Call::Generation);
    const control::GenerationRuns& generation = writers.explorer->generation();
    const std::size_t told = kCount / 2 - 1;  // tokens in the last text told
    for (bool isTold = false; !isTold;) {
        QCoreApplication::processEvents();
        isTold = generation.written(Side::Left).size() == told;
    }
    CHECK(generation.isRunning());
    CHECK(writers.generated(Side::Left).empty());
    const bool isByEscape = GENERATE(false, true);
    isByEscape ? writers.explorer->cancel() : writers.explorer->stopGenerating();
    writers.fake->release(Call::Generation);
    CHECK_FALSE(generation.isRunning());
    CHECK(writers.generated(Side::Left).size() == told);
    CHECK(writers.generated(Side::Right).empty());
    waitUntilIdle(*writers.explorer);
    CHECK(writers.generated(Side::Left).size() == told);
}

TEST_CASE("a text belongs to its prompt and its model")
{
    Writers writers;
    writers.write();
    const auto left = writers.generated(Side::Left);
    const auto right = writers.generated(Side::Right);
    writers.explorer->swapSides();
    CHECK(writers.generated(Side::Left) == right);
    CHECK(writers.generated(Side::Right) == left);
    writers.explorer->history().undo();
    writers.explorer->openModel(Side::Right, QStringLiteral("fake:2x2"));
    CHECK(writers.generated(Side::Left) == left);
    CHECK(writers.generated(Side::Right).empty());
    writers.explorer->history().undo();
    CHECK(writers.generated(Side::Right) == right);
    writers.lookAt(2);
    writers.setPrompt(QStringLiteral("Another text"));
    CHECK(writers.generated(Side::Left).empty());
    CHECK_FALSE(writers.explorer->document().step);
    writers.explorer->history().undo();
    CHECK(writers.generated(Side::Left) == left);
    writers.explorer->toggleAblation(Side::Left, {{1, 2}});
    CHECK(writers.generated(Side::Left) == left);
}

TEST_CASE("what is being written behind another prompt is dropped")
{
    Writers writers;
    writers.fake->hold(Call::Generation);
    writers.explorer->generate();
    writers.fake->waitUntilHeld(Call::Generation);
    writers.setPrompt(QStringLiteral("Another text"));
    CHECK_FALSE(writers.explorer->generation().isRunning());
    writers.fake->release(Call::Generation);
    waitUntilIdle(*writers.explorer);
    CHECK(writers.generated(Side::Left).empty());
    CHECK(writers.explorer->state(Side::Left).run->tokens.size() == 3);
}

TEST_CASE("heads are off from the step that is chosen, and in a text that is only the prompt")
{
    Writers writers;
    writers.change([](control::Document& document) { document.generation.ablateFrom = 3; });
    writers.explorer->toggleAblation(Side::Left, {{1, 2}});
    waitUntilIdle(*writers.explorer);
    const auto areOff = [&] { return !writers.explorer->state(Side::Left).run->request.ablations.empty(); };
    CHECK(areOff());
    writers.write();
    for (int step = 0; step <= kCount; ++step) {
        writers.lookAt(step);
        CHECK(areOff() == (step >= 3));
    }
}

TEST_CASE("cells of texts that part are matched as far as the texts agree")
{
    Writers writers;
    writers.change([](control::Document& document) {
        document.side(Side::Left).generated = {5, 6, 7};
        document.side(Side::Right).generated = {5, 6, 8, 9};
    });
    waitUntilIdle(*writers.explorer);
    const auto other = [&](int position) {
        return writers.explorer->matching(Side::Left, control::Axis::Query, position, Side::Right);
    };
    CHECK(other(0) == text::TokenSpan(0));
    CHECK(other(kPromptTokens + 1) == text::TokenSpan(kPromptTokens + 1));
    CHECK_FALSE(other(kPromptTokens + 2));
    CHECK_FALSE(writers.explorer->hasSameTokens());
    writers.lookAt(2);
    waitUntilIdle(*writers.explorer);
    CHECK(writers.explorer->hasSameTokens());
}

TEST_CASE("a failure to write says why, and what was written stays")
{
    Writers writers;
    writers.write();
    const auto before = writers.explorer->document();
    writers.fake->failNext(Call::Generation, {ErrorCode::BadRequest, "It is tired; let it rest.", {}});
    writers.explorer->generate();
    waitUntil(*writers.explorer, [&] { return !writers.explorer->generation().isRunning(); });
    REQUIRE(writers.messages.size() == 1);
    CHECK(writers.messages.front().text == QStringLiteral("It is tired; let it rest."));
    CHECK(writers.generated(Side::Right) == before.side(Side::Right).generated);
}
