#include "support/catch.h"
#include "ui/explorer_desk.h"

#include <QCoreApplication>
#include <QUndoStack>

#include <algorithm>
#include <random>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

TEST_CASE("a prompt and two models give two runs, and the window's thread never calls the backend")
{
    Desk desk;
    desk.start();
    REQUIRE(desk.left().run);
    REQUIRE(desk.right().run);
    CHECK(desk.left().model->heads == HeadShape{4, 6, 6});
    CHECK(desk.left().run->tokens.size() == 9);
    CHECK(desk.right().run->request.gate.has_value());
    CHECK(desk.explorer->hasSameTokens());
    CHECK(desk.messages.empty());
    desk.explorer->map({Side::Left, 1});
    desk.setPrompt(QStringLiteral("Another text"));
    waitUntilIdle(*desk.explorer);
    CHECK_FALSE(desk.fake->wasCalledAtHome());
}

TEST_CASE("of 500 requests during a slow run the last is shown, and none after a newer one")
{
    Desk desk;
    desk.start();
    std::vector<SideRequest> shown;
    QObject::connect(desk.explorer.get(), &Explorer::stateChanged, desk.explorer.get(), [&](Side side) {
        if (side == Side::Left && (shown.empty() || shown.back() != desk.left().run->request))
            shown.push_back(desk.left().run->request);
    });
    const bool isDeaf = GENERATE(false, true);
    desk.fake->hold(Call::Run, isDeaf);
    desk.setPrompt(QStringLiteral("held"));
    desk.fake->waitUntilHeld(Call::Run);
    const int runs = desk.fake->count(Call::Run);
    const long holders = desk.left().model.use_count();

    std::mt19937 random(5);
    std::vector<Document> asked;
    for (int request = 0; request < 500; ++request) {
        if (random() % 3 == 0)
            desk.setPrompt(QStringLiteral("prompt number %1").arg(request));
        else
            desk.explorer->toggleAblation(Side::Left,
                                          {{static_cast<int>(random() % 4), static_cast<int>(random() % 6)}});
        asked.push_back(desk.explorer->document());
        QCoreApplication::processEvents();
    }
    // Whatever holds a request holds its model: nothing piled up.
    CHECK(desk.left().model.use_count() <= holders + 4);
    CHECK(desk.left().isStale);

    desk.fake->release(Call::Run);
    waitUntilIdle(*desk.explorer);
    if (isDeaf)
        CHECK(desk.fake->count(Call::Run) <= runs + 3);
    const SideRequest& last = desk.left().run->request;
    CHECK(last.prompt == asked.back().prompt.toStdString());
    CHECK(last.ablations == asked.back().side(Side::Left).ablations);
    CHECK(desk.right().run->request.prompt == last.prompt);

    const auto whenAsked = [&](const SideRequest& request) {
        for (std::size_t index = 0; index < asked.size(); ++index)
            if (asked[index].prompt.toStdString() == request.prompt &&
                asked[index].side(Side::Left).ablations == request.ablations)
                return static_cast<int>(index);
        return -1;
    };
    for (std::size_t index = 1; index < shown.size(); ++index)
        CHECK(whenAsked(shown[index - 1]) <= whenAsked(shown[index]));
}

TEST_CASE("a run on the same tokens is let finish and shown, one on other tokens is not")
{
    Desk desk;
    desk.start();
    struct Shown {
        std::string prompt;
        std::size_t ablations;
        bool isStale;
    };
    std::vector<Shown> shown;
    QObject::connect(desk.explorer.get(), &Explorer::stateChanged, desk.explorer.get(), [&](Side side) {
        const SideRequest& request = desk.explorer->state(side).run->request;
        if (side == Side::Left)
            shown.push_back({request.prompt, request.ablations.size(), desk.left().isStale});
    });
    desk.fake->hold(Call::Run);
    desk.explorer->toggleAblation(Side::Left, {{0, 1}});
    desk.fake->waitUntilHeld(Call::Run);
    SECTION("another ablation waits for it")
    {
        desk.explorer->toggleAblation(Side::Left, {{0, 2}});
        desk.fake->release(Call::Run);
        waitUntilIdle(*desk.explorer);
        const auto first = std::ranges::find(shown, 1u, &Shown::ablations);
        REQUIRE(first != shown.end());
        CHECK(first->isStale);
        CHECK(shown.back().ablations == 2);
    }
    SECTION("another prompt stops it")
    {
        desk.setPrompt(QStringLiteral("Other words"));
        desk.fake->release(Call::Run);
        waitUntilIdle(*desk.explorer);
        for (const Shown& state : shown)
            CHECK((state.ablations == 0 || state.prompt == "Other words"));
        CHECK(shown.back().ablations == 1);
    }
    CHECK_FALSE(shown.back().isStale);
}

