#include "render/colour_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace hs::render {
namespace {

/// A colour in Oklab's polar form. Its lightness is not given: it changes evenly along the map.
struct ControlPoint {
    double at;  // place on the map, 0..1
    double chroma;
    double hue;  // degrees
};

struct Recipe {
    const char* name;
    double firstLightness;
    double lastLightness;
    std::vector<ControlPoint> points;
};

constexpr double kLeastWeight = 0.001;
constexpr double kDecades = 3;

constexpr int kMiddle = 128;
constexpr double kDarkGround = 0.21;
constexpr double kLightestOnDark = 0.95;

const std::vector<Recipe>& recipes()
{
    static const std::vector<Recipe> all = {
        {"blues",
         1.0,
         0.315,
         {{0, 0, 240}, {0.12, 0.022, 242}, {0.5, 0.118, 245}, {0.75, 0.132, 252}, {1, 0.105, 259}}},
        {"greys", 1.0, 0.2, {{0, 0, 0}, {1, 0, 0}}},
        {"violet-yellow",
         0.27,
         0.92,
         {{0, 0.12, 315}, {0.25, 0.11, 275}, {0.5, 0.085, 205}, {0.75, 0.16, 145}, {1, 0.185, 106}}},
        {"navy-yellow",
         0.25,
         0.92,
         {{0, 0.085, 258}, {0.35, 0.035, 265}, {0.5, 0.012, 100}, {0.7, 0.07, 98}, {1, 0.16, 98}}},
    };
    return all;
}

double encodedChannel(double linear)
{
    const double clamped = std::clamp(linear, 0.0, 1.0);
    return clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * std::pow(clamped, 1 / 2.4) - 0.055;
}

QRgb fromOklab(double lightness, double a, double b)
{
    const auto cube = [](double x) { return x * x * x; };
    const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    const auto byte = [](double linear) {
        return static_cast<int>(std::lround(255 * encodedChannel(linear)));
    };
    return qRgb(byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

QRgb colourAt(const Recipe& recipe, double place)
{
    const auto& points = recipe.points;
    std::size_t next = 1;
    while (next + 1 < points.size() && points[next].at < place)
        ++next;
    const ControlPoint& low = points[next - 1];
    const ControlPoint& high = points[next];
    const double share = (place - low.at) / (high.at - low.at);
    const auto onPlane = [](const ControlPoint& point, auto wave) {
        return point.chroma * wave(point.hue * std::numbers::pi / 180);
    };
    const auto cosine = [](double x) { return std::cos(x); };
    const auto sine = [](double x) { return std::sin(x); };
    return fromOklab(std::lerp(recipe.firstLightness, recipe.lastLightness, place),
                     std::lerp(onPlane(low, cosine), onPlane(high, cosine), share),
                     std::lerp(onPlane(low, sine), onPlane(high, sine), share));
}

const Recipe& recipeOf(const QString& name)
{
    const auto found = std::find_if(recipes().begin(), recipes().end(),
                                    [&](const Recipe& recipe) { return name == QLatin1String(recipe.name); });
    return found == recipes().end() ? recipes().front() : *found;
}

// The two arms of the diverging map, each from the middle outwards.
const Recipe kBelow = {"", 1.0, 0.42, {{0, 0, 250}, {0.5, 0.105, 248}, {1, 0.14, 257}}};
const Recipe kAbove = {"", 1.0, 0.42, {{0, 0, 45}, {0.5, 0.105, 45}, {1, 0.135, 38}}};
const Recipe kBelowOnDark = {"", kDarkGround, 0.82, {{0, 0.011, 250}, {0.5, 0.11, 252}, {1, 0.1, 240}}};
const Recipe kAboveOnDark = {"", kDarkGround, 0.82, {{0, 0.011, 250}, {0.5, 0.11, 42}, {1, 0.12, 62}}};

std::array<QRgb, 256> divergingColours(const Recipe& below, const Recipe& above)
{
    std::array<QRgb, 256> colours{};
    for (int level = 0; level < 256; ++level)
        colours[static_cast<std::size_t>(level)] =
            colourAt(level < kMiddle ? below : above, std::min(1.0, std::abs(level - kMiddle) / 127.0));
    return colours;
}

}  // namespace

double scaled(double weight, Scale scale)
{
    switch (scale) {
    case Scale::Linear: return weight;
    case Scale::SquareRoot: return std::sqrt(weight);
    case Scale::Logarithmic:
        return std::clamp(1 + std::log10(std::max(weight, kLeastWeight)) / kDecades, 0.0, 1.0);
    }
    return weight;
}

QStringList ColourMap::names()
{
    QStringList all;
    for (const Recipe& recipe : recipes())
        all << QString::fromLatin1(recipe.name);
    return all;
}

ColourMap ColourMap::named(const QString& name)
{
    static const std::vector<ColourMap> all = [] {  // once: a figure asks for one with every tile
        std::vector<ColourMap> maps(recipes().size());
        for (std::size_t index = 0; index < maps.size(); ++index) {
            const Recipe& recipe = recipes()[index];
            maps[index].m_name = QString::fromLatin1(recipe.name);
            for (std::size_t level = 0; level < maps[index].m_colours.size(); ++level)
                maps[index].m_colours[level] = colourAt(recipe, static_cast<double>(level) / 255);
        }
        return maps;
    }();
    return all[static_cast<std::size_t>(&recipeOf(name) - recipes().data())];
}

ColourMap ColourMap::diverging()
{
    ColourMap map;
    map.m_isDiverging = true;
    map.m_name = QStringLiteral("blue-vermilion");
    map.m_colours = divergingColours(kBelow, kAbove);
    return map;
}

ColourMap ColourMap::onDark() const
{
    if (startsDark())
        return *this;
    ColourMap twin = *this;
    if (m_isDiverging) {
        twin.m_colours = divergingColours(kBelowOnDark, kAboveOnDark);
        return twin;
    }
    const Recipe& recipe = recipeOf(m_name);
    Recipe onDark = {recipe.name, kDarkGround, kLightestOnDark, recipe.points};
    onDark.points.front() = kBelowOnDark.points.front();
    for (std::size_t level = 0; level < twin.m_colours.size(); ++level)
        twin.m_colours[level] = colourAt(onDark, static_cast<double>(level) / 255);
    return twin;
}

QList<QRgb> ColourMap::table(Scale scale) const
{
    QList<QRgb> colours(256);
    for (int level = 0; level < 256; ++level) {
        if (m_isDiverging) {
            const int side = level < kMiddle ? -1 : 1;
            const double magnitude = std::min(1.0, std::abs(level - kMiddle) / 127.0);
            colours[level] =
                at(kMiddle + side * static_cast<int>(std::lround(127 * scaled(magnitude, scale))));
        } else {
            colours[level] = at(static_cast<int>(std::lround(255 * scaled(level / 255.0, scale))));
        }
    }
    return colours;
}

}  // namespace hs::render
