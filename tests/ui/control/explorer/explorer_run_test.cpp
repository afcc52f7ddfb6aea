#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QCoreApplication>
#include <QUndoStack>

#include <algorithm>
#include <random>
#include <set>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

TEST_CASE("a prompt and two models give two runs, and the window's thread never calls the backend")
{
    ExplorerUnderTest tested;
    tested.start();
    REQUIRE(tested.left().run);
    REQUIRE(tested.right().run);
    CHECK(tested.left().model->heads == HeadShape{4, 6, 6});
    CHECK(tested.left().run->tokens.size() == 9);
    CHECK(tested.right().run->request.gate.has_value());
    CHECK(tested.explorer->hasSameTokens());
    CHECK(tested.messages.empty());
    tested.explorer->map({Side::Left, 1});
    tested.setPrompt(QStringLiteral("Another text"));
    waitUntilIdle(*tested.explorer);
    CHECK_FALSE(tested.fake->wasCalledAtHome());
}

TEST_CASE("of 500 requests during a slow run the last is shown, and none after a newer one")
{
    ExplorerUnderTest tested;
    tested.start();
    std::vector<service::SideRequest> shown;
    QObject::connect(
        tested.explorer.get(), &control::Explorer::stateChanged, tested.explorer.get(), [&](Side side) {
            if (side == Side::Left && (shown.empty() || shown.back() != tested.left().run->request))
                shown.push_back(tested.left().run->request);
        });
    const bool isDeaf = GENERATE(false, true);
    tested.fake->hold(Call::Run, isDeaf);
    tested.setPrompt(QStringLiteral("held"));
    tested.fake->waitUntilHeld(Call::Run);
    const int runs = tested.fake->count(Call::Run);
    const long holders = tested.left().model.use_count();

    std::mt19937 random(5);
    std::vector<control::Document> asked;
    for (int request = 0; request < 500; ++request) {
        if (random() % 3 == 0)
            tested.setPrompt(QStringLiteral("prompt number %1").arg(request));
        else
            tested.explorer->toggleAblation(
                Side::Left, {{static_cast<int>(random() % 4), static_cast<int>(random() % 6)}});
        asked.push_back(tested.explorer->document());
        QCoreApplication::processEvents();
    }
    // Whatever holds a request holds its model: nothing has piled up.
    CHECK(tested.left().model.use_count() <= holders + 4);
    CHECK(tested.left().isStale);

    tested.fake->release(Call::Run);
    waitUntilIdle(*tested.explorer);
    if (isDeaf)
        CHECK(tested.fake->count(Call::Run) <= runs + 3);
    const service::SideRequest& last = tested.left().run->request;
    CHECK(last.prompt == asked.back().prompt().text.toStdString());
    CHECK(last.ablations == asked.back().side(Side::Left).ablations);
    CHECK(tested.right().run->request.prompt == last.prompt);

    const auto whenAsked = [&](const service::SideRequest& request) {
        for (std::size_t index = 0; index < asked.size(); ++index)
            if (asked[index].prompt().text.toStdString() == request.prompt &&
                asked[index].side(Side::Left).ablations == request.ablations)
                return static_cast<int>(index);
        return -1;
    };
    for (std::size_t index = 1; index < shown.size(); ++index)
        CHECK(whenAsked(shown[index - 1]) <= whenAsked(shown[index]));
}

TEST_CASE("a run on the same tokens is let finish and shown, one on other tokens is not")
{
    ExplorerUnderTest tested;
    tested.start();
    struct Shown {
        std::string prompt;
        std::size_t ablations;
        bool isStale;
    };
    std::vector<Shown> shown;
    QObject::connect(
        tested.explorer.get(), &control::Explorer::stateChanged, tested.explorer.get(), [&](Side side) {
            const service::SideRequest& request = tested.explorer->state(side).run->request;
            if (side == Side::Left)
                shown.push_back({request.prompt, request.ablations.size(), tested.left().isStale});
        });
    tested.fake->hold(Call::Run);
    tested.explorer->toggleAblation(Side::Left, {{0, 1}});
    tested.fake->waitUntilHeld(Call::Run);
    SECTION("another ablation waits for it")
    {
        tested.explorer->toggleAblation(Side::Left, {{0, 2}});
        tested.fake->release(Call::Run);
        waitUntilIdle(*tested.explorer);
        const auto first = std::ranges::find(shown, 1u, &Shown::ablations);
        REQUIRE(first != shown.end());
        CHECK(first->isStale);
        CHECK(shown.back().ablations == 2);
    }
    SECTION("another prompt stops it")
    {
        tested.setPrompt(QStringLiteral("Other words"));
        tested.fake->release(Call::Run);
        waitUntilIdle(*tested.explorer);
        for (const Shown& state : shown)
            CHECK((state.ablations == 0 || state.prompt == "Other words"));
        CHECK(shown.back().ablations == 1);
    }
    CHECK_FALSE(shown.back().isStale);
}

