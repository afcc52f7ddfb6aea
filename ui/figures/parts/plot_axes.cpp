#include "figures/parts/plot_axes.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr int kMostTicks = 7;
constexpr double kTickLength = 0.35;      // all in sizes of small text
constexpr double kNumberGap = 0.3;        // between a tick and its number
constexpr double kAxisNumberSpace = 0.8;  // between numbers beside each other
constexpr double kNameGap = 0.45;         // between numbers and the axis's name
constexpr double kAxisCapitals = 0.72;    // height of capitals and digits
constexpr double kTolerance = 1e-9;       // share of the range, for ends moved by rounding

TextStyle axisNumberStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

TextStyle axisNameStyle(const Form& form)
{
    return {form.fontSize, QFont::Normal, render::FigureStyle::kInk, {}};
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `step`.
double roundStep(double step)
{
    const double power = std::pow(10, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= step * (1 - kTolerance))
            return factor * power;
    return 10 * power;
}

std::vector<double> linearTicks(const AxisRange& range, int most)
{
    const double span = range.highest - range.lowest;
    double step = roundStep(span / most);
    std::vector<double> ticks;
    do {
        ticks.clear();
        const double slack = kTolerance * span;
        const double first = std::ceil((range.lowest - slack) / step);
        const double last = std::floor((range.highest + slack) / step);
        for (double multiple = first; multiple <= last; ++multiple)
            ticks.push_back(multiple == 0 ? 0 : multiple * step);
        step = roundStep(1.5 * step);
    } while (static_cast<int>(ticks.size()) > most);
    return ticks;
}

std::vector<double> logarithmicTicks(const AxisRange& range, int most)
{
    const int first = static_cast<int>(std::floor(std::log10(range.lowest)));
    const int last = static_cast<int>(std::floor(std::log10(range.highest) + kTolerance));
    const auto collect = [&](const std::vector<double>& factors, int stride) {
        std::vector<double> ticks;
        for (int exponent = first; exponent <= last; exponent += stride)
            for (const double factor : factors) {
                const double value = factor * std::pow(10, exponent);
                if (value >= range.lowest * (1 - kTolerance) && value <= range.highest * (1 + kTolerance))
                    ticks.push_back(value);
            }
        return ticks;
    };
    std::vector<double> ticks = collect({1, 2, 5}, 1);
    for (int stride = 1; static_cast<int>(ticks.size()) > most; ++stride)
        ticks = collect({1}, stride);
    return ticks;
}

double widestLabel(const std::vector<double>& ticks, const Drawing& drawing, const TextStyle& style)
{
    double widest = 0;
    for (const double tick : ticks)
        widest = std::max(widest, drawing.widthOf(tickLabel(tick), style));
    return widest;
}

}  // namespace

double AxisRange::shareOf(double value) const
{
    const auto place = [this](double v) { return isLogarithmic ? std::log10(v) : v; };
    const double span = place(highest) - place(lowest);
    return span > 0 ? (place(value) - place(lowest)) / span : 0.5;
}

std::vector<double> roundTicks(const AxisRange& range, int most)
{
    const bool isValid = std::isfinite(range.lowest) && std::isfinite(range.highest) &&
                         (!range.isLogarithmic || range.lowest > 0);
    if (!isValid || most < 1 || range.highest < range.lowest)
        return {};
    if (range.highest == range.lowest)
        return {range.lowest};
    return range.isLogarithmic ? logarithmicTicks(range, most) : linearTicks(range, most);
}

QString tickLabel(double value)
{
    return QString::number(value, 'g', 6);
}

QPointF PlotAxes::at(double x, double y) const
{
    return {m_place.left() + m_x.shareOf(x) * m_place.width(),
            m_place.bottom() - m_y.shareOf(y) * m_place.height()};
}

