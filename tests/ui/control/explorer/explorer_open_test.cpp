#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

/// Remembers what it was asked to prepare, and whether that came first.
class PreparedBackend : public FakeBackend {
public:
    PreparedBackend(std::string& device, int& opened) : m_device(device), m_opened(opened) {}

    void prepare(const std::string& device) override
    {
        m_device = device;
        m_opened = count(Call::Open);
    }

private:
    std::string& m_device;
    int& m_opened;
};

}  // namespace

TEST_CASE("the device is prepared before the first model is opened")
{
    std::string device;
    int opened = -1;
    control::Preferences preferences;
    preferences.device = "cuda:1";
    control::Explorer explorer(std::make_unique<PreparedBackend>(device, opened), preferences);
    explorer.openModel(Side::Left, QStringLiteral("fake:4x6"));
    waitUntilIdle(explorer);
    CHECK(device == "cuda:1");
    CHECK(opened == 0);
}

TEST_CASE("a model that is open on the other side is not loaded again")
{
    ExplorerUnderTest tested;
    tested.start();
    CHECK(tested.fake->count(Call::Open) == 2);
    tested.explorer->openModel(Side::Right, QStringLiteral("fake:4x6"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Open) == 2);
    CHECK(tested.left().model == tested.right().model);
}

TEST_CASE("swapping sides loads nothing, runs nothing and swaps the pictures")
{
    ExplorerUnderTest tested;
    tested.start();
    const auto left = tested.left().run;
    const auto right = tested.right().run;
    const int runs = tested.fake->count(Call::Run);
    tested.explorer->swapSides();
    CHECK(tested.left().run == right);
    CHECK(tested.right().run == left);
    tested.explorer->history().undo();
    CHECK(tested.left().run == left);
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Open) == 2);
    CHECK(tested.fake->count(Call::Run) == runs);
}

TEST_CASE("a model that cannot be opened keeps the old picture and says why, and asking again tries again")
{
    ExplorerUnderTest tested;
    tested.start();
    const auto before = tested.left().run;
    tested.explorer->openModel(Side::Left, QStringLiteral("missing"));
    CHECK(tested.left().isLoading);
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().run == before);
    CHECK(tested.left().problem.contains(QStringLiteral("missing")));
    REQUIRE(tested.messages.size() == 1);
    CHECK(tested.messages[0].kind == control::Message::Kind::Error);

    const int opens = tested.fake->count(Call::Open);
    tested.explorer->openModel(Side::Left, QStringLiteral("missing"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Open) == opens + 1);
    CHECK(tested.explorer->history().count() == 1);
    tested.explorer->history().undo();
    CHECK(tested.left().run == before);
    CHECK(tested.left().problem.isEmpty());
}

TEST_CASE("what is shown is always a run of the model that is shown")
{
    ExplorerUnderTest tested;
    tested.start();
    bool isConsistent = true;
    QObject::connect(
        tested.explorer.get(), &control::Explorer::stateChanged, tested.explorer.get(), [&](Side side) {
            const control::SideState& state = tested.explorer->state(side);
            isConsistent = isConsistent && (!state.run || state.run->request.model == state.model);
        });
    tested.explorer->openModel(Side::Left, QStringLiteral("fake:2x3"));
    waitUntil(*tested.explorer, [&] { return tested.left().model->heads.layers == 2; });
    tested.fake->failNext(Call::Run, {ErrorCode::BadRequest, "Too long; shorten it.", {}});
    tested.explorer->openModel(Side::Left, QStringLiteral("fake:3x3"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().model->heads.layers == 3);
    CHECK_FALSE(tested.left().run);
    CHECK(tested.left().problem == QStringLiteral("Too long; shorten it."));
    CHECK(isConsistent);
}

TEST_CASE("ablations a newly opened model cannot have are dropped, and come back with undo")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.explorer->setAblated(Side::Left, {{0, 1}, {3, 5}}, true);
    tested.explorer->select({{1, 1}, {3, 5}});
    waitUntilIdle(*tested.explorer);
    const control::Document before = tested.explorer->document();
    tested.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->document().side(Side::Left).ablations.size() == 1);
    CHECK(tested.left().run->request.ablations.contains({0, 1}));
    tested.explorer->history().undo();
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->document() == before);
    CHECK(tested.left().run->request.ablations.size() == 2);
    tested.explorer->history().redo();
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->document().side(Side::Left).ablations.size() == 1);
}

TEST_CASE("heads no side has are not selected")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.explorer->select({{0, 0}, {3, 5}});
    tested.explorer->setCurrent(Side::Left, HeadId{3, 5});
    tested.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->selection().size() == 2);
    tested.explorer->openModel(Side::Right, QStringLiteral("fake:2x2"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.explorer->selection() == std::set<HeadId>{{0, 0}});
    CHECK_FALSE(tested.explorer->currentHead());
}

TEST_CASE("opening another model while one is loading gives the last one")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.fake->hold(Call::Open);
    tested.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    tested.fake->waitUntilHeld(Call::Open);
    CHECK(tested.explorer->activity().stage.contains(QStringLiteral("2x2")));
    tested.explorer->openModel(Side::Left, QStringLiteral("fake:3x2"));
    tested.fake->release(Call::Open);
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().model->heads.layers == 3);
    CHECK(tested.left().run->after.heads.layers == 3);
    CHECK(tested.messages.empty());
}

TEST_CASE("loading can be cancelled and taken up again")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.fake->hold(Call::Open);
    tested.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    tested.fake->waitUntilHeld(Call::Open);
    tested.explorer->cancel();
    CHECK_FALSE(tested.left().isLoading);
    CHECK_FALSE(tested.left().problem.isEmpty());
    tested.fake->release(Call::Open);
    SECTION("by running again")
    {
        tested.explorer->rerun();
    }
    SECTION("by opening it again")
    {
        tested.explorer->openModel(Side::Left, QStringLiteral("fake:2x2"));
    }
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().model->heads.layers == 2);
    CHECK(tested.left().problem.isEmpty());
}

TEST_CASE("another device opens the models again, other preferences do not")
{
    ExplorerUnderTest tested;
    tested.start();
    control::Preferences preferences = tested.explorer->preferences();
    preferences.theme = control::Preferences::Theme::Dark;
    tested.explorer->setPreferences(preferences);
    CHECK_FALSE(tested.left().isLoading);
    preferences.device = "cpu";
    tested.explorer->setPreferences(preferences);
    CHECK(tested.left().isLoading);
    CHECK(tested.right().isLoading);
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Open) == 4);
    CHECK(tested.left().run->request.model == tested.left().model);
}

TEST_CASE("rounding float32 for speed is a choice, and taking it runs both sides anew")
{
    ExplorerUnderTest tested;
    tested.start();
    CHECK_FALSE(tested.left().run->request.model->tf32);
    const auto before = tested.left().run;
    control::Preferences preferences = tested.explorer->preferences();
    preferences.tf32 = true;
    tested.explorer->setPreferences(preferences);
    waitUntilIdle(*tested.explorer);
    CHECK(tested.left().run != before);
    CHECK(tested.left().run->request.model->tf32);
    CHECK(tested.right().run->request.model->tf32);
    CHECK(tested.left().model->precision == "tf32");
}

TEST_CASE("what a model has to say is said once, whichever sides show it")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:2x2+note"), QStringLiteral("fake:2x2+note"));
    REQUIRE(tested.messages.size() == 1);
    CHECK(tested.messages[0].kind == control::Message::Kind::Note);
    CHECK(tested.messages[0].text.contains(QStringLiteral("note")));
}
