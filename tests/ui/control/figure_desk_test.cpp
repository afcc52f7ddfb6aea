#include "control/figure_desk.h"

#include "support/catch.h"
#include "ui/explorer_desk.h"

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

bool isMade(Explorer& explorer)
{
    return QTest::qWaitFor([&] { return !explorer.figures().isStale() && !explorer.activity().isBusy; });
}

void setFigure(Explorer& explorer, const std::function<void(FigureSpec&)>& change)
{
    explorer.edit(QStringLiteral("figure"), [&](Document& document) { change(document.figure); });
}

}  // namespace

TEST_CASE("a figure is made only while somebody watches")
{
    Desk desk;
    desk.start();
    FigureDesk& figures = desk.explorer->figures();
    const int runs = desk.fake->count(Call::Run);
    setFigure(*desk.explorer, [](FigureSpec& spec) { spec.isStacked = true; });
    waitUntilIdle(*desk.explorer);
    CHECK(desk.fake->count(Call::Run) == runs);
    CHECK_FALSE(figures.figure());
    figures.setWatched(true);
    REQUIRE(isMade(*desk.explorer));
    REQUIRE(figures.figure());
    CHECK(figures.figure()->request.spec == desk.explorer->document().figure);
    CHECK_FALSE(desk.fake->wasCalledAtHome());
    figures.setWatched(false);
    const auto before = figures.figure();
    setFigure(*desk.explorer, [](FigureSpec& spec) { spec.isStacked = false; });
    waitUntilIdle(*desk.explorer);
    CHECK(figures.figure() == before);
}

TEST_CASE("another form asks for nothing, but other content, prompt or ablations do")
{
    Desk desk;
    desk.start();
    FigureDesk& figures = desk.explorer->figures();
    figures.setWatched(true);
    REQUIRE(isMade(*desk.explorer));
    const auto first = figures.figure();
    const int runs = desk.fake->count(Call::Run);
    setFigure(*desk.explorer, [](FigureSpec& spec) {
        spec.form.width = 85;
        spec.form.colourMap = QStringLiteral("none");
        spec.form.caption = QStringLiteral("Mine");
    });
    CHECK_FALSE(figures.isStale());
    waitUntilIdle(*desk.explorer);
    CHECK(desk.fake->count(Call::Run) == runs);
    CHECK(figures.figure() == first);

    const auto isMadeAgain = [&](const std::function<void()>& change) {
        const auto before = figures.figure();
        change();
        return figures.isStale() && isMade(*desk.explorer) && figures.figure() != before;
    };
    CHECK(isMadeAgain([&] { setFigure(*desk.explorer, [](FigureSpec& spec) { spec.isStacked = true; }); }));
    CHECK(isMadeAgain([&] { desk.setPrompt(QStringLiteral("After Anna left")); }));
    CHECK(isMadeAgain([&] { desk.explorer->toggleAblation(Side::Left, {{0, 1}}); }));
    CHECK(isMadeAgain([&] { desk.explorer->history().undo(); }));
}

TEST_CASE("an older figure never replaces a newer one, and the last one asked for arrives")
{
    Desk desk;
    desk.start();
    FigureDesk& figures = desk.explorer->figures();
    figures.setWatched(true);
    REQUIRE(isMade(*desk.explorer));
    std::vector<double> shown;
    QObject::connect(&figures, &FigureDesk::changed, desk.explorer.get(), [&] {
        const double threshold = figures.figure()->request.spec.threshold;
        if (shown.empty() || shown.back() != threshold)
            shown.push_back(threshold);
    });
    desk.fake->hold(Call::Run, /*isDeaf=*/true);
    for (int step = 2; step <= 9; ++step) {
        setFigure(*desk.explorer, [&](FigureSpec& spec) { spec.threshold = 0.1 * step; });
        if (step == 2)
            desk.fake->waitUntilHeld(Call::Run);
    }
    desk.fake->release(Call::Run);
    REQUIRE(isMade(*desk.explorer));
    CHECK(std::is_sorted(shown.begin(), shown.end()));
    CHECK(figures.figure()->request.spec.threshold == Approx(0.9));
    CHECK(shown.size() <= 3);  // the one before, the one under way, the last one
}

TEST_CASE("what keeps a figure from being made is kept beside the old one")
{
    Desk desk;
    desk.start();
    FigureDesk& figures = desk.explorer->figures();
    figures.setWatched(true);
    REQUIRE(isMade(*desk.explorer));
    const auto before = figures.figure();
    desk.fake->failNext(Call::Run, {ErrorCode::TooLarge, "Too large; make it smaller.", {}});
    setFigure(*desk.explorer, [](FigureSpec& spec) { spec.isStacked = true; });
    REQUIRE(isMade(*desk.explorer));
    CHECK(figures.problem() == QStringLiteral("Too large; make it smaller."));
    CHECK(figures.figure() == before);
    figures.remake();
    REQUIRE(isMade(*desk.explorer));
    CHECK(figures.problem().isEmpty());
    CHECK(figures.figure() != before);
}

TEST_CASE("a figure that was stopped says so and can be made again")
{
    Desk desk;
    desk.start();
    FigureDesk& figures = desk.explorer->figures();
    figures.setWatched(true);
    REQUIRE(isMade(*desk.explorer));
    desk.fake->hold(Call::Run);
    setFigure(*desk.explorer, [](FigureSpec& spec) { spec.isStacked = true; });
    desk.fake->waitUntilHeld(Call::Run);
    figures.cancel();
    CHECK_FALSE(figures.isStale());
    CHECK(figures.problem().contains(QStringLiteral("stopped")));
    desk.fake->release(Call::Run);
    desk.explorer->rerun();
    REQUIRE(isMade(*desk.explorer));
    CHECK(figures.problem().isEmpty());
    CHECK(figures.figure()->request.spec.isStacked);
}

TEST_CASE("without a model there is no figure, and the first model makes one")
{
    Desk desk;
    FigureDesk& figures = desk.explorer->figures();
    figures.setWatched(true);
    CHECK(figures.problem().contains(QStringLiteral("no model")));
    CHECK_FALSE(figures.isStale());
    desk.start(QStringLiteral("fake:2x3"), QString());
    REQUIRE(isMade(*desk.explorer));
    REQUIRE(figures.figure());
    CHECK(std::get<GridFigure>(figures.figure()->content).panels.size() == 1);
    // A model that cannot be opened leaves the other one's figure.
    desk.explorer->openModel(Side::Right, QStringLiteral("nothing"));
    CHECK(figures.isStale());
    REQUIRE(isMade(*desk.explorer));
    CHECK(figures.figure());
}
