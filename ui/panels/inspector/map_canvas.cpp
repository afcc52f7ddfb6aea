#include "panels/inspector/map_canvas.h"

#include "panels/widgets/custom_plot.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr int kBarGap = 10;
constexpr int kScaleWidth = 10;
constexpr int kLeastTickPixels = 28;
constexpr double kDimming = 0.45;

/// The cells from first up to last along one axis, pooled into `count` places.
struct Pooling {
    int first = 0;
    int last = 0;  // one past the last
    int count = 0;

    static Pooling of(double from, double to, int tokens, int pixels)
    {
        Pooling pooling;
        pooling.first = std::clamp(static_cast<int>(std::floor(from)), 0, tokens);
        pooling.last = std::clamp(static_cast<int>(std::ceil(to)), pooling.first, tokens);
        pooling.count = std::min(pooling.last - pooling.first, std::max(1, pixels));
        return pooling;
    }
    int begin(int place) const
    {
        return first + static_cast<int>(std::int64_t{place} * (last - first) / count);
    }
    /// Range of the places' centres, as QCPColorMap expects; the whole range for a single place.
    QCPRange range() const
    {
        const double half = count > 1 ? 0.5 * (last - first) / count : 0;
        return QCPRange(first + half, last - half);
    }
};

double stronger(double one, double other, bool isSigned)
{
    constexpr double kNone = MapColours::kLevels / 2;
    if (std::isnan(one))
        return other;
    const bool isOther = isSigned ? std::abs(other - kNone) > std::abs(one - kNone) : other > one;
    return isOther ? other : one;
}

}  // namespace

MapCanvas::MapCanvas(QWidget* parent) : QWidget(parent), m_plot(newPlot(this)), m_places(new QCPLayoutInset)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->plotLayout()->clear();
    m_plot->plotLayout()->addElement(0, 0, m_places);

    auto* const axes = new QCPAxisRect(m_plot);
    axes->setMinimumSize(0, 0);
    axes->setAutoMargins(QCP::msNone);
    axes->setMargins({});
    m_places->addElement(axes, QRectF(0, 0, 1, 1));
    for (QCPAxis* const axis : axes->axes()) {
        axis->setVisible(false);
        axis->grid()->setVisible(false);
    }
    axes->axis(QCPAxis::atLeft)->setRangeReversed(true);
    m_cells = new QCPColorMap(axes->axis(QCPAxis::atBottom), axes->axis(QCPAxis::atLeft));
    m_cells->setInterpolate(false);
    m_cells->setTightBoundary(false);
    m_cells->setAntialiased(false);

    m_bar = new QCPColorScale(m_plot);
    m_bar->setType(QCPAxis::atRight);
    m_bar->setBarWidth(kScaleWidth);
    m_bar->setRangeDrag(false);
    m_bar->setRangeZoom(false);
    m_bar->setMinimumMargins({});
    m_places->addElement(m_bar, QRectF(0, 0, 1, 1));
    m_cells->setColorScale(m_bar);
    m_bar->setDataRange(QCPRange(0, MapColours::kLevels - 1));
    m_bar->axis()->setSubTicks(false);
    m_bar->axis()->setTickLength(0, 3);
    m_bar->axis()->setTickLabelPadding(3);
    applyStyle();
}

void MapCanvas::setMap(const HeadMap& map, const MapColours& colours)
{
    m_map = map;
    const bool isRecoloured = !(colours == m_colours);
    m_colours = colours;
    if (isRecoloured)
        recolour();
}

void MapCanvas::setView(const MapViewport& view)
{
    m_view = view;
    place();
}

void MapCanvas::setDimmed(bool isDimmed)
{
    if (isDimmed == m_isDimmed)
        return;
    m_isDimmed = isDimmed;
    recolour();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void MapCanvas::resizeEvent(QResizeEvent*)
{
    m_plot->setGeometry(rect());
}

void MapCanvas::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyStyle();
        m_plot->replot(QCustomPlot::rpQueuedReplot);
    }
    QWidget::changeEvent(event);
}

