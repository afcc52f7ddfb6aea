#include "figures/files/figure_png.h"

#include "support/catch.h"
#include "ui/figures/figure_sample.h"

#include <QBuffer>

using namespace hs;

namespace {

QImage decoded(const figures::Drawing& drawing, const figures::PixelOptions& options)
{
    return QImage::fromData(figures::figurePng(drawing, test::sampleStamp(), options), "PNG");
}

}  // namespace

TEST_CASE("a PNG has the size and resolution asked for")
{
    const figures::Drawing drawing = test::sampleDrawing();
    for (const double dots : {72.0, 300.0, 612.5}) {
        const QImage image = decoded(drawing, {dots, false});
        CHECK(image.width() == Approx(drawing.size().width() * dots / 72).margin(1));
        CHECK(image.height() == Approx(drawing.size().height() * dots / 72).margin(1));
        CHECK(image.dotsPerMeterX() == Approx(dots / 0.0254).margin(0.5));
        CHECK(image.dotsPerMeterY() == image.dotsPerMeterX());
    }
}

TEST_CASE("each cell of a PNG has the colour of its weight")
{
    const figures::Drawing drawing = test::sampleDrawing();
    for (const double dots : {150.0, 300.0, 431.0})
        for (const bool isTransparent : {false, true})
            CHECK(test::wrongCells(drawing, decoded(drawing, {dots, isTransparent}))
                      .join(QLatin1Char('\n'))
                      .toStdString() == "");
}

TEST_CASE("the ground of a PNG is white or transparent")
{
    const figures::Drawing drawing = test::sampleDrawing();
    CHECK(decoded(drawing, {100, false}).pixelColor(0, 0) == QColor(Qt::white));
    CHECK_FALSE(decoded(drawing, {100, false}).hasAlphaChannel());
    CHECK(decoded(drawing, {100, true}).pixelColor(0, 0).alpha() == 0);
}

TEST_CASE("a PNG names title, caption and program in its texts")
{
    const QImage image = decoded(test::sampleDrawing(), {72, false});
    CHECK(image.text(QStringLiteral("Title")) == test::sampleStamp().title);
    CHECK(image.text(QStringLiteral("Description")) == test::sampleStamp().description);
    CHECK(image.text(QStringLiteral("Software")) == QStringLiteral("HeadScope " HS_VERSION));
    CHECK(image.text(QStringLiteral("headscope")).toStdString() == test::sampleStamp().recipe);
}

TEST_CASE("a recipe is found in the kinds of text that other programs turn it into")
{
    QImage image(4, 4, QImage::Format_RGB32);
    image.fill(Qt::white);
    const auto recipeOf = [&](const QString& text) {
        image.setText(QStringLiteral("headscope"), text);
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        REQUIRE(image.save(&buffer, "PNG"));
        return QString::fromUtf8(figures::recipeInPng(buffer.data()));
    };
    for (const QString& text : {QStringLiteral("{}"), QString(200, QLatin1Char('a')),
                                QString(200, QChar(0x4e2d)), QStringLiteral("ü")})
        CHECK(recipeOf(text) == text);
}