std::vector<double> PlotAxes::xTicks(const Drawing& drawing, const TextStyle& style) const
{
    for (int most = kMostTicks; most > 1; --most) {
        const std::vector<double> ticks = roundTicks(m_x, most);
        double previousRight = -1e9;
        bool isApart = true;
        for (const double tick : ticks) {
            const double middle = at(tick, m_y.lowest).x();
            const double half = drawing.widthOf(tickLabel(tick), style) / 2;
            isApart = isApart && middle - half >= previousRight + kAxisNumberSpace * style.size;
            previousRight = middle + half;
        }
        if (isApart)
            return ticks;
    }
    return roundTicks(m_x, 1);
}

std::vector<double> PlotAxes::yTicks(const TextStyle& style) const
{
    for (int most = kMostTicks; most > 1; --most) {
        const std::vector<double> ticks = roundTicks(m_y, most);
        bool isApart = true;
        for (std::size_t next = 1; next < ticks.size(); ++next)
            isApart = isApart && at(m_x.lowest, ticks[next - 1]).y() - at(m_x.lowest, ticks[next]).y() >=
                                     1.3 * style.size;
        if (isApart)
            return ticks;
    }
    return roundTicks(m_y, 1);
}

void PlotAxes::draw(Drawing& drawing, const Form& form, const AxisNames& names) const
{
    const TextStyle numbers = axisNumberStyle(form);
    const Stroke thin{render::FigureStyle::kQuietInk, form.lineWidth, false};
    const double tick = kTickLength * numbers.size;
    const double gap = kNumberGap * numbers.size;

    QPainterPath lines(m_place.topLeft());
    lines.lineTo(m_place.bottomLeft());
    lines.lineTo(m_place.bottomRight());
    const std::vector<double> across = xTicks(drawing, numbers);
    for (const double value : across) {
        const double x = at(value, m_y.lowest).x();
        lines.moveTo(x, m_place.bottom());
        lines.lineTo(x, m_place.bottom() + tick);
        drawing.text({x, m_place.bottom() + tick + gap + kAxisCapitals * numbers.size}, tickLabel(value),
                     numbers, Align::Centre);
    }
    const std::vector<double> upwards = yTicks(numbers);
    for (const double value : upwards) {
        const double y = at(m_x.lowest, value).y();
        lines.moveTo(m_place.left(), y);
        lines.lineTo(m_place.left() - tick, y);
        drawing.text({m_place.left() - tick - gap, y + kAxisCapitals / 2 * numbers.size}, tickLabel(value),
                     numbers, Align::Right);
    }
    drawing.shape(lines, thin);

    const TextStyle style = axisNameStyle(form);
    const QMarginsF around = margins(m_x, m_y, names, form);
    drawing.text({m_place.center().x(), m_place.bottom() + around.bottom() - 0.25 * style.size},
                 drawing.elided(names.x, style, m_place.width()), style, Align::Centre);
    drawing.textUpwards({m_place.left() - around.left() + 0.8 * style.size, m_place.center().y()},
                        drawing.elided(names.y, style, m_place.height()), style, Align::Centre);
}

QMarginsF PlotAxes::margins(const AxisRange& x, const AxisRange& y, const AxisNames& names, const Form& form)
{
    const Drawing measure(form.fontFamily);
    const TextStyle numbers = axisNumberStyle(form);
    const double mark = (kTickLength + kNumberGap) * numbers.size;
    const double name = kNameGap * numbers.size + 1.05 * form.fontSize;
    double left = mark, lastWidth = 0;
    for (int most = 1; most <= kMostTicks; ++most) {
        left = std::max(left, mark + widestLabel(roundTicks(y, most), measure, numbers));
        const std::vector<double> ticks = roundTicks(x, most);
        if (!ticks.empty())
            lastWidth = std::max(lastWidth, measure.widthOf(tickLabel(ticks.back()), numbers));
    }
    return {left + (names.y.isEmpty() ? 0 : name), 0.5 * numbers.size, lastWidth / 2,
            mark + kAxisCapitals * numbers.size + 0.25 * numbers.size + (names.x.isEmpty() ? 0 : name)};
}

}  // namespace hs::figures