TEST_CASE("the old picture stays, stale, until the new one is there")
{
    Desk desk;
    desk.start();
    const std::vector<std::uint8_t> before = shownTiles(*desk.explorer, Side::Left);
    desk.fake->hold(Call::Run);
    desk.explorer->toggleAblation(Side::Left, {{1, 1}});
    desk.fake->waitUntilHeld(Call::Run);
    CHECK(desk.left().isStale);
    CHECK_FALSE(desk.right().isStale);
    CHECK(desk.explorer->activity().isBusy);
    CHECK(desk.explorer->activity().stage.contains(QStringLiteral("4x6")));
    CHECK(shownTiles(*desk.explorer, Side::Left) == before);
    desk.fake->release(Call::Run);
    waitUntilIdle(*desk.explorer);
    CHECK(shownTiles(*desk.explorer, Side::Left) != before);
    CHECK(desk.explorer->activity() == Activity{});
}

TEST_CASE("an ablation changes what comes after its layer and nothing else")
{
    Desk desk;
    desk.start();
    const std::vector<std::uint8_t> before = shownTiles(*desk.explorer, Side::Left);
    const auto right = desk.right().run;
    desk.explorer->toggleAblation(Side::Left, {{1, 1}});
    waitUntilIdle(*desk.explorer);
    const std::vector<std::uint8_t> after = shownTiles(*desk.explorer, Side::Left);
    const auto twoLayers = static_cast<std::ptrdiff_t>(before.size() / 2);
    CHECK(std::equal(before.begin(), before.begin() + twoLayers, after.begin()));
    CHECK_FALSE(std::equal(before.begin() + twoLayers, before.end(), after.begin() + twoLayers));
    CHECK(desk.right().run == right);
    CHECK(desk.left().run->before.predictions != desk.left().run->after.predictions);
}

TEST_CASE("a failed run keeps the old picture and says why, and the next change tries again")
{
    Desk desk;
    desk.start();
    const std::vector<std::uint8_t> before = shownTiles(*desk.explorer, Side::Left);
    desk.fake->failNext(Call::Run, {ErrorCode::TooLarge, "It does not fit; shorten the prompt.", "detail"});
    desk.explorer->toggleAblation(Side::Left, {{0, 0}});
    waitUntilIdle(*desk.explorer);
    CHECK(shownTiles(*desk.explorer, Side::Left) == before);
    CHECK_FALSE(desk.left().isStale);
    CHECK(desk.left().problem == QStringLiteral("It does not fit; shorten the prompt."));
    REQUIRE(desk.messages.size() == 1);
    CHECK(desk.messages[0].kind == Message::Kind::Error);
    CHECK(desk.messages[0].text == desk.left().problem);
    CHECK(desk.messages[0].detail == QStringLiteral("detail"));

    SECTION("by another edit")
    {
        desk.explorer->toggleAblation(Side::Left, {{0, 1}});
    }
    SECTION("by running again")
    {
        desk.explorer->rerun();
    }
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().problem.isEmpty());
    CHECK(shownTiles(*desk.explorer, Side::Left) != before);
}

TEST_CASE("cancelling stops the run, keeps the picture and raises no error, and running again goes on")
{
    Desk desk;
    desk.start();
    const auto before = desk.left().run;
    desk.fake->hold(Call::Run);
    desk.setPrompt(QStringLiteral("One two three"));
    desk.fake->waitUntilHeld(Call::Run);
    desk.explorer->cancel();
    CHECK_FALSE(desk.explorer->activity().isBusy);
    CHECK(desk.left().run == before);
    CHECK_FALSE(desk.left().isStale);
    CHECK_FALSE(desk.left().problem.isEmpty());
    desk.fake->release(Call::Run);
    desk.explorer->rerun();
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().run->tokens.size() == 4);
    CHECK(desk.left().problem.isEmpty());
    CHECK(desk.messages.empty());
}

