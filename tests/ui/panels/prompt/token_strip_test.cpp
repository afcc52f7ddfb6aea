#include "panels/prompt/token_strip.h"

#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QAccessible>
#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

QPoint middle(const panels::TokenStrip& strip, int token)
{
    return strip.chipRect(token).center();
}

void click(panels::TokenStrip& strip, int token, Qt::KeyboardModifiers modifiers = {})
{
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, modifiers, middle(strip, token));
}

/// Not QTest::mouseMove, which keeps the modifiers of an earlier click.
void point(panels::TokenStrip& strip, int token)
{
    const QPointF at = middle(strip, token);
    QMouseEvent move(QEvent::MouseMove, at, strip.viewport()->mapToGlobal(at), Qt::NoButton, {}, {});
    QApplication::sendEvent(strip.viewport(), &move);
}

QImage picture(panels::TokenStrip& strip, int token)
{
    return strip.viewport()->grab(strip.chipRect(token)).toImage();
}

}  // namespace

TEST_CASE("two clicks on tokens pin a key and a query in the order of the text")
{
    const panels::TokenPins none;
    CHECK(none.afterClick(4) == panels::TokenPins{4, {}});
    CHECK(none.afterClick(4).afterClick(9) == panels::TokenPins{4, 9});
    CHECK(none.afterClick(9).afterClick(4) == panels::TokenPins{4, 9});
    CHECK(none.afterClick(4).afterClick(4) == none);
    const panels::TokenPins both{4, 9};
    CHECK(both.afterClick(2) == panels::TokenPins{2, 9});
    CHECK(both.afterClick(12) == panels::TokenPins{4, 12});
    CHECK(both.afterClick(9) == panels::TokenPins{4, {}});
    CHECK(both.afterClick(4) == panels::TokenPins{{}, 9});
    CHECK(panels::TokenPins{{}, 9}.afterClick(12) == panels::TokenPins{9, 12});
    CHECK(panels::TokenPins{5, 5}.afterClick(5) == none);
}

TEST_CASE("clicked tokens are pinned in the document and framed red")
{
    PanelStage stage;
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1200, strip.sizeHint().height()});
    REQUIRE(strip.count() == 15);
    CHECK(countPixels(picture(strip, 2), isReddish) == 0);

    click(strip, 2);
    CHECK(stage.document().key == 2);
    CHECK_FALSE(stage.document().query);
    CHECK(countPixels(picture(strip, 2), isReddish) > 60);

    click(strip, 14);
    CHECK(stage.document().query == 14);
    CHECK(countPixels(picture(strip, 14), isReddish) > 60);
    CHECK(countPixels(picture(strip, 7), isReddish) == 0);

    click(strip, 2);
    CHECK_FALSE(stage.document().key);
    stage.explorer().history().undo();
    CHECK(stage.document().key == 2);
    CHECK(countPixels(picture(strip, 2), isReddish) > 60);
}

TEST_CASE("Shift-click pins a query, also on the key itself")
{
    PanelStage stage;
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1200, strip.sizeHint().height()});
    click(strip, 5, Qt::ShiftModifier);
    CHECK(stage.document().query == 5);
    CHECK_FALSE(stage.document().key);
    click(strip, 3);
    click(strip, 3, Qt::ShiftModifier);
    CHECK(stage.document().key == 3);
    CHECK(stage.document().query == 3);
}

TEST_CASE("dragging over tokens pins all of them, in the step of the click")
{
    PanelStage stage;
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1200, strip.sizeHint().height()});
    const auto drag = [&](int from, int to, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(strip.viewport(), Qt::LeftButton, modifiers, middle(strip, from));
        for (const int token : {(from + to) / 2, to}) {
            const QPointF at = middle(strip, token);
            QMouseEvent move(QEvent::MouseMove, at, strip.viewport()->mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(strip.viewport(), &move);
        }
        QTest::mouseRelease(strip.viewport(), Qt::LeftButton, modifiers, middle(strip, to));
    };
    const int steps = stage.explorer().history().count();
    drag(4, 2);
    CHECK(stage.document().key == 4);
    CHECK(stage.document().keyTo == 2);
    CHECK(stage.explorer().history().count() == steps + 1);
    for (int token = 0; token < strip.count(); ++token)
        CHECK(strip.stateOf(token).isKey == (token >= 2 && token <= 4));
    drag(10, 12, Qt::ShiftModifier);
    CHECK(stage.document().query == 10);
    CHECK(stage.document().queryTo == 12);
    CHECK(stage.document().keyTo == 2);
    point(strip, 7);  // without the button
    CHECK(stage.document().queryTo == 12);
    click(strip, 1);
    CHECK(stage.document().key == 1);
    CHECK_FALSE(stage.document().keyTo);
    stage.explorer().history().undo();
    CHECK(stage.document().keyTo == 2);
}

