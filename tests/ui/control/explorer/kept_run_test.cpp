#include "control/explorer/kept_run.h"

#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using control::TileValue;

namespace {

void showSinceKept(ExplorerUnderTest& tested)
{
    tested.explorer->edit(QStringLiteral("Since the kept run"),
                          [](control::Document& document) { document.tiles = TileValue::SinceKept; });
}

}  // namespace

TEST_CASE("later runs are compared with the kept one, before ablation with their own")
{
    ExplorerUnderTest tested;
    tested.start();
    CHECK_FALSE(tested.explorer->differenceProblem(TileValue::SinceKept).isEmpty());
    tested.explorer->toggleAblation(Side::Left, {{0, 1}});
    waitUntilIdle(*tested.explorer);
    tested.explorer->keepRuns();
    REQUIRE_FALSE(tested.messages.empty());
    const auto kept = tested.left().run;
    CHECK(tested.explorer->keptRun(Side::Left)->words ==
          QStringLiteral("“When Mary and John went to the…”, 1 ablated"));
    CHECK(tested.explorer->keptRun(Side::Right)->words.contains(QStringLiteral("gate on")));

    tested.explorer->toggleAblation(Side::Left, {{1, 2}});
    waitUntilIdle(*tested.explorer);
    const control::RunPair since = tested.explorer->compared(Side::Left, TileValue::SinceKept);
    CHECK(since.problem.isEmpty());
    CHECK(since.after.run.get() == &tested.left().run->after);
    CHECK(since.before.run->tiles == kept->after.tiles);
    const control::RunPair ablated = tested.explorer->compared(Side::Left, TileValue::AfterAblation);
    CHECK(ablated.after.run == since.after.run);
    CHECK(ablated.before.run.get() == &tested.left().run->before);
}

TEST_CASE("other words are compared with a kept run cell by cell, another number of tokens is not")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.explorer->keepRuns();
    showSinceKept(tested);
    tested.setPrompt(QStringLiteral("When Anna and Peter went to the market"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->differenceProblem(TileValue::SinceKept).isEmpty());
    tested.setPrompt(QStringLiteral("When Anna and Peter went"));
    waitUntilIdle(*tested.explorer);
    const QString problem = tested.explorer->differenceProblem(TileValue::SinceKept);
    CHECK(problem.contains(QStringLiteral("9 tokens")));
    CHECK(problem.contains(QStringLiteral("6")));
    CHECK(tested.explorer->document().tiles == TileValue::SinceKept);
}

TEST_CASE("a kept run does not keep its model alive, and outlives it")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:4x6"), QString());
    tested.explorer->keepRuns();
    const std::weak_ptr<const service::OpenModel> model = tested.left().model;
    control::Preferences preferences = tested.explorer->preferences();
    preferences.dtype = "bf16";
    tested.explorer->setPreferences(preferences);
    waitUntil(*tested.explorer,
              [&] { return tested.left().model != model.lock() && !tested.left().isStale; });
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->compared(Side::Left, TileValue::SinceKept).problem.isEmpty());
    // Old runs are disposed of on the worker's thread: what it does next comes after that.
    tested.explorer->rerun();
    waitUntilIdle(*tested.explorer);
    CHECK(model.expired());
}

TEST_CASE("kept runs follow their models to the other side and are forgotten with them")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:4x6"), QStringLiteral("fake:2x3"));
    tested.explorer->keepRuns();
    tested.explorer->swapSides();
    waitUntilIdle(*tested.explorer);
    REQUIRE(tested.explorer->keptRun(Side::Left));
    CHECK(tested.explorer->keptRun(Side::Left)->model == "fake:2x3");
    CHECK(tested.explorer->keptRun(Side::Right)->model == "fake:4x6");
    CHECK(tested.explorer->compared(Side::Left, TileValue::SinceKept).problem.isEmpty());
    tested.explorer->history().undo();
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->keptRun(Side::Left)->model == "fake:4x6");

    tested.explorer->openModel(Side::Left, QStringLiteral("fake:2x3"));
    waitUntilIdle(*tested.explorer);
    CHECK_FALSE(tested.explorer->keptRun(Side::Left));
    CHECK(tested.explorer->keptRun(Side::Right));
    CHECK_FALSE(tested.explorer->compared(Side::Left, TileValue::SinceKept).problem.isEmpty());
    CHECK(tested.explorer->differenceProblem(TileValue::SinceKept).isEmpty());
}

TEST_CASE("keeping a run is no step, showing what has changed since is one")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.explorer->keepRuns();
    CHECK(tested.explorer->history().count() == 0);
    showSinceKept(tested);
    tested.explorer->history().undo();
    CHECK(tested.explorer->document().tiles == TileValue::Weights);
    tested.explorer->history().redo();
    CHECK(tested.explorer->document().tiles == TileValue::SinceKept);
}

TEST_CASE("tiles show weights again where no run is kept")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.explorer->keepRuns();
    showSinceKept(tested);
    const control::Document chosen = tested.explorer->document();
    REQUIRE(chosen.tiles == TileValue::SinceKept);
    SECTION("once it is forgotten, whatever is redone")
    {
        tested.explorer->forgetKeptRuns();
        CHECK(tested.explorer->document().tiles == TileValue::Weights);
        tested.explorer->history().undo();
        tested.explorer->history().redo();
    }
    SECTION("in a session that was stored with the choice")
    {
        tested.explorer->reset(chosen);
    }
    SECTION("once both models are others")
    {
        for (const Side side : kSides)
            tested.explorer->openModel(side, QStringLiteral("fake:2x3"));
    }
    CHECK(tested.explorer->document().tiles == TileValue::Weights);
    CHECK_FALSE(tested.explorer->keptRun(Side::Left));
}
