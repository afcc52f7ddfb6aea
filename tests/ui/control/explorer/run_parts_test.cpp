#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

/// Both sides have run; from now on runs tell two layers and wait.
struct SlowRuns {
    SlowRuns()
    {
        tested.start();
        tested.fake->tellParts(2);
        tested.fake->hold(Call::Run);
    }
    void waitForPart()
    {
        waitUntil(*tested.explorer, [this] { return tested.left().part != nullptr; });
    }
    void finish()
    {
        tested.fake->release(Call::Run);
        waitUntilIdle(*tested.explorer);
    }

    ExplorerUnderTest tested;
};

}  // namespace

TEST_CASE("the layers that are done stand beside the old run until the new one is there")
{
    SlowRuns slow;
    const auto before = slow.tested.left().run;
    slow.tested.setPrompt(QStringLiteral("One two"));
    slow.waitForPart();
    CHECK(slow.tested.left().run == before);
    CHECK(slow.tested.left().isStale);
    CHECK(slow.tested.left().part->after.heads.layers == 2);
    CHECK(slow.tested.left().part->tokens.size() == 3);
    slow.finish();
    CHECK_FALSE(slow.tested.left().part);
    CHECK(slow.tested.left().run->after.heads.layers == 4);
    CHECK_FALSE(slow.tested.left().isStale);
}

TEST_CASE("layers of a text that is no longer wanted are not shown")
{
    SlowRuns slow;
    slow.tested.setPrompt(QStringLiteral("One two"));
    slow.waitForPart();
    SECTION("since another was typed")
    {
        slow.tested.setPrompt(QStringLiteral("One two three"));
    }
    SECTION("since the run was cancelled")
    {
        slow.tested.explorer->cancel();
    }
    SECTION("since the old one is wanted again")
    {
        slow.tested.explorer->history().undo();
    }
    CHECK_FALSE(slow.tested.left().part);
    slow.finish();
    CHECK_FALSE(slow.tested.left().part);
}

TEST_CASE("layers of a run that may finish stay while another ablation waits")
{
    SlowRuns slow;
    slow.tested.explorer->toggleAblation(Side::Left, {{1, 1}});
    slow.waitForPart();
    slow.tested.explorer->toggleAblation(Side::Left, {{1, 2}});
    CHECK(slow.tested.left().part);
    slow.finish();
    CHECK(slow.tested.left().run->request.ablations.size() == 2);
}

TEST_CASE("the first layers of another model take the place of the old model's run")
{
    SlowRuns slow;
    slow.tested.explorer->openModel(Side::Left, QStringLiteral("fake:3x2"));
    slow.waitForPart();
    CHECK_FALSE(slow.tested.left().run);
    CHECK_FALSE(slow.tested.left().isStale);
    CHECK(slow.tested.left().model == slow.tested.left().part->request.model);
    CHECK(control::shapeOf(slow.tested.left()) == HeadShape{3, 2, 2});

    // With nothing else to show they stay, dimmed, while another text is run.
    slow.tested.setPrompt(QStringLiteral("Something else"));
    CHECK(slow.tested.left().part);
    CHECK(slow.tested.left().isStale);
    slow.finish();
    CHECK(slow.tested.left().run->after.heads.layers == 3);
}