TEST_CASE("the old picture stays, stale, until the new one is there")
{
    ExplorerUnderTest tested;
    tested.start();
    const std::vector<std::uint8_t> before = shownTiles(*tested.explorer, Side::Left);
    tested.fake->hold(Call::Run);
    tested.explorer->toggleAblation(Side::Left, {{1, 1}});
    tested.fake->waitUntilHeld(Call::Run);
    CHECK(tested.left().isStale);
    CHECK_FALSE(tested.right().isStale);
    CHECK(tested.explorer->activity().isBusy);
    CHECK(tested.explorer->activity().stage.contains(QStringLiteral("4x6")));
    CHECK(shownTiles(*tested.explorer, Side::Left) == before);
    tested.fake->release(Call::Run);
    waitUntilIdle(*tested.explorer);
    CHECK(shownTiles(*tested.explorer, Side::Left) != before);
    CHECK(tested.explorer->activity() == control::Activity{});
}

TEST_CASE("an ablation changes what comes after its layer and nothing else")
{
    ExplorerUnderTest tested;
    tested.start();
    const std::vector<std::uint8_t> before = shownTiles(*tested.explorer, Side::Left);
    const auto right = tested.right().run;
    tested.explorer->toggleAblation(Side::Left, {{1, 1}});
    waitUntilIdle(*tested.explorer);
    const std::vector<std::uint8_t> after = shownTiles(*tested.explorer, Side::Left);
    const auto twoLayers = static_cast<std::ptrdiff_t>(before.size() / 2);
    CHECK(std::equal(before.begin(), before.begin() + twoLayers, after.begin()));
    CHECK_FALSE(std::equal(before.begin() + twoLayers, before.end(), after.begin() + twoLayers));
    CHECK(tested.right().run == right);
    CHECK(tested.left().run->before.predictions != tested.left().run->after.predictions);
}

TEST_CASE("a failed run keeps the old picture and says why, and the next change tries again")
{
    ExplorerUnderTest tested;
    tested.start();
    const std::vector<std::uint8_t> before = shownTiles(*tested.explorer, Side::Left);
    tested.fake->failNext(Call::Run, {ErrorCode::TooLarge, "It does not fit; shorten the prompt.", "detail"});
    tested.explorer->toggleAblation(Side::Left, {{0, 0}});
    waitUntilIdle(*tested.explorer);
    CHECK(shownTiles(*tested.explorer, Side::Left) == before);
    CHECK_FALSE(tested.left().isStale);
    CHECK(tested.left().problem == QStringLiteral("It does not fit; shorten the prompt."));
    REQUIRE(tested.messages.size() == 1);
    CHECK(tested.messages[0].kind == control::Message::Kind::Error);
    CHECK(tested.messages[0].text == tested.left().problem);
    CHECK(tested.messages[0].detail == QStringLiteral("detail"));

    SECTION("by another edit")
    {
        tested.explorer->toggleAblation(Side::Left, {{0, 1}});
    }
    SECTION("by running again")
    {
        tested.explorer->rerun();
    }
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().problem.isEmpty());
    CHECK(shownTiles(*tested.explorer, Side::Left) != before);
}

TEST_CASE("cancelling stops the run, keeps the picture and raises no error, and running again goes on")
{
    ExplorerUnderTest tested;
    tested.start();
    const auto before = tested.left().run;
    tested.fake->hold(Call::Run);
    tested.setPrompt(QStringLiteral("One two three"));
    tested.fake->waitUntilHeld(Call::Run);
    tested.explorer->cancel();
    CHECK_FALSE(tested.explorer->activity().isBusy);
    CHECK(tested.left().run == before);
    CHECK_FALSE(tested.left().isStale);
    CHECK_FALSE(tested.left().problem.isEmpty());
    tested.fake->release(Call::Run);
    tested.explorer->rerun();
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().run->tokens.size() == 4);
    CHECK(tested.left().problem.isEmpty());
    CHECK(tested.messages.empty());
}

TEST_CASE("the Explorer can go while a run or a loading is under way")
{
    ExplorerUnderTest tested;
    tested.start();
    const Call call = GENERATE(Call::Run, Call::Open);
    tested.fake->hold(call);
    if (call == Call::Run)
        tested.setPrompt(QStringLiteral("Never seen"));
    else
        tested.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    tested.fake->waitUntilHeld(call);
    tested.explorer.reset();
    QCoreApplication::processEvents();
    CHECK(tested.messages.empty());
}

