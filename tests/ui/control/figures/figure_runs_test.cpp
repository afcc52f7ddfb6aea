#include "control/figures/figure_runs.h"

#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

bool isMade(control::Explorer& explorer)
{
    return QTest::qWaitFor([&] { return !explorer.figures().isStale() && !explorer.activity().isBusy; });
}

void setFigure(control::Explorer& explorer, const std::function<void(control::FigureSpec&)>& change)
{
    explorer.edit(QStringLiteral("figure"), [&](control::Document& document) { change(document.figure); });
}

}  // namespace

TEST_CASE("a figure is made only while somebody watches")
{
    ExplorerUnderTest tested;
    tested.start();
    control::FigureRuns& figures = tested.explorer->figures();
    const int runs = tested.fake->count(Call::Run);
    setFigure(*tested.explorer, [](control::FigureSpec& spec) { spec.isStacked = true; });
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Run) == runs);
    CHECK_FALSE(figures.figure());
    figures.setWatched(true);
    REQUIRE(isMade(*tested.explorer));
    REQUIRE(figures.figure());
    CHECK(figures.figure()->request.spec == tested.explorer->document().figure);
    CHECK_FALSE(tested.fake->wasCalledAtHome());
    figures.setWatched(false);
    const auto before = figures.figure();
    setFigure(*tested.explorer, [](control::FigureSpec& spec) { spec.isStacked = false; });
    waitUntilIdle(*tested.explorer);
    CHECK(figures.figure() == before);
}

TEST_CASE("another form asks for nothing, but other content, prompt or ablations do")
{
    ExplorerUnderTest tested;
    tested.start();
    control::FigureRuns& figures = tested.explorer->figures();
    figures.setWatched(true);
    REQUIRE(isMade(*tested.explorer));
    const auto first = figures.figure();
    const int runs = tested.fake->count(Call::Run);
    setFigure(*tested.explorer, [](control::FigureSpec& spec) {
        spec.form.width = 85;
        spec.form.colourMap = QStringLiteral("none");
        spec.form.caption = QStringLiteral("Mine");
    });
    CHECK_FALSE(figures.isStale());
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Run) == runs);
    CHECK(figures.figure() == first);

    const auto isMadeAgain = [&](const std::function<void()>& change) {
        const auto before = figures.figure();
        change();
        return figures.isStale() && isMade(*tested.explorer) && figures.figure() != before;
    };
    CHECK(isMadeAgain(
        [&] { setFigure(*tested.explorer, [](control::FigureSpec& spec) { spec.isStacked = true; }); }));
    CHECK(isMadeAgain([&] { tested.setPrompt(QStringLiteral("After Anna left")); }));
    CHECK(isMadeAgain([&] { tested.explorer->toggleAblation(Side::Left, {{0, 1}}); }));
    CHECK(isMadeAgain([&] { tested.explorer->history().undo(); }));
}

TEST_CASE("an older figure never replaces a newer one, and the last one asked for arrives")
{
    ExplorerUnderTest tested;
    tested.start();
    control::FigureRuns& figures = tested.explorer->figures();
    figures.setWatched(true);
    REQUIRE(isMade(*tested.explorer));
    std::vector<double> shown;
    QObject::connect(&figures, &control::FigureRuns::changed, tested.explorer.get(), [&] {
        const double threshold = figures.figure()->request.spec.threshold;
        if (shown.empty() || shown.back() != threshold)
            shown.push_back(threshold);
    });
    tested.fake->hold(Call::Run, /*isDeaf=*/true);
    for (int step = 2; step <= 9; ++step) {
        setFigure(*tested.explorer, [&](control::FigureSpec& spec) { spec.threshold = 0.1 * step; });
        if (step == 2)
            tested.fake->waitUntilHeld(Call::Run);
    }
    tested.fake->release(Call::Run);
    REQUIRE(isMade(*tested.explorer));
    CHECK(std::is_sorted(shown.begin(), shown.end()));
    CHECK(figures.figure()->request.spec.threshold == Approx(0.9));
    CHECK(shown.size() <= 3);  // the one before, the one under way, the last one
}

TEST_CASE("what keeps a figure from being made is kept beside the old one")
{
    ExplorerUnderTest tested;
    tested.start();
    control::FigureRuns& figures = tested.explorer->figures();
    figures.setWatched(true);
    REQUIRE(isMade(*tested.explorer));
    const auto before = figures.figure();
    tested.fake->failNext(Call::Run, {ErrorCode::TooLarge, "Too large; make it smaller.", {}});
    setFigure(*tested.explorer, [](control::FigureSpec& spec) { spec.isStacked = true; });
    REQUIRE(isMade(*tested.explorer));
    CHECK(figures.problem() == QStringLiteral("Too large; make it smaller."));
    CHECK(figures.figure() == before);
    figures.remake();
    REQUIRE(isMade(*tested.explorer));
    CHECK(figures.problem().isEmpty());
    CHECK(figures.figure() != before);
}

TEST_CASE("a figure that was stopped says so and can be made again")
{
    ExplorerUnderTest tested;
    tested.start();
    control::FigureRuns& figures = tested.explorer->figures();
    figures.setWatched(true);
    REQUIRE(isMade(*tested.explorer));
    tested.fake->hold(Call::Run);
    setFigure(*tested.explorer, [](control::FigureSpec& spec) { spec.isStacked = true; });
    tested.fake->waitUntilHeld(Call::Run);
    figures.cancel();
    CHECK_FALSE(figures.isStale());
    CHECK(figures.problem().contains(QStringLiteral("stopped")));
    tested.fake->release(Call::Run);
    tested.explorer->rerun();
    REQUIRE(isMade(*tested.explorer));
    CHECK(figures.problem().isEmpty());
    CHECK(figures.figure()->request.spec.isStacked);
}

TEST_CASE("without a model there is no figure, and the first model makes one")
{
    ExplorerUnderTest tested;
    control::FigureRuns& figures = tested.explorer->figures();
    figures.setWatched(true);
    CHECK(figures.problem().contains(QStringLiteral("no model")));
    CHECK_FALSE(figures.isStale());
    tested.start(QStringLiteral("fake:2x3"), QString());
    REQUIRE(isMade(*tested.explorer));
    REQUIRE(figures.figure());
    CHECK(std::get<figures::GridFigure>(figures.figure()->content).panels.size() == 1);
    // A model that cannot be opened leaves the other one's figure.
    tested.explorer->openModel(Side::Right, QStringLiteral("nothing"));
    CHECK(figures.isStale());
    REQUIRE(isMade(*tested.explorer));
    CHECK(figures.figure());
}
