// Maps from a file: nothing runs, and queries and keys may be different tokens.
#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QUndoStack>

using namespace hs;
using namespace hs::test;

TEST_CASE("maps are shown without a prompt, and another prompt changes nothing about them")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("maps:3x4:7x19"), QStringLiteral("maps:3x4:9x9"), {});
    REQUIRE(tested.left().run);
    CHECK(tested.left().run->after.queries() == 7);
    CHECK(tested.left().run->after.keys() == 19);
    CHECK(tested.left().problem.isEmpty());
    CHECK_FALSE(tested.right().run->after.isCausal);
    const int runs = tested.fake->count(FakeBackend::Call::Run);
    tested.setPrompt(QStringLiteral("Another prompt"));
    CHECK(tested.fake->count(FakeBackend::Call::Run) == runs);
    CHECK(tested.messages.empty());
}

TEST_CASE("what takes an engine is refused for maps, with one reason, and leaves no trace")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("maps:3x4:9x9"), QString(), {});
    control::Explorer& explorer = *tested.explorer;
    const QString reason = explorer.whyNoRun(Side::Left);
    CHECK_FALSE(reason.isEmpty());
    CHECK(explorer.whyNoRun() == reason);
    CHECK(explorer.whyNotPossible(service::AnalysisKind::Sweep) == reason);
    CHECK(explorer.whyNotPossible(engine::MapKind::Scores) == reason);
    CHECK(explorer.whyNotPossible(service::AnalysisKind::Scatter).isEmpty());
    CHECK(explorer.whyNotPossible(engine::MapKind::Weights).isEmpty());
    CHECK(explorer.compared(Side::Left, control::TileValue::AfterAblation).problem == reason);
    explorer.toggleAblation(Side::Left, {{0, 1}});
    explorer.setAblated(Side::Left, {{0, 1}}, true);
    explorer.keepOnly(Side::Left, {{0, 1}});
    CHECK(explorer.history().count() == 0);
    explorer.edit(QStringLiteral("Scores"), [](control::Document& document) {
        document.tiles = control::TileValue::Scores;
        document.side(Side::Left).gate.kind = engine::GateChoice::Kind::Score;
        document.side(Side::Left).ablations[{1, 1}] = engine::HeadAblation::Kind::Zero;
    });
    CHECK(explorer.document().tiles == control::TileValue::Weights);
    CHECK(explorer.document().side(Side::Left).gate == engine::GateChoice());
    CHECK(explorer.document().side(Side::Left).ablations.empty());
    CHECK_FALSE(explorer.map({Side::Left, 0, engine::MapKind::Scores, false}));
    waitUntilIdle(explorer);
    CHECK(tested.messages.empty());
}

TEST_CASE("with a model on the other side, what takes an engine is possible there")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("maps:4x6:9x9"), QStringLiteral("fake:4x6"));
    control::Explorer& explorer = *tested.explorer;
    CHECK(explorer.whyNoRun().isEmpty());
    CHECK_FALSE(explorer.whyNoRun(Side::Left).isEmpty());
    CHECK(explorer.whyNoRun(Side::Right).isEmpty());
    explorer.toggleAblation(Side::Right, {{0, 1}});
    CHECK(explorer.document().side(Side::Right).ablations.size() == 1);
    // The map's tokens are others than the prompt's.
    CHECK_FALSE(explorer.hasSameTokens());
    CHECK_FALSE(explorer.matching(Side::Left, control::Axis::Key, 1, Side::Right));
}

TEST_CASE("keys are found among the other side's keys, and queries among its queries")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("maps:3x4:7x19"), QStringLiteral("maps:2x2:5x19"), {});
    control::Explorer& explorer = *tested.explorer;
    explorer.setHover({Side::Left, std::nullopt, 4, 17});
    CHECK(explorer.hovered(Side::Right).key == text::TokenSpan(17));
    CHECK_FALSE(explorer.hovered(Side::Right).query);  // seven queries there, five here
    explorer.edit(QStringLiteral("Pin"), [](control::Document& document) {
        document.key = 18;
        document.query = 6;
    });
    CHECK(explorer.document().key == 18);
    CHECK(explorer.document().query == 6);
    CHECK(explorer.pinned(Side::Right).key == text::TokenSpan(18));
    explorer.edit(QStringLiteral("Pin"), [](control::Document& document) {
        document.key = 19;
        document.query = 7;
    });
    CHECK_FALSE(explorer.document().key);
    CHECK_FALSE(explorer.document().query);
}

TEST_CASE("heads that a layer lacks are not shown, and have no counterpart")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("maps:3x4:6x6+ragged"), QStringLiteral("maps:3x4:6x6"), {});
    control::Explorer& explorer = *tested.explorer;
    CHECK(explorer.shownHeads(Side::Left).size() == 11);
    CHECK(explorer.matchingHeads(Side::Left).size() == 11);
    const std::vector<HeadId> shown = explorer.shownHeads(Side::Left);
    CHECK(std::ranges::find(shown, HeadId{1, 3}) == shown.end());
    CHECK(explorer.shownHeads(Side::Right).size() == 12);
}