TEST_CASE("without a prompt nothing runs, and the window says what to do")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:2x2"), QString(), QString());
    CHECK(tested.fake->count(Call::Run) == 0);
    CHECK_FALSE(tested.left().problem.isEmpty());
    CHECK(tested.left().model);
    CHECK_FALSE(tested.right().model);
    tested.setPrompt(QStringLiteral("Now"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().run);
    CHECK(tested.left().problem.isEmpty());
}

TEST_CASE("pins beyond a shorter prompt are released, and come back with undo")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.explorer->edit(QStringLiteral("Pin"), [](control::Document& document) {
        document.key = 2;
        document.query = 7;
        document.position = 8;
    });
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().run->position == 8);
    tested.setPrompt(QStringLiteral("Mary and"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->document().key == 2);
    CHECK_FALSE(tested.explorer->document().query);
    CHECK_FALSE(tested.explorer->document().position);
    CHECK(tested.left().run->position == 2);
    CHECK(tested.explorer->history().count() == 2);
    tested.explorer->history().undo();
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->document().query == 7);
    CHECK(tested.left().run->position == 8);
}

TEST_CASE("what is wrong on both sides is said once")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.setPrompt(QStringLiteral("word ").repeated(FakeBackend::kContext + 1));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.messages.size() == 1);
    CHECK(tested.left().problem == tested.right().problem);
    CHECK_FALSE(tested.left().problem.isEmpty());
}

TEST_CASE("a pin that only a prompt under way has goes when the prompt is that of the run on show again")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.setPrompt(QStringLiteral("a b"));
    waitUntilIdle(*tested.explorer);
    tested.fake->hold(FakeBackend::Call::Run);
    tested.setPrompt(QStringLiteral("a b c d e f"));
    tested.explorer->edit(QStringLiteral("pin"), [](control::Document& document) { document.key = 5; });
    CHECK(tested.explorer->document().key == 5);
    tested.setPrompt(QStringLiteral("a b"));
    tested.fake->release(FakeBackend::Call::Run);
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().run->tokens.size() == 3);
    CHECK_FALSE(tested.explorer->document().key);
}

TEST_CASE("a pin is not measured by the run of a model that another one could not take the place of")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:2x2+letters"), {}, QStringLiteral("Mary went"));
    tested.explorer->edit(QStringLiteral("Pin"), [](control::Document& document) { document.position = 8; });
    tested.explorer->openModel(Side::Left, QStringLiteral("/no/such/model"));
    waitUntilIdle(*tested.explorer);
    CHECK_FALSE(tested.left().problem.isEmpty());
    tested.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().run->tokens.size() == 3);
    CHECK_FALSE(tested.explorer->document().position);
    tested.explorer->history().undo();
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().run->tokens.size() == 3);
    CHECK(tested.explorer->document().position == 8);
}

TEST_CASE("sides of other tokens are told apart, and a pin counts the left one's")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:2x2"), QStringLiteral("fake:2x2+letters"));
    CHECK_FALSE(tested.explorer->hasSameTokens());
    tested.explorer->edit(QStringLiteral("Pin"), [](control::Document& document) { document.key = 4; });
    tested.setPrompt(QStringLiteral("Mary went"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().run->tokens.size() == 3);
    CHECK(tested.right().run->tokens.size() == 9);
    CHECK_FALSE(tested.explorer->document().key);
}

TEST_CASE("many keystrokes within a layer give two runs: the one they cancel and the last one")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:4x6"), {});
    const int before = tested.fake->count(Call::Run);
    tested.fake->hold(Call::Run, /*isDeaf=*/true);
    QString text = QStringLiteral("a");
    tested.setPrompt(text);
    tested.fake->waitUntilHeld(Call::Run);
    std::set<std::string> shown;
    QObject::connect(tested.explorer.get(), &control::Explorer::stateChanged, tested.explorer.get(), [&] {
        if (tested.left().run)
            shown.insert(tested.left().run->request.prompt);
    });
    for (int key = 0; key < 20; ++key) {
        text += QStringLiteral(" b");
        tested.setPrompt(text);
        QCoreApplication::processEvents();
    }
    tested.fake->release(Call::Run);
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Run) == before + 2);
    CHECK(tested.left().run->request.prompt == text.toStdString());
    CHECK_FALSE(shown.contains("a"));
}

TEST_CASE("typing rests for longer where runs take longer, within bounds")
{
    ExplorerUnderTest tested;
    using std::chrono::milliseconds;
    CHECK(tested.explorer->typingPause() == milliseconds(250));
    tested.start();
    CHECK(tested.explorer->typingPause() == milliseconds(250));
    tested.fake->setMilliseconds(600);
    tested.setPrompt(QStringLiteral("one"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->typingPause() == milliseconds(600));  // half of both
    tested.fake->setMilliseconds(20'000);
    tested.setPrompt(QStringLiteral("two"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->typingPause() == milliseconds(1500));
}
