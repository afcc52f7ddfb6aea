#include "support/catch.h"
#include "ui/explorer_desk.h"

#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

TEST_CASE("a model that is open on the other side is not loaded again")
{
    Desk desk;
    desk.start();
    CHECK(desk.fake->count(Call::Open) == 2);
    desk.explorer->openModel(Side::Right, QStringLiteral("fake:4x6"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.fake->count(Call::Open) == 2);
    CHECK(desk.left().model == desk.right().model);
}

TEST_CASE("swapping sides loads nothing, runs nothing and swaps the pictures")
{
    Desk desk;
    desk.start();
    const auto left = desk.left().run;
    const auto right = desk.right().run;
    const int runs = desk.fake->count(Call::Run);
    desk.explorer->swapSides();
    CHECK(desk.left().run == right);
    CHECK(desk.right().run == left);
    desk.explorer->history().undo();
    CHECK(desk.left().run == left);
    waitUntilIdle(*desk.explorer);
    CHECK(desk.fake->count(Call::Open) == 2);
    CHECK(desk.fake->count(Call::Run) == runs);
}

TEST_CASE("a model that cannot be opened keeps the old picture and says why, and asking again tries again")
{
    Desk desk;
    desk.start();
    const auto before = desk.left().run;
    desk.explorer->openModel(Side::Left, QStringLiteral("missing"));
    CHECK(desk.left().isLoading);
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().run == before);
    CHECK(desk.left().problem.contains(QStringLiteral("missing")));
    REQUIRE(desk.messages.size() == 1);
    CHECK(desk.messages[0].kind == Message::Kind::Error);

    const int opens = desk.fake->count(Call::Open);
    desk.explorer->openModel(Side::Left, QStringLiteral("missing"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.fake->count(Call::Open) == opens + 1);
    CHECK(desk.explorer->history().count() == 1);
    desk.explorer->history().undo();
    CHECK(desk.left().run == before);
    CHECK(desk.left().problem.isEmpty());
}

TEST_CASE("what is shown is always a run of the model that is shown")
{
    Desk desk;
    desk.start();
    bool isConsistent = true;
    QObject::connect(desk.explorer.get(), &Explorer::stateChanged, desk.explorer.get(), [&](Side side) {
        const SideState& state = desk.explorer->state(side);
        isConsistent = isConsistent && (!state.run || state.run->request.model == state.model);
    });
    desk.explorer->openModel(Side::Left, QStringLiteral("fake:2x3"));
    waitUntil(*desk.explorer, [&] { return desk.left().model->heads.layers == 2; });
    desk.fake->failNext(Call::Run, {ErrorCode::BadRequest, "Too long; shorten it.", {}});
    desk.explorer->openModel(Side::Left, QStringLiteral("fake:3x3"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().model->heads.layers == 3);
    CHECK_FALSE(desk.left().run);
    CHECK(desk.left().problem == QStringLiteral("Too long; shorten it."));
    CHECK(isConsistent);
}

TEST_CASE("ablations a newly opened model cannot have are dropped, and come back with undo")
{
    Desk desk;
    desk.start();
    desk.explorer->setAblated(Side::Left, {{0, 1}, {3, 5}}, true);
    desk.explorer->select({{1, 1}, {3, 5}});
    waitUntilIdle(*desk.explorer);
    const Document before = desk.explorer->document();
    desk.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.explorer->document().side(Side::Left).ablations.size() == 1);
    CHECK(desk.left().run->request.ablations.contains({0, 1}));
    desk.explorer->history().undo();
    waitUntilIdle(*desk.explorer);
    CHECK(desk.explorer->document() == before);
    CHECK(desk.left().run->request.ablations.size() == 2);
    desk.explorer->history().redo();
    waitUntilIdle(*desk.explorer);
    CHECK(desk.explorer->document().side(Side::Left).ablations.size() == 1);
}

TEST_CASE("heads no side has are not selected")
{
    Desk desk;
    desk.start();
    desk.explorer->select({{0, 0}, {3, 5}});
    desk.explorer->setCurrent(Side::Left, HeadId{3, 5});
    desk.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.explorer->selection().size() == 2);
    desk.explorer->openModel(Side::Right, QStringLiteral("fake:2x2"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.explorer->selection() == std::set<HeadId>{{0, 0}});
    CHECK_FALSE(desk.explorer->currentHead());
}

TEST_CASE("opening another model while one is loading gives the last one")
{
    Desk desk;
    desk.start();
    desk.fake->hold(Call::Open);
    desk.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    desk.fake->waitUntilHeld(Call::Open);
    CHECK(desk.explorer->activity().stage.contains(QStringLiteral("2x2")));
    desk.explorer->openModel(Side::Left, QStringLiteral("fake:3x2"));
    desk.fake->release(Call::Open);
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().model->heads.layers == 3);
    CHECK(desk.left().run->after.heads.layers == 3);
    CHECK(desk.messages.empty());
}

TEST_CASE("loading can be cancelled and taken up again")
{
    Desk desk;
    desk.start();
    desk.fake->hold(Call::Open);
    desk.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    desk.fake->waitUntilHeld(Call::Open);
    desk.explorer->cancel();
    CHECK_FALSE(desk.left().isLoading);
    CHECK_FALSE(desk.left().problem.isEmpty());
    desk.fake->release(Call::Open);
    SECTION("by running again")
    {
        desk.explorer->rerun();
    }
    SECTION("by opening it again")
    {
        desk.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    }
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().model->heads.layers == 2);
    CHECK(desk.left().problem.isEmpty());
}

TEST_CASE("another device opens the models again, other preferences do not")
{
    Desk desk;
    desk.start();
    Preferences preferences = desk.explorer->preferences();
    preferences.theme = Preferences::Theme::Dark;
    desk.explorer->setPreferences(preferences);
    CHECK_FALSE(desk.left().isLoading);
    preferences.device = "cpu";
    desk.explorer->setPreferences(preferences);
    CHECK(desk.left().isLoading);
    CHECK(desk.right().isLoading);
    waitUntilIdle(*desk.explorer);
    CHECK(desk.fake->count(Call::Open) == 4);
    CHECK(desk.left().run->request.model == desk.left().model);
}

TEST_CASE("rounding float32 for speed is a choice, and taking it runs both sides anew")
{
    Desk desk;
    desk.start();
    CHECK_FALSE(desk.left().run->request.model->tf32);
    const auto before = desk.left().run;
    Preferences preferences = desk.explorer->preferences();
    preferences.tf32 = true;
    desk.explorer->setPreferences(preferences);
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().run != before);
    CHECK(desk.left().run->request.model->tf32);
    CHECK(desk.right().run->request.model->tf32);
    CHECK(desk.left().model->precision == QStringLiteral("tf32"));
}

TEST_CASE("what a model has to say is said once, whichever sides show it")
{
    Desk desk;
    desk.start(QStringLiteral("fake:2x2+note"), QStringLiteral("fake:2x2+note"));
    REQUIRE(desk.messages.size() == 1);
    CHECK(desk.messages[0].kind == Message::Kind::Note);
    CHECK(desk.messages[0].text.contains(QStringLiteral("note")));
}
