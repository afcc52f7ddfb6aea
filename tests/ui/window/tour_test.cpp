#include "start/tour.h"

#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "service/engine_backend.h"
#include "start/tour_card.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"

#include <QLabel>
#include <QPushButton>

using namespace hs;
using namespace hs::test;

namespace {

struct TourUnderTest : WindowUnderTest {
    TourUnderTest()
    {
        REQUIRE(settles());
        tour().setPause(0);
        action(QStringLiteral("Tour"))->trigger();
    }

    start::Tour& tour() const { return window->tour(); }
    void press(const char* button) const
    {
        tour().card().findChild<QPushButton*>(QString::fromLatin1(button))->click();
    }
    void goTo(start::Tour::Step step) const
    {
        while (tour().step() < step)
            tour().next();
    }
    bool reaches(int step) const
    {
        return QTest::qWaitFor([this, step] { return tour().step() == step; }, 60000);
    }
    bool isOnTile(const QRect& anchor) const
    {
        for (const Side side : kSides) {
            const grid::Canvas& canvas = window->grids().grid(side).canvas();
            const QPoint middle = canvas.mapFrom(window.get(), anchor.center());
            if (const auto head = canvas.headAt(middle); head && canvas.rect().contains(middle))
                return canvas.tileRect(*head).toAlignedRect().translated(
                           canvas.mapTo(window.get(), QPoint())) == anchor;
        }
        return false;
    }
    /// The card is in the window and off what it speaks of.
    bool isBesideItsAnchor() const
    {
        const start::TourCard& card = tour().card();
        return window->rect().contains(card.geometry()) && !card.geometry().intersects(card.anchor()) &&
               !card.anchor().isEmpty() && (tour().step() > start::Tour::Ablate || isOnTile(card.anchor()));
    }
};

/// As at a user's first start, with the engine behind the window.
void offer(window::Setup& setup)
{
    setup.offersTour = true;
    setup.backend = std::make_unique<service::EngineBackend>();
}

}  // namespace

TEST_CASE("a card stands inside its room and beside its anchor wherever there is room for it")
{
    const QRect room(0, 0, 1280, 720);
    const QSize card(380, 200);
    for (int x = 0; x <= 1240; x += 40)
        for (int y = 0; y <= 680; y += 40) {
            const QRect anchor(x, y, 40, 40);
            const start::CardPlace place = start::placeCard(card, anchor, room);
            CAPTURE(x, y);
            CHECK(room.contains(place.card));
            CHECK_FALSE(place.card.intersects(anchor));
            CHECK(place.edge);
        }
    for (const QRect& anchor : {room, QRect()}) {
        const start::CardPlace place = start::placeCard(card, anchor, room);
        CHECK(room.contains(place.card));
        CHECK_FALSE(place.edge);
    }
}

TEST_CASE("the tour walks through five steps, each beside what it speaks of")
{
    const TourUnderTest test;
    QStringList titles;
    for (int step = 0; step < start::Tour::kSteps; ++step) {
        CAPTURE(step);
        CHECK(test.tour().step() == step);
        CHECK(test.isBesideItsAnchor());
        titles << test.tour().card().findChild<QLabel*>(QStringLiteral("tourTitle"))->text();
        CHECK(test.tour().card().findChild<QLabel*>(QStringLiteral("tourCount"))->text() ==
              QStringLiteral("step %1 of 5").arg(step + 1));
        if (step > 0) {
            test.press("tourBack");
            CHECK(test.tour().step() == step - 1);
            test.press("tourNext");
        }
        test.window->resize(1024 + 40 * step, 720);
        QCoreApplication::processEvents();
        CHECK(test.isBesideItsAnchor());
        test.press("tourNext");
    }
    CHECK_FALSE(test.tour().isRunning());
    CHECK(titles.removeDuplicates() == 0);
    CHECK_FALSE(test.window->isWindowModified());
}

TEST_CASE("doing what a step asks for leads to the next")
{
    const TourUnderTest test;
    control::Explorer& explorer = test.explorer();
    for (int key = 0; key < 6; ++key)
        explorer.setHover({Side::Left, HeadId{1, 1}, 6, key});
    REQUIRE(test.reaches(start::Tour::Zoom));
    test.window->grids().zoomIn();
    REQUIRE(test.reaches(start::Tour::Ablate));
    test.window->grids().fit();
    const grid::Canvas& canvas = test.window->grids().grid(Side::Right).canvas();
    QTest::mouseClick(const_cast<grid::Canvas*>(&canvas), Qt::LeftButton, {},
                      canvas.mapFrom(test.window.get(), test.tour().card().anchor().center()));
    CHECK(explorer.document().side(Side::Right).ablations.size() == 1);
    REQUIRE(test.reaches(start::Tour::Search));
    test.action(QStringLiteral("Run the sweep"))->trigger();
    REQUIRE(test.reaches(start::Tour::Keep));
    explorer.openModel(Side::Left, QStringLiteral("fake:2x3"));
    CHECK(QTest::qWaitFor([&] { return !test.tour().isRunning(); }, 60000));
}

TEST_CASE("a step waits for its own act")
{
    const TourUnderTest test;
    test.window->grids().zoomIn();
    test.explorer().toggleAblation(Side::Left, {{0, 0}});
    test.explorer().setHover({Side::Left, HeadId{1, 1}, 6, 0});
    REQUIRE(test.settles());
    QCoreApplication::processEvents();
    CHECK(test.tour().step() == start::Tour::Read);
}

TEST_CASE("Escape ends the tour wherever the keyboard is, and does nothing else")
{
    const TourUnderTest test;
    test.explorer().select({{0, 0}});
    QTest::keyClick(&test.window->grids().grid(Side::Left).canvas(), Qt::Key_Escape);
    CHECK_FALSE(test.tour().isRunning());
    CHECK(test.tour().card().isHidden());
    CHECK_FALSE(test.explorer().selection().empty());
    QTest::keyClick(&test.window->grids().grid(Side::Left).canvas(), Qt::Key_Escape);
    CHECK(test.explorer().selection().empty());  // the grid's again
}

TEST_CASE("the card lets the rest of the window be used")
{
    const TourUnderTest test;
    CHECK_FALSE(test.tour().card().isWindow());
    CHECK_FALSE(test.tour().card().isAncestorOf(QApplication::focusWidget()));
    const QRect before = test.window->grids().geometry();
    test.tour().end();
    QCoreApplication::processEvents();
    CHECK(test.window->grids().geometry() == before);
}

TEST_CASE("the tour is offered on the demo pair until it has been closed once, and from the menu always")
{
    WindowUnderTest others(QStringLiteral("demo:dense"),
                           QStringLiteral(HS_SOURCE_DIR "/resources/models/demo-sparse"), offer);
    REQUIRE(others.settles());
    CHECK_FALSE(others.window->tour().isRunning());

    WindowUnderTest test(QStringLiteral("demo:dense"), QStringLiteral("demo:sparse"), offer);
    const auto isOffered = [&] {
        return QTest::qWaitFor([&] { return test.window->tour().isRunning(); }, 60000);
    };
    REQUIRE(isOffered());
    test.reopen();
    REQUIRE(isOffered());  // nobody has closed it
    test.window->tour().end();
    test.reopen();
    REQUIRE(test.settles());
    QCoreApplication::processEvents();
    CHECK_FALSE(test.window->tour().isRunning());
    test.action(QStringLiteral("Tour"))->trigger();
    CHECK(test.window->tour().isRunning());
}