TEST_CASE("words instead of tokens are chosen in the strip's menu, and stand together")
{
    PanelStage::Setup setup;
    setup.left = QStringLiteral("fake:4x6+letters");
    setup.right.clear();
    setup.prompt = QStringLiteral("Mary went");
    PanelStage stage(setup);
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1200, strip.sizeHint().height()});
    const std::unique_ptr<QMenu> menu(strip.newMenu(2));
    REQUIRE(choose(*menu, QStringLiteral("Words")));
    CHECK(stage.document().joinsWords);
    click(strip, 2);
    for (int token = 0; token < strip.count(); ++token)
        CHECK(strip.stateOf(token).isKey == (token >= 1 && token <= 4));
}

TEST_CASE("pointing at a token lights a column, a row with Shift or as the second pin")
{
    PanelStage stage;
    control::Explorer& explorer = stage.explorer();
    panels::TokenStrip strip(explorer);
    present(strip, {1200, strip.sizeHint().height()});
    const QImage before = picture(strip, 4);
    point(strip, 4);
    CHECK(explorer.hover().key == 4);
    CHECK_FALSE(explorer.hover().query);
    CHECK_FALSE(explorer.hover().head);
    CHECK(picture(strip, 4) != before);

    QTest::keyPress(&strip, Qt::Key_Shift);
    CHECK(explorer.hover().query == 4);
    QTest::keyRelease(&strip, Qt::Key_Shift);
    CHECK(explorer.hover().key == 4);

    click(strip, 4);
    point(strip, 8);
    CHECK(explorer.hover().query == 8);

    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(strip.viewport(), &leave);
    CHECK(explorer.hover() == control::Hover());
}

TEST_CASE("what a grid's pointer is on is lit in the strip and not put out by it")
{
    PanelStage stage;
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1200, strip.sizeHint().height()});
    const QImage key = picture(strip, 3);
    const QImage query = picture(strip, 9);
    const QImage other = picture(strip, 5);
    const control::Hover hover{Side::Left, HeadId{1, 2}, 9, 3};
    stage.explorer().setHover(hover);
    CHECK(picture(strip, 3) != key);
    CHECK(picture(strip, 9) != query);
    CHECK(picture(strip, 5) == other);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(strip.viewport(), &leave);
    CHECK(stage.explorer().hover() == hover);
}

TEST_CASE("a grid's pointer brings its tokens into view")
{
    PanelStage stage;
    panels::TokenStrip strip(stage.explorer());
    present(strip, {260, strip.sizeHint().height()});
    REQUIRE_FALSE(strip.viewport()->rect().contains(strip.chipRect(14)));
    stage.explorer().setHover({Side::Left, HeadId{0, 0}, 14, 13});
    CHECK(strip.viewport()->rect().contains(strip.chipRect(13)));
    stage.explorer().setHover({Side::Left, HeadId{0, 0}, 1, 0});
    CHECK(strip.viewport()->rect().contains(strip.chipRect(0)));
}

TEST_CASE("Ctrl-click and double click read the predictions at a token and leave pins alone")
{
    PanelStage stage;
    control::Explorer& explorer = stage.explorer();
    panels::TokenStrip strip(explorer);
    present(strip, {1200, strip.sizeHint().height()});
    CHECK(strip.stateOf(14).isRead);
    click(strip, 2);
    const int steps = explorer.history().count();

    click(strip, 7);
    QTest::mouseDClick(strip.viewport(), Qt::LeftButton, {}, middle(strip, 7));
    CHECK(stage.document().position == 7);
    CHECK(stage.document().key == 2);
    CHECK_FALSE(stage.document().query);
    CHECK(explorer.history().count() == steps + 1);
    CHECK(strip.stateOf(7).isRead);
    CHECK_FALSE(strip.stateOf(14).isRead);

    click(strip, 5, Qt::ControlModifier);
    CHECK(stage.document().position == 5);
    CHECK(stage.document().key == 2);
    click(strip, 14, Qt::ControlModifier);
    CHECK_FALSE(stage.document().position);
}

