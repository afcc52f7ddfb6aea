#include "panels/inspector/map_colours.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr int kDecades = 3;  // of the logarithmic scale

bool isScaled(MapView view)
{
    return view != MapView::Scores && view != MapView::Gate;
}

/// 1, 2 or 5 times a power of ten, not below `step`.
double niceStep(double step)
{
    const double decade = std::pow(10.0, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= step * (1 - 1e-9))
            return factor * decade;
    return 10 * decade;
}

std::vector<double> evenValues(const ValueRange& limits, int most)
{
    const double step = niceStep((limits.high - limits.low) / std::max(1, most - 1));
    std::vector<double> values;
    const double first = std::ceil(limits.low / step - 1e-6);
    const double last = std::floor(limits.high / step + 1e-6);
    for (double multiple = first; multiple <= last && values.size() < 32; ++multiple)
        values.push_back(multiple * step);
    return values;
}

/// Ends first, then round numbers, roundest first: earlier ones displace later ones that are too close.
std::vector<double> unevenValues(double high, render::Scale scale)
{
    std::vector<double> values = {high};
    values.push_back(scale == render::Scale::Logarithmic ? high * std::pow(10.0, -kDecades) : 0.0);
    const double decade = std::pow(10.0, std::floor(std::log10(high)));
    for (const double factor : {1.0, 5.0, 2.0})
        for (int down = 0; down <= kDecades; ++down)
            if (const double value = factor * decade * std::pow(10.0, -down); value < high)
                values.push_back(value);
    return values;
}

}  // namespace

MapColours::MapColours(MapView view, const ValueRange& limits, const control::Look& look, bool isDark)
    : m_isSigned(isDifference(view)), m_limits(limits),
      m_scale(isScaled(view) ? look.scale : render::Scale::Linear)
{
    const render::ColourMap onLight =
        m_isSigned ? render::ColourMap::diverging() : render::ColourMap::named(look.colourMap);
    const render::ColourMap map = isDark ? onLight.onDark() : onLight;
    for (int level = 0; level < kLevels; ++level)
        m_colours << map.at(level);
    m_ground = map.ground();
}

ValueRange MapColours::limits(MapView view, bool isPerHead, std::span<const HeadMap> maps)
{
    const bool isFixed =
        view == MapView::Gate || (!isPerHead && view != MapView::Scores && view != MapView::ValueWeighted);
    std::optional<ValueRange> range;
    if (!isFixed)
        for (const HeadMap& map : maps)
            if (const auto own = map.range())
                range = range ? ValueRange{std::min(range->low, own->low), std::max(range->high, own->high)}
                              : own;
    if (view == MapView::Scores)
        return !range                     ? ValueRange{0, 1}
               : range->high > range->low ? *range
                                          : ValueRange{range->low, range->low + 1};
    const double largest = range ? std::max(std::abs(range->low), std::abs(range->high)) : 0;
    const double high = largest > 0 ? largest : 1;
    return {isDifference(view) ? -high : 0, high};
}

double MapColours::placeOf(double value) const
{
    if (m_isSigned)
        return std::copysign(render::scaled(std::min(1.0, std::abs(value) / m_limits.high), m_scale), value);
    const double share = (value - m_limits.low) / (m_limits.high - m_limits.low);
    return render::scaled(std::clamp(share, 0.0, 1.0), m_scale);
}

double MapColours::exactLevel(double value) const
{
    constexpr int kMiddle = kLevels / 2;
    return m_isSigned ? kMiddle + (kMiddle - 1) * placeOf(value) : (kLevels - 1) * placeOf(value);
}

double MapColours::levelOf(double value) const
{
    return std::isnan(value) ? value : std::round(exactLevel(value));
}

std::vector<double> MapColours::tickValues(int most) const
{
    if (m_scale == render::Scale::Linear)
        return evenValues(m_limits, most);
    std::vector<double> values = unevenValues(m_limits.high, m_scale);
    if (m_isSigned) {
        std::vector<double> both = {m_limits.low, m_limits.high, 0};
        for (const double value : values) {
            both.push_back(value);
            both.push_back(-value);
        }
        values = std::move(both);
    }
    std::vector<double> chosen;
    for (const double value : values) {
        const auto isNear = [&](double other) {
            return std::abs(exactLevel(other) - exactLevel(value)) * most < kLevels;
        };
        if (std::none_of(chosen.begin(), chosen.end(), isNear))
            chosen.push_back(value);
    }
    return chosen;
}

std::vector<MapTick> MapColours::ticks(int most) const
{
    std::vector<double> values = tickValues(std::max(2, most));
    std::sort(values.begin(), values.end());
    std::vector<MapTick> ticks;
    for (const double value : values) {
        const double shown = value == 0 || std::abs(value) < 1e-12 ? 0 : value;
        QString text = QLocale().toString(shown, 'g', 2);
        if (std::abs(shown) >= 10)
            text = QLocale().toString(shown, 'f', 0);
        ticks.push_back({exactLevel(value), text.replace(QLatin1Char('-'), QChar(0x2212))});
    }
    return ticks;
}

}  // namespace hs::panels
