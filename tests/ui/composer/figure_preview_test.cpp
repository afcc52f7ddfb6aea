#include "composer/figure_preview.h"

#include "support/catch.h"
#include "ui/late_picture.h"

#include <QScreen>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include <set>

using namespace hs;
using namespace hs::test;

namespace {

constexpr QRgb kBlue = 0xff0000ff;

/// A page of 144 × 72 points with its right half blue.
figures::Drawing page()
{
    figures::Drawing drawing;
    drawing.setSize({144, 72});
    drawing.rect({72, 0, 72, 72}, std::nullopt, kBlue);
    return drawing;
}

composer::PagePainter::Page onPaper(const figures::Drawing& drawing)
{
    return std::make_shared<const figures::Drawing>(drawing);
}

void wheel(composer::FigurePreview& preview, QPointF at, int delta, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(at, preview.viewport()->mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(preview.viewport(), &event);
}

QRgb colourAt(composer::FigurePreview& preview, QPointF inPage)
{
    const QRectF page = preview.page();
    const QPointF at(page.x() + inPage.x() * page.width(), page.y() + inPage.y() * page.height());
    return pictureOf(preview).pixel(at.toPoint());
}

}  // namespace

TEST_CASE("at true size an inch on paper is an inch on the screen")
{
    composer::FigurePreview preview;
    preview.resize(900, 700);
    preview.show();
    preview.setDrawing(onPaper(page()), false);
    const double inch = preview.screen()->physicalDotsPerInchX();
    for (const double zoom : {1.0, 2.0, 4.0}) {
        preview.setZoom(zoom);
        CHECK(preview.page().width() == Approx(2 * inch * zoom));
        CHECK(preview.page().height() == Approx(inch * zoom));
    }
    preview.setZoom(1);
    // The paper ends exactly where the page does.
    const QImage picture = pictureOf(preview);
    const QRect place = preview.page().toRect();
    CHECK(picture.pixel(place.center() - QPoint(4, 0)) == qRgb(255, 255, 255));
    CHECK(picture.pixel(place.right() - 2, place.center().y()) == kBlue);
    CHECK(picture.pixel(place.right() + 3, place.center().y()) != kBlue);
}

TEST_CASE("a page that fits is as large as the window lets it, in the middle")
{
    composer::FigurePreview preview;
    preview.resize(500, 400);
    preview.show();
    preview.setDrawing(onPaper(page()), false);
    CHECK_FALSE(preview.zoom());
    const QRectF place = preview.page();
    CHECK(place.width() > 400);
    CHECK(std::abs(place.center().x() - preview.viewport()->rect().center().x()) < 2);
    CHECK(std::abs(place.center().y() - preview.viewport()->rect().center().y()) < 2);
    preview.resize(300, 400);
    CHECK(preview.page().width() < 300);
    CHECK(preview.horizontalScrollBar()->maximum() == 0);
}

TEST_CASE("ctrl and the wheel zoom at the pointer, the wheel alone scrolls")
{
    composer::FigurePreview preview;
    preview.resize(400, 300);
    preview.show();
    preview.setDrawing(onPaper(page()), false);
    preview.setZoom(4);
    const QPointF pointer(150, 120);
    const auto under = [&] {
        const QRectF place = preview.page();
        return QPointF((pointer.x() - place.x()) / place.width(), (pointer.y() - place.y()) / place.height());
    };
    const QPointF before = under();
    wheel(preview, pointer, 120, Qt::ControlModifier);
    CHECK(preview.actualZoom() == Approx(5));
    CHECK(under().x() == Approx(before.x()).margin(0.01));
    CHECK(under().y() == Approx(before.y()).margin(0.01));
    const double top = preview.page().top();
    wheel(preview, pointer, -120, Qt::NoModifier);
    CHECK(preview.page().top() < top);
    for (int notch = 0; notch < 40; ++notch)
        wheel(preview, pointer, 120, Qt::ControlModifier);
    CHECK(preview.actualZoom() == composer::FigurePreview::kMostZoom);
}

TEST_CASE("dragging moves the page with the pointer")
{
    composer::FigurePreview preview;
    preview.resize(400, 300);
    preview.show();
    preview.setDrawing(onPaper(page()), false);
    preview.setZoom(8);
    preview.horizontalScrollBar()->setValue(200);
    preview.verticalScrollBar()->setValue(200);
    const QPointF before = preview.page().topLeft();
    QTest::mousePress(preview.viewport(), Qt::LeftButton, {}, QPoint(200, 150));
    QTest::mouseMove(preview.viewport(), QPoint(230, 110));
    QTest::mouseRelease(preview.viewport(), Qt::LeftButton, {}, QPoint(230, 110));
    CHECK(preview.page().topLeft() - before == QPointF(30, -40));
}

TEST_CASE("the paper is white in a dark theme, and a missing ground is a checkerboard")
{
    composer::FigurePreview preview;
    QPalette dark;
    dark.setColor(QPalette::Window, QColor(0x26, 0x2c, 0x34));
    dark.setColor(QPalette::Base, QColor(0x14, 0x18, 0x1d));
    preview.setPalette(dark);
    preview.resize(500, 400);
    preview.show();
    preview.setDrawing(onPaper(page()), false);
    CHECK(colourAt(preview, {0.2, 0.5}) == qRgb(255, 255, 255));
    CHECK(colourAt(preview, {0.8, 0.5}) == kBlue);
    preview.setDrawing(onPaper(page()), true);
    std::set<QRgb> fields;
    for (double x = 0.1; x < 0.4; x += 0.01)
        fields.insert(colourAt(preview, {x, 0.5}));
    CHECK(fields.size() == 2);
    CHECK(colourAt(preview, {0.8, 0.5}) == kBlue);
}

TEST_CASE("a page too large to be kept whole is drawn the same")
{
    composer::FigurePreview preview;
    preview.resize(400, 300);
    preview.show();
    figures::Drawing large = page();
    large.setSize({2000, 2000});
    large.rect({1500, 0, 500, 2000}, std::nullopt, kBlue);
    preview.setDrawing(onPaper(large), false);
    preview.setZoom(8);
    const auto scrolledTo = [&](double share) {
        preview.horizontalScrollBar()->setValue(qRound(share * preview.horizontalScrollBar()->maximum()));
        return pictureOf(preview).pixel(200, 150);
    };
    CHECK(scrolledTo(0.5) == qRgb(255, 255, 255));
    CHECK(scrolledTo(0.9) == kBlue);
}

TEST_CASE("a page is painted on another thread, and the last one stays until it is there")
{
    composer::FigurePreview preview;
    preview.resize(500, 400);
    preview.show();
    preview.setDrawing(onPaper(page()), false);
    CHECK(colourAt(preview, {0.8, 0.5}) == kBlue);
    figures::Drawing other = page();
    other.rect({0, 0, 144, 72}, std::nullopt, 0xffff0000);
    preview.setDrawing(onPaper(other), false);
    const QRectF place = preview.page();
    const QPoint right = (place.topLeft() + QPointF(0.8 * place.width(), 0.5 * place.height())).toPoint();
    CHECK(preview.viewport()->grab().toImage().pixel(right) == kBlue);
    CHECK_FALSE(control::LateWork::isDoneIn(preview));
    CHECK(colourAt(preview, {0.8, 0.5}) == 0xffff0000);
}
