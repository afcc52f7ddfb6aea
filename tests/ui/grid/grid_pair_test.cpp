#include "support/catch.h"
#include "ui/grid/grids_under_test.h"
#include "ui/grid/pointer.h"

#include <QtTest>

using namespace hs;
using namespace hs::test;

TEST_CASE("hovering marks and reads out the same characters on the other side, in the head as deep there")
{
    GridsUnderTest fixture(QStringLiteral("fake:4x6"), QStringLiteral("fake:3x9+letters"));
    hover(fixture.canvas(Side::Left), cellCentre(fixture.canvas(Side::Left), {3, 5}, 2, 1));
    const grid::Marks& marks = fixture.canvas(Side::Right).marks();
    CHECK(marks.hoveredHead == HeadId{2, 8});
    CHECK(marks.hoveredKey == text::TokenSpan(1, 4));
    CHECK(marks.hoveredQuery == text::TokenSpan(5, 8));
    CHECK(QTest::qWaitFor([&] { return !fixture.grids->readout().contains(QStringLiteral("≈")); }));
    const QString readout = fixture.grids->readout();
    CHECK(readout.contains(
        QStringLiteral("L2H8 by relative depth, the same characters “·M|a|r|y” → “W|h|e|n”")));
    CHECK(readout.endsWith(QStringLiteral("at most")));
}

TEST_CASE("several tokens are read out together: words under the pointer, and what is pinned")
{
    GridsUnderTest fixture(QStringLiteral("fake:4x6"), QStringLiteral("fake:3x9+letters"));
    const auto readout = [&](Side side, int query, int key) {
        hover(fixture.canvas(side), cellCentre(fixture.canvas(side), {2, 5}, query, key));
        CHECK(QTest::qWaitFor([&] { return !fixture.grids->readout().contains(QStringLiteral("≈")); }));
        return fixture.grids->readout();
    };
    const auto edit = [&](const std::function<void(control::Document&)>& change) {
        fixture.explorer().edit(QStringLiteral("edit"), change);
    };
    edit([](control::Document& document) {
        document.key = 1;
        document.keyTo = 3;
    });
    CHECK(readout(Side::Left, 5, 2)
              .contains(QStringLiteral("pinned query 5 “·went” → keys 1–3 “When|·Mary|·and” together")));
    edit([](control::Document& document) { document.key.reset(); });
    CHECK_FALSE(readout(Side::Left, 5, 2).contains(QStringLiteral("together")));
    edit([](control::Document& document) { document.joinsWords = true; });
    const QString words = readout(Side::Right, 6, 2);
    CHECK(words.contains(QStringLiteral("queries 5–8 “·M|a|r|y” → keys 1–4 “W|h|e|n” · L2H5 · together")));
}

TEST_CASE("flipped onto a grid of another shape, each place shows the head as deep, under its own name")
{
    GridsUnderTest fixture(QStringLiteral("fake:4x6"), QStringLiteral("fake:3x9+letters"));
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    const QRectF last = canvas.tileRect({3, 5});
    Q_EMIT canvas.flipChanged(true);
    CHECK(canvas.content().title.endsWith(QStringLiteral("(flipped, by relative depth)")));
    CHECK(canvas.content().heads.size() == 24);
    CHECK(canvas.headAt(last.center()) == HeadId{2, 8});
    click(canvas, last.center());
    CHECK(fixture.explorer().document().side(Side::Right).ablations.contains({2, 8}));
    CHECK(fixture.explorer().document().side(Side::Left).ablations.empty());
    Q_EMIT canvas.flipChanged(false);
    CHECK(canvas.headAt(last.center()) == HeadId{3, 5});
}
