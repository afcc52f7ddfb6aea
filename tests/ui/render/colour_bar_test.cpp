#include "render/colour_bar.h"

#include "support/catch.h"

#include <QImage>
#include <QPainter>

using namespace hs;

TEST_CASE("ticks stand where the scale puts their value, from end to end")
{
    for (const render::Scale scale :
         {render::Scale::Linear, render::Scale::SquareRoot, render::Scale::Logarithmic}) {
        const auto weights = render::colourTicks(scale, false);
        CHECK(weights.front().place == Approx(0).margin(1e-12));
        CHECK(weights.back().place == Approx(1));
        for (const render::ColourTick tick : weights)
            CHECK(tick.place == Approx(render::scaled(tick.value, scale)).margin(1e-12));
        const auto changes = render::colourTicks(scale, true);
        CHECK(changes.front().value == -1);
        CHECK(changes.back().value == 1);
        for (std::size_t index = 0; index < changes.size(); ++index)
            CHECK(changes[index].place == Approx(1 - changes[changes.size() - 1 - index].place));
    }
}

TEST_CASE("a colour bar runs through the map's colours")
{
    const render::ColourMap map =
        GENERATE(render::ColourMap::named(QStringLiteral("blues")), render::ColourMap::diverging());
    QImage image(256, 4, QImage::Format_RGB32);
    QPainter painter(&image);
    render::paintColours(painter, image.rect(), map);
    painter.end();
    for (const int level : {0, 64, 128, 200, 255})
        CHECK(qGray(image.pixel(level, 2)) == Approx(qGray(map.at(level))).margin(6));
}
