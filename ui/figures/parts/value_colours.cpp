#include "figures/parts/value_colours.h"

#include "render/colour_bar.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kBarWidth = 10;  // both in small text sizes
constexpr double kScaleHeight = 0.9;

}  // namespace

ValueColours::ValueColours(const Form& form, double lowest, double highest)
    : m_map(render::ColourMap::named(form.colourMap)), m_scale(form.scale), m_lowest(lowest),
      m_highest(highest)
{
}

ValueColours ValueColours::bothWays(const Form& form, double most)
{
    ValueColours colours(form, -most, most);
    colours.m_map = render::ColourMap::diverging();
    return colours;
}

int ValueColours::levelOf(double value) const
{
    if (m_map.isDiverging()) {
        const double share = m_highest > 0 ? std::min(1.0, std::abs(value) / m_highest) : 0;
        const double reach = 127 * render::scaled(share, m_scale);
        return static_cast<int>(std::lround(value < 0 ? 128 - reach : 128 + reach));
    }
    const double span = m_highest - m_lowest;
    const double share = span > 0 ? std::clamp((value - m_lowest) / span, 0.0, 1.0) : 0;
    return static_cast<int>(std::lround(255 * render::scaled(share, m_scale)));
}

QImage ValueColours::levels(int width, int height) const
{
    QImage image(width, height, QImage::Format_Indexed8);
    QList<QRgb> colours;
    for (int level = 0; level < 256; ++level)
        colours << m_map.at(level);
    image.setColorTable(colours);
    image.fill(m_map.isDiverging() ? 128 : 0);
    return image;
}

QRectF ValueColours::drawBar(Drawing& drawing, QPointF at, const QString& name, const Form& form) const
{
    const TextStyle style{form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
    const QRectF bar(at, QSizeF(kBarWidth, kScaleHeight) * style.size);
    QImage colours = levels(256, 1);
    for (int level = 0; level < 256; ++level)
        colours.scanLine(0)[level] = static_cast<uchar>(level);
    drawing.cells(bar, colours);
    drawing.rect(bar, Stroke{render::FigureStyle::kFrame, form.lineWidth, false});

    const double baseline = bar.bottom() + 1.1 * style.size;
    double right = bar.left() - style.size;
    for (const render::ColourTick tick : render::colourTicks(m_scale, m_map.isDiverging())) {
        const double value =
            m_map.isDiverging() ? tick.value * m_highest : m_lowest + tick.value * (m_highest - m_lowest);
        const QString number = QString::number(value, 'g', 2).replace(QLatin1Char('-'), QChar(0x2212));
        const double width = drawing.widthOf(number, style);
        const double left = std::max(bar.left(), bar.left() + bar.width() * tick.place - width / 2);
        if (left < right + 0.5 * style.size)
            continue;
        drawing.text({left, baseline}, number, style);
        right = left + width;
    }
    const double nameLeft = std::max(bar.right(), right) + 0.8 * style.size;
    drawing.text({nameLeft, bar.bottom() - 0.12 * style.size}, name, style);
    return {at,
            QPointF(std::max(right, nameLeft + drawing.widthOf(name, style)), baseline + 0.25 * style.size)};
}

QRgb inkOn(QRgb ground)
{
    return qGray(ground) < 140 ? render::FigureStyle::kPaper : render::FigureStyle::kInk;
}

}  // namespace hs::figures
