#include "composer/head_order_list.h"
#include "support/catch.h"
#include "ui/composer/composer_under_test.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace hs;
using namespace hs::test;

namespace {

/// A list of four heads on the left.
void nameHeads(const ComposerUnderTest& test)
{
    test.choose(control::FigurePreset::RankedHeads);
    test.explorer().edit(QStringLiteral("list"), [](control::Document& document) {
        control::GridChoice& grid = document.figure.sides.front().grid;
        grid.list = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
        grid.order.clear();
    });
}

const std::vector<HeadId>& listOf(const ComposerUnderTest& test)
{
    return test.spec().sides.front().grid.list;
}

}  // namespace

TEST_CASE("a head dropped elsewhere changes the order in one step, and the figure follows")
{
    ComposerUnderTest test;
    nameHeads(test);
    REQUIRE(test.settles());
    auto* const list = test.child<composer::HeadOrderList>("list");
    const int step = test.history().index();
    CHECK(list->dragDropMode() == QAbstractItemView::InternalMove);
    list->model()->moveRow({}, 3, {}, 1);  // what a drop amounts to; without a screen nothing can be dragged
    CHECK(listOf(test) == std::vector<HeadId>{{0, 0}, {3, 3}, {1, 1}, {2, 2}});
    CHECK(test.history().index() == step + 1);
    REQUIRE(test.settles());
    CHECK(std::get<figures::GridFigure>(test.figures().figure()->content).panels.front().heads ==
          listOf(test));
    test.history().undo();
    CHECK(list->heads() == std::vector<HeadId>{{0, 0}, {1, 1}, {2, 2}, {3, 3}});
}

TEST_CASE("keys move heads and take them out")
{
    ComposerUnderTest test;
    nameHeads(test);
    auto* const list = test.child<composer::HeadOrderList>("list");
    list->setCurrentRow(2);
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    CHECK(listOf(test) == std::vector<HeadId>{{0, 0}, {2, 2}, {1, 1}, {3, 3}});
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);  // it is already the last one
    CHECK(listOf(test) == std::vector<HeadId>{{0, 0}, {1, 1}, {3, 3}, {2, 2}});
    QTest::keyClick(list, Qt::Key_Delete);
    CHECK(listOf(test) == std::vector<HeadId>{{0, 0}, {1, 1}, {3, 3}});
    list->selectAll();
    QTest::keyClick(list, Qt::Key_Delete);  // an empty list would mean all heads
    CHECK(listOf(test).size() == 3);
    CHECK(list->count() == 3);
}

TEST_CASE("a ranked list becomes a list of its own when it is reordered")
{
    ComposerUnderTest test;
    test.choose(control::FigurePreset::RankedHeads);
    REQUIRE(test.settles());
    auto* const list = test.child<composer::HeadOrderList>("list");
    REQUIRE(list->count() == 24);
    const std::vector<HeadId> ranked = list->heads();
    list->setCurrentRow(0);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    CHECK(listOf(test).size() == 24);
    CHECK(listOf(test)[0] == ranked[1]);
    CHECK(listOf(test)[1] == ranked[0]);
    CHECK(test.child<QComboBox>("order")->currentIndex() == 0);
}

TEST_CASE("a scatter matrix of the first few heads stays as small when they are reordered")
{
    ComposerUnderTest test;
    test.choose(control::FigurePreset::ScatterMatrix);
    REQUIRE(test.settles());
    const std::size_t drawn =
        std::get<figures::ScatterFigure>(test.figures().figure()->content).panels.front().heads.size();
    auto* const list = test.child<composer::HeadOrderList>("list");
    REQUIRE(static_cast<int>(drawn) < list->count());
    list->setCurrentRow(0);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    CHECK(listOf(test).size() == drawn);
}

TEST_CASE("heads are added by name, and a wrong name is said")
{
    ComposerUnderTest test;
    nameHeads(test);
    auto* const more = test.child<QLineEdit>("moreHeads");
    QTest::keyClicks(more, QStringLiteral("L0H5, L1H1 L2H*"));
    QTest::keyClick(more, Qt::Key_Return);
    CHECK(listOf(test).size() == 10);  // two of them were already there
    CHECK(listOf(test)[4] == HeadId{0, 5});
    CHECK(more->text().isEmpty());
    QTest::keyClicks(more, QStringLiteral("L9H9"));
    QTest::keyClick(more, Qt::Key_Return);
    CHECK(listOf(test).size() == 10);
    CHECK(test.child<QLabel>("headsProblem")->isVisible());
    test.child<QPushButton>("allHeads")->click();
    CHECK(listOf(test).empty());
    CHECK(test.child<composer::HeadOrderList>("list")->count() == 24);
}

TEST_CASE("heads that are ablated or not drawn look so in the list")
{
    ComposerUnderTest test;
    nameHeads(test);
    test.explorer().toggleAblation(Side::Left, {{1, 1}});
    test.explorer().edit(QStringLiteral("strict"), [](control::Document& document) {
        document.figure.sides.front().hasOnlyActive = true;
        document.figure.threshold = 1;
    });
    REQUIRE(test.settles());
    const auto* const list = test.child<composer::HeadOrderList>("list");
    CHECK(list->item(1)->font().strikeOut());
    CHECK_FALSE(list->item(0)->font().strikeOut());
    const auto& drawn = std::get<figures::GridFigure>(test.figures().figure()->content).panels.front().heads;
    for (int row = 0; row < list->count(); ++row) {
        const bool isDrawn =
            std::ranges::find(drawn, list->heads()[static_cast<std::size_t>(row)]) != drawn.end();
        CHECK((list->item(row)->foreground().color() == list->palette().color(QPalette::Text)) == isDrawn);
    }
}
