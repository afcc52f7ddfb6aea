#include "figures/parts/drawing_painter.h"

#include "support/catch.h"
#include "ui/figures/figure_sample.h"

#include <QPainter>

using namespace hs;

namespace {

QImage painted(const figures::Drawing& drawing, double scale, double ratio)
{
    QImage image((drawing.size() * scale * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(scale, scale);
    figures::DrawingPainter(painter).paint(drawing);
    painter.end();
    image.setDevicePixelRatio(1);
    return image;
}

}  // namespace

TEST_CASE("each cell on a screen of any density has the colour of its weight")
{
    const figures::Drawing drawing = test::sampleDrawing();
    for (const double ratio : {1.0, 1.25, 2.0})
        for (const double scale : {2.0, 3.1})
            CHECK(test::wrongCells(drawing, painted(drawing, scale, ratio))
                      .join(QLatin1Char('\n'))
                      .toStdString() == "");
}

TEST_CASE("painting leaves the painter as it was")
{
    QImage image(40, 40, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.scale(2, 2);
    painter.setPen(Qt::red);
    figures::DrawingPainter(painter).paint(test::sampleDrawing());
    CHECK(painter.transform() == QTransform::fromScale(2, 2));
    CHECK(painter.pen() == QPen(Qt::red));
    CHECK_FALSE(painter.testRenderHint(QPainter::Antialiasing));
}

TEST_CASE("characters that no typeface has are named once, those that some has are not")
{
    figures::Drawing drawing;
    drawing.text({}, QString::fromUtf8("plain ÄÖ √ · – \t\x01\u200d\ufe0f"), {});
    CHECK(figures::missingGlyphs(drawing).isEmpty());
    const char32_t unassigned[] = {0x10fffd, 0x378, 0x10fffd};
    drawing.text({}, QStringLiteral("x") + QString::fromUcs4(unassigned, 3), {});
    CHECK((figures::missingGlyphs(drawing) ==
           QStringList{QString::fromUcs4(unassigned + 1, 1), QString::fromUcs4(unassigned, 1)}));
}

TEST_CASE("Arabic letters are joined, and what looks like an arrow or a times sign stays what it is")
{
    const auto inkOf = [](const QString& text) {
        double width = 0;
        for (const QPolygonF& outline : render::textOutline({}, text, 100, QFont::Normal).toSubpathPolygons())
            width = std::max(width, outline.boundingRect().right());
        return width;
    };
    const QString joined = QString::fromUtf8("\u0645\u0631\u062D\u0628\u0627");
    double apart = 0;
    for (const QChar letter : joined)
        apart += inkOf(letter);
    CHECK(inkOf(joined) < 0.9 * apart);

    const auto outlines = [](const QString& text) {
        return render::textOutline({}, text, 100, QFont::Normal);
    };
    const double minus = render::textWidth(QStringLiteral("-"), 100, QFont::Normal);
    QPainterPath apartArrow = outlines(QStringLiteral("-"));
    apartArrow.addPath(render::textOutline({minus, 0}, QStringLiteral(">"), 100, QFont::Normal));
    CHECK(outlines(QStringLiteral("->")).boundingRect().width() ==
          Approx(apartArrow.boundingRect().width()).margin(2));
    CHECK(outlines(QStringLiteral("->")).elementCount() == apartArrow.elementCount());
}