TEST_CASE("the Explorer can go while a run or a loading is under way")
{
    Desk desk;
    desk.start();
    const Call call = GENERATE(Call::Run, Call::Open);
    desk.fake->hold(call);
    if (call == Call::Run)
        desk.setPrompt(QStringLiteral("Never seen"));
    else
        desk.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    desk.fake->waitUntilHeld(call);
    desk.explorer.reset();
    QCoreApplication::processEvents();
    CHECK(desk.messages.empty());
}

TEST_CASE("without a prompt nothing runs, and the window says what to do")
{
    Desk desk;
    desk.start(QStringLiteral("fake:2x2"), QString(), QString());
    CHECK(desk.fake->count(Call::Run) == 0);
    CHECK_FALSE(desk.left().problem.isEmpty());
    CHECK(desk.left().model);
    CHECK_FALSE(desk.right().model);
    desk.setPrompt(QStringLiteral("Now"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().run);
    CHECK(desk.left().problem.isEmpty());
}

TEST_CASE("pins beyond a shorter prompt are released, and come back with undo")
{
    Desk desk;
    desk.start();
    desk.explorer->edit(QStringLiteral("Pin"), [](Document& document) {
        document.key = 2;
        document.query = 7;
        document.position = 8;
    });
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().run->position == 8);
    desk.setPrompt(QStringLiteral("Mary and"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.explorer->document().key == 2);
    CHECK_FALSE(desk.explorer->document().query);
    CHECK_FALSE(desk.explorer->document().position);
    CHECK(desk.left().run->position == 2);
    CHECK(desk.explorer->history().count() == 2);
    desk.explorer->history().undo();
    waitUntilIdle(*desk.explorer);
    CHECK(desk.explorer->document().query == 7);
    CHECK(desk.left().run->position == 8);
}

TEST_CASE("what is wrong on both sides is said once")
{
    Desk desk;
    desk.start();
    desk.setPrompt(QStringLiteral("word ").repeated(FakeBackend::kContext + 1));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.messages.size() == 1);
    CHECK(desk.left().problem == desk.right().problem);
    CHECK_FALSE(desk.left().problem.isEmpty());
}

TEST_CASE("a pin that only a prompt under way has goes when the prompt is that of the run on show again")
{
    Desk desk;
    desk.start();
    desk.setPrompt(QStringLiteral("a b"));
    waitUntilIdle(*desk.explorer);
    desk.fake->hold(FakeBackend::Call::Run);
    desk.setPrompt(QStringLiteral("a b c d e f"));
    desk.explorer->edit(QStringLiteral("pin"), [](Document& document) { document.key = 5; });
    CHECK(desk.explorer->document().key == 5);
    desk.setPrompt(QStringLiteral("a b"));
    desk.fake->release(FakeBackend::Call::Run);
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().run->tokens.size() == 3);
    CHECK_FALSE(desk.explorer->document().key);
}

TEST_CASE("a pin is not measured by the run of a model that another one could not take the place of")
{
    Desk desk;
    desk.start(QStringLiteral("fake:2x2+letters"), {}, QStringLiteral("Mary went"));
    desk.explorer->edit(QStringLiteral("Pin"), [](Document& document) { document.position = 8; });
    desk.explorer->openModel(Side::Left, QStringLiteral("/no/such/model"));
    waitUntilIdle(*desk.explorer);
    CHECK_FALSE(desk.left().problem.isEmpty());
    desk.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().run->tokens.size() == 3);
    CHECK_FALSE(desk.explorer->document().position);
    desk.explorer->history().undo();
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().run->tokens.size() == 3);
    CHECK(desk.explorer->document().position == 8);
}

TEST_CASE("sides of other tokens are told apart, and a pin stays while either side has its position")
{
    Desk desk;
    desk.start(QStringLiteral("fake:2x2"), QStringLiteral("fake:2x2+letters"));
    CHECK_FALSE(desk.explorer->hasSameTokens());
    desk.explorer->edit(QStringLiteral("Pin"), [](Document& document) { document.key = 4; });
    desk.setPrompt(QStringLiteral("Mary went"));
    waitUntilIdle(*desk.explorer);
    CHECK(desk.left().run->tokens.size() == 3);
    CHECK(desk.right().run->tokens.size() == 9);
    CHECK(desk.explorer->document().key == 4);
}
