#include "figures/presets/scatter_plots.h"

#include "figures/presets/weight_counts.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hs::figures {
namespace {

constexpr std::size_t kMostPoints = 400;
constexpr int kDensityBins = 48;  // per side
constexpr int kFewestLevel = 64;  // of the colour map, for a single cell
constexpr int kPointLevel = 210;
constexpr int kHistogramLevel = 120;
constexpr double kHistogramHeight = 0.66;  // of the plot
constexpr double kHistogramBar = 1.6;      // points, at least

/// 0 for no cell, 255 for the highest count, logarithmic in between.
int levelOf(int count, int most)
{
    if (count == 0)
        return 0;
    const double share = std::log(count) / std::log(std::max(2, most));
    return static_cast<int>(std::lround(kFewestLevel + (255 - kFewestLevel) * share));
}

void drawPoints(Drawing& drawing, const QRectF& place, std::span<const float> x, std::span<const float> y,
                QRgb ink, double lineWidth)
{
    const double radius = std::clamp(0.016 * place.width(), 0.35, 0.8);
    const double inset = radius + 1.5 * lineWidth;
    const QRectF inner = place.adjusted(inset, inset, -inset, -inset);
    QPainterPath points;
    points.setFillRule(Qt::WindingFill);
    std::set<std::pair<int, int>> drawn;  // points that would hide each other are drawn once
    for (std::size_t cell = 0; cell < x.size(); ++cell) {
        const QPointF offset(std::clamp<double>(x[cell], 0, 1) * inner.width(),
                             std::clamp<double>(y[cell], 0, 1) * inner.height());
        const QPoint rounded = (offset * 4 / radius).toPoint();
        if (drawn.emplace(rounded.x(), rounded.y()).second)
            points.addEllipse(inner.bottomLeft() + QPointF(offset.x(), -offset.y()), radius, radius);
    }
    if (!points.isEmpty())
        drawing.shape(points, {}, ink);
}

void drawDensity(Drawing& drawing, const QRectF& place, std::span<const float> x, std::span<const float> y,
                 const render::ColourMap& map)
{
    const std::vector<int> counts = countPairs(x, y, kDensityBins);
    const int most = *std::max_element(counts.begin(), counts.end());
    QImage levels(kDensityBins, kDensityBins, QImage::Format_Indexed8);
    levels.setColorTable(map.table(render::Scale::Linear));
    for (int row = 0; row < kDensityBins; ++row) {
        const int* const own = counts.data() + row * kDensityBins;
        std::transform(own, own + kDensityBins, levels.scanLine(kDensityBins - 1 - row),
                       [&](int count) { return static_cast<uchar>(levelOf(count, most)); });
    }
    drawing.cells(place, levels);
}

}  // namespace

void drawScatter(Drawing& drawing, const QRectF& place, std::span<const float> x, std::span<const float> y,
                 const render::ColourMap& map, double lineWidth)
{
    const std::size_t cells = std::min(x.size(), y.size());
    drawing.rect(place, {}, map.at(0));
    if (cells <= kMostPoints)
        drawPoints(drawing, place, x.first(cells), y.first(cells), map.at(kPointLevel), lineWidth);
    else
        drawDensity(drawing, place.adjusted(lineWidth, lineWidth, -lineWidth, -lineWidth), x, y, map);
}

void drawHistogram(Drawing& drawing, const QRectF& place, std::span<const float> weights,
                   const render::ColourMap& map)
{
    const int bins = std::clamp(static_cast<int>(place.width() / kHistogramBar), 8, 24);
    const std::vector<int> counts = countWeights(weights, bins);
    const int most = *std::max_element(counts.begin(), counts.end());
    const double width = place.width() / bins;
    QPainterPath bars;
    for (int bin = 0; bin < bins; ++bin) {
        const int count = counts[static_cast<std::size_t>(bin)];
        const double height =
            kHistogramHeight * place.height() * std::log1p(count) / std::log1p(std::max(2, most));
        if (count > 0)
            bars.addRect(place.left() + bin * width, place.bottom() - height, width, height);
    }
    drawing.rect(place, {}, map.at(0));
    if (!bars.isEmpty())
        drawing.shape(bars, {}, map.at(kHistogramLevel));
}

}  // namespace hs::figures