TEST_CASE("the place where predictions are read has a mark above it")
{
    PanelStage stage;
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1200, strip.sizeHint().height()});
    const auto above = [&](int token) {
        const QRect chip = strip.chipRect(token);
        const QImage image =
            strip.viewport()->grab(QRect(chip.center().x() - 4, chip.top() - 7, 8, 5)).toImage();
        const QColor accent = strip.palette().color(QPalette::Highlight);
        return countPixels(image, [&](const QColor& colour) { return colour == accent; });
    };
    CHECK(above(14) > 5);
    CHECK(above(6) == 0);
    click(strip, 6, Qt::ControlModifier);
    CHECK(above(6) > 5);
    CHECK(above(14) == 0);
}

TEST_CASE("the keyboard alone walks the tokens, pins, reads and releases")
{
    PanelStage stage;
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1200, strip.sizeHint().height()});
    strip.setFocus(Qt::TabFocusReason);
    CHECK(strip.currentToken() == 0);
    QTest::keyClick(&strip, Qt::Key_Right);
    QTest::keyClick(&strip, Qt::Key_Right);
    CHECK(strip.currentToken() == 2);
    CHECK(stage.explorer().hover().key == 2);
    QTest::keyClick(&strip, Qt::Key_K);
    CHECK(stage.document().key == 2);
    QTest::keyClick(&strip, Qt::Key_End);
    CHECK(strip.currentToken() == 14);
    QTest::keyClick(&strip, Qt::Key_Left);
    QTest::keyClick(&strip, Qt::Key_Q);
    CHECK(stage.document().query == 13);
    QTest::keyClick(&strip, Qt::Key_P);
    CHECK(stage.document().position == 13);
    QTest::keyClick(&strip, Qt::Key_P);
    CHECK_FALSE(stage.document().position);
    QTest::keyClick(&strip, Qt::Key_Q);
    CHECK_FALSE(stage.document().query);
    QTest::keyClick(&strip, Qt::Key_Home);
    QTest::keyClick(&strip, Qt::Key_Space);
    CHECK(stage.document().key == 0);
    CHECK(stage.document().query == 2);
    QTest::keyClick(&strip, Qt::Key_Escape);
    CHECK_FALSE(stage.document().key);
    CHECK_FALSE(stage.document().query);
}

TEST_CASE("a token's menu pins it, reads there and shows ids")
{
    PanelStage stage;
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1200, strip.sizeHint().height()});
    CHECK(choose(*strip.newMenu(6), QStringLiteral("Pin as query")));
    CHECK(stage.document().query == 6);
    CHECK(choose(*strip.newMenu(3), QStringLiteral("Pin as key")));
    CHECK(stage.document().key == 3);
    CHECK(choose(*strip.newMenu(4), QStringLiteral("Read predictions here")));
    CHECK(stage.document().position == 4);
    CHECK(choose(*strip.newMenu(-1), QStringLiteral("Release pins")));
    CHECK_FALSE(stage.document().key);
    CHECK_FALSE(choose(*strip.newMenu(-1), QStringLiteral("Release pins")));
    const int narrow = strip.chipRect(9).width();
    CHECK(choose(*strip.newMenu(-1), QStringLiteral("Show token ids")));
    CHECK(strip.chipRect(9).width() > narrow);
}

TEST_CASE("a screen reader finds a list with an item for each token")
{
    PanelStage stage;
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1200, strip.sizeHint().height()});
    click(strip, 2);
    QAccessibleInterface* const list = QAccessible::queryAccessibleInterface(&strip);
    REQUIRE(list);
    CHECK(list->role() == QAccessible::List);
    REQUIRE(list->childCount() == 15);
    QAccessibleInterface* const item = list->child(2);
    REQUIRE(item);
    CHECK(item->role() == QAccessible::ListItem);
    CHECK(item->text(QAccessible::Name).startsWith(QStringLiteral("Token 2 “·Mary”")));
    CHECK(item->text(QAccessible::Name).contains(QStringLiteral("pinned as key")));
    CHECK(item->state().selected);
    CHECK(list->indexOfChild(item) == 2);
    CHECK(item->parent() == list);
    const QPoint centre = item->rect().center();
    CHECK(list->childAt(centre.x(), centre.y()) == item);
}

TEST_CASE("without a run the strip says what to do")
{
    PanelStage::Setup setup;
    setup.left = setup.right = QString();
    PanelStage stage(setup);
    panels::TokenStrip strip(stage.explorer());
    present(strip, {600, strip.sizeHint().height()});
    CHECK(strip.count() == 0);
    const QImage image = strip.viewport()->grab().toImage();
    const QColor ground = image.pixelColor(0, 0);
    CHECK(countPixels(image, [&](const QColor& colour) { return colour != ground; }) > 200);
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, QPoint(50, 20));
    QTest::keyClick(&strip, Qt::Key_Right);
    CHECK_FALSE(stage.document().key);
}
