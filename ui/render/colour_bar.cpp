#include "render/colour_bar.h"

#include <QLinearGradient>
#include <QPainter>

#include <algorithm>

namespace hs::render {
namespace {

std::vector<double> magnitudes(Scale scale)
{
    switch (scale) {
    case Scale::Linear: return {0, 0.5, 1};
    case Scale::SquareRoot: return {0, 0.1, 0.5, 1};
    case Scale::Logarithmic: return {0.001, 0.01, 0.1, 1};
    }
    return {};
}

}  // namespace

std::vector<ColourTick> colourTicks(Scale scale, bool isDiverging)
{
    std::vector<ColourTick> ticks;
    if (!isDiverging) {
        for (const double weight : magnitudes(scale))
            ticks.push_back({weight, scaled(weight, scale)});
        return ticks;
    }
    const double inner = scale == Scale::Linear ? 0.5 : 0.1;
    for (const double value : {-1.0, -inner, 0.0, inner, 1.0})
        ticks.push_back({value, 0.5 + (value < 0 ? -0.5 : 0.5) * scaled(std::abs(value), scale)});
    return ticks;
}

void paintColours(QPainter& painter, const QRectF& bar, const ColourMap& map)
{
    constexpr int kStops = 17;
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int stop = 0; stop <= kStops; ++stop) {
        const int level = 255 * stop / kStops;
        gradient.setColorAt(level / 255.0, QColor::fromRgb(map.at(level)));
    }
    if (map.isDiverging())
        gradient.setColorAt(0.5, QColor::fromRgb(map.ground()));
    painter.fillRect(bar, gradient);
}

}  // namespace hs::render
