#include "render/colour_map.h"

#include "support/catch.h"

#include <cmath>
#include <set>

using namespace hs;

namespace {

/// CIE lightness, 0..100: not the measure the maps are made with.
double lightness(QRgb colour)
{
    const auto linear = [](int byte) {
        const double value = byte / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    const double luminance =
        0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) + 0.0722 * linear(qBlue(colour));
    return luminance > 0.008856 ? 116 * std::cbrt(luminance) - 16 : 903.3 * luminance;
}

}  // namespace

TEST_CASE("a colour map's lightness runs one way in even steps")
{
    for (const QString& name : render::ColourMap::names()) {
        CAPTURE(name.toStdString());
        const render::ColourMap map = render::ColourMap::named(name);
        const double whole = lightness(map.at(255)) - lightness(map.at(0));
        CHECK(std::abs(whole) > 60);
        for (int level = 0; level + 16 < 256; ++level) {
            CAPTURE(level);
            const double share = (lightness(map.at(level + 16)) - lightness(map.at(level))) / whole;
            CHECK(share > 0.4 * 16 / 255);
            CHECK(share < 2.0 * 16 / 255);
        }
    }
}

TEST_CASE("the default map goes from white to dark blue")
{
    const render::ColourMap map = render::ColourMap::named(render::ColourMap::names().front());
    CHECK(map.name() == QStringLiteral("blues"));
    CHECK(map.at(0) == qRgb(255, 255, 255));
    CHECK(qBlue(map.at(255)) > 80);
    CHECK(qBlue(map.at(255)) > 2 * qRed(map.at(255)));
    CHECK_FALSE(map.startsDark());
}

TEST_CASE("an unknown map is the default map")
{
    CHECK(render::ColourMap::named(QStringLiteral("no such map")).name() ==
          render::ColourMap::names().front());
}

TEST_CASE("every colour of a map is used once")
{
    for (const QString& name : render::ColourMap::names()) {
        CAPTURE(name.toStdString());
        const render::ColourMap map = render::ColourMap::named(name);
        std::set<QRgb> colours;
        for (int level = 0; level < 256; ++level)
            colours.insert(map.at(level));
        CHECK(colours.size() > 200);
    }
}

TEST_CASE("scales keep 0 and 1 and the square root lifts what lies between")
{
    const render::ColourMap map = render::ColourMap::named(QStringLiteral("greys"));
    const QList<QRgb> linear = map.table(render::Scale::Linear);
    const QList<QRgb> root = map.table(render::Scale::SquareRoot);
    CHECK(linear.size() == 256);
    CHECK(root.front() == linear.front());
    CHECK(root.back() == linear.back());
    CHECK(linear[64] == map.at(64));
    CHECK(root[64] == map.at(128));
}

TEST_CASE("the logarithmic scale gives each of three decades the same room")
{
    CHECK(render::scaled(1, render::Scale::Logarithmic) == Approx(1));
    CHECK(render::scaled(0.1, render::Scale::Logarithmic) == Approx(2.0 / 3));
    CHECK(render::scaled(0.01, render::Scale::Logarithmic) == Approx(1.0 / 3));
    CHECK(render::scaled(0.001, render::Scale::Logarithmic) == Approx(0).margin(1e-12));
    CHECK(render::scaled(0, render::Scale::Logarithmic) == Approx(0).margin(1e-12));
}

TEST_CASE("on a dark ground every map starts dark and still runs one way")
{
    for (const QString& name : render::ColourMap::names()) {
        CAPTURE(name.toStdString());
        const render::ColourMap map = render::ColourMap::named(name).onDark();
        CHECK(map.startsDark());
        const double whole = lightness(map.at(255)) - lightness(map.at(0));
        CHECK(whole > 55);
        for (int level = 0; level + 16 < 256; ++level)
            CHECK(lightness(map.at(level + 16)) > lightness(map.at(level)));
    }
}

TEST_CASE("the diverging map is neutral in the middle and as light on either side")
{
    for (const render::ColourMap& map :
         {render::ColourMap::diverging(), render::ColourMap::diverging().onDark()}) {
        CHECK(map.isDiverging());
        const QRgb middle = map.at(128);
        CHECK(std::abs(qRed(middle) - qBlue(middle)) < 14);
        for (int distance = 8; distance <= 127; ++distance) {
            CAPTURE(distance);
            CHECK(lightness(map.at(128 - distance)) == Approx(lightness(map.at(128 + distance))).margin(5));
        }
        CHECK(qBlue(map.at(1)) > qRed(map.at(1)) + 60);
        CHECK(qRed(map.at(255)) > qBlue(map.at(255)) + 60);
        const QList<QRgb> table = map.table(render::Scale::SquareRoot);
        CHECK(table[128] == middle);
        CHECK(table[255] == map.at(255));
        CHECK(table[128 + 32] == map.at(128 + 64));
    }
}