void MapCanvas::place()
{
    if (size().isEmpty())
        return;
    const auto share = [this](const QRect& place) {
        // Slightly more than the pixel, since the layout rounds down.
        return QRectF((place.x() + 0.01) / width(), (place.y() + 0.01) / height(),
                      (place.width() + 0.01) / width(), (place.height() + 0.01) / height());
    };
    const QRect& cells = m_view.place();
    m_places->setInsetRect(0, share(cells));
    m_places->setInsetRect(
        1, share(QRect(cells.right() + 1 + kBarGap, cells.top(), kBarRoom - kBarGap, cells.height())));
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (const MapTick& tick : m_colours.ticks(cells.height() / kLeastTickPixels))
        ticker->addTick(tick.level, tick.text);
    m_bar->axis()->setTicker(ticker);
    refill();
}

void MapCanvas::applyStyle()
{
    const QColor line = palette().color(QPalette::Mid);
    m_plot->setBackground(QBrush(palette().color(backgroundRole())));
    for (QCPAxis* const axis : m_bar->axis()->axisRect()->axes()) {
        axis->setBasePen(line);
        axis->setTickPen(line);
        axis->setTickLabelColor(quietInk(palette()));
        QFont small = font();
        small.setPointSizeF(std::max(1.0, small.pointSizeF() * 0.85));
        axis->setTickLabelFont(small);
    }
    recolour();
}

void MapCanvas::recolour()
{
    QMap<double, QColor> stops;
    const QColor ground = palette().color(backgroundRole());
    const auto shown = [&](QRgb colour) {
        return m_isDimmed ? mixed(ground, QColor::fromRgb(colour), kDimming) : QColor::fromRgb(colour);
    };
    for (int level = 0; level < m_colours.colours().size(); ++level)
        stops.insert(level * (1.0 / (MapColours::kLevels - 1)), shown(m_colours.colours().at(level)));
    QCPColorGradient gradient;
    gradient.setLevelCount(MapColours::kLevels);
    gradient.setColorStops(stops);
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    m_cells->setGradient(gradient);
    m_plot->axisRects().first()->setBackground(QBrush(shown(m_colours.ground())));
}

void MapCanvas::refill()
{
    const bool hasMap = m_map.cells && m_map.pattern.mapSize() > 0;
    m_cells->setVisible(hasMap);
    const QRectF& seen = m_view.seen();
    if (hasMap) {
        const QSize pixels = m_view.place().size() * devicePixelRatioF();
        const Pooling keys = Pooling::of(seen.left(), seen.right(), m_map.pattern.keys, pixels.width());
        const Pooling queries =
            Pooling::of(seen.top(), seen.bottom(), m_map.pattern.queries, pixels.height());
        QCPColorMapData& shown = *m_cells->data();
        shown.setSize(keys.count, queries.count);
        shown.setRange(keys.range(), queries.range());
        for (int row = 0; row < queries.count; ++row)
            for (int column = 0; column < keys.count; ++column) {
                double level = std::nan("");
                for (int query = queries.begin(row); query < queries.begin(row + 1); ++query)
                    for (int key = keys.begin(column); key < keys.begin(column + 1); ++key)
                        level =
                            stronger(level, m_colours.levelOf(m_map.at({query, key})), m_colours.isSigned());
                shown.setCell(column, row, level);
            }
    }
    // Slightly to the right and down: an edge off by a rounding error would be drawn in the previous pixel.
    // And one pixel down: QCustomPlot counts a vertical axis from the top of its last pixel.
    const double left = seen.left() - 0.02 / std::max(m_view.cellSize().width(), 1e-3);
    const double top = seen.top() - 1.02 / std::max(m_view.cellSize().height(), 1e-3);
    m_cells->keyAxis()->setRange(left, left + std::max(1.0, seen.width()));
    m_cells->valueAxis()->setRange(top, top + std::max(1.0, seen.height()));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace hs::panels
