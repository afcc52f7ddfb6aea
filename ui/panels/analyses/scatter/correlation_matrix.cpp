#include "panels/analyses/scatter/correlation_matrix.h"

#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "render/colour_map.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr double kMatrixDimming = 0.45;
constexpr double kNumberFrom = 30;  // cell size in pixels from which cells show their number
constexpr double kGridFrom = 8;     // cell size in pixels from which there are gaps between cells

}  // namespace

CorrelationMatrix::CorrelationMatrix(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Correlations of heads"));
    setMouseTracking(true);
}

QFont CorrelationMatrix::smallFont() const
{
    QFont small = font();
    if (small.pointSizeF() > 0)
        small.setPointSizeF(0.85 * small.pointSizeF());
    return small;
}

void CorrelationMatrix::setScatter(std::shared_ptr<const stats::HeadScatter> scatter)
{
    if (scatter == m_scatter)
        return;
    m_scatter = std::move(scatter);
    m_order = m_scatter ? clusteredOrder(*m_scatter) : std::vector<std::size_t>();
    m_clusters = m_scatter ? clusterPlaces(*m_scatter, m_order) : std::vector<MatrixCluster>();
    m_pointed.reset();
    place();
}

void CorrelationMatrix::setDimmed(bool isDimmed)
{
    m_isDimmed = isDimmed;
    update();
}

void CorrelationMatrix::setPair(std::optional<HeadId> row, std::optional<HeadId> column)
{
    m_row = row;
    m_column = column;
    update();
}

HeadId CorrelationMatrix::headAt(int place) const
{
    return m_scatter->heads[m_order[static_cast<std::size_t>(place)]];
}

double CorrelationMatrix::correlationAt(MatrixPlace place) const
{
    return m_scatter->correlation(m_order[static_cast<std::size_t>(place.row)],
                                  m_order[static_cast<std::size_t>(place.column)]);
}

void CorrelationMatrix::place()
{
    const QFontMetricsF metrics(smallFont());
    double names = 0;
    for (int index = 0; index < count(); ++index)
        names = std::max(names, metrics.horizontalAdvance(QString::fromStdString(toString(headAt(index)))));
    m_geometry = CorrelationGeometry(QSizeF(size()), count(), names + 2, metrics.height());
    update();
}

QColor CorrelationMatrix::colourOf(double correlation, const QPalette& inks) const
{
    if (std::isnan(correlation))
        return mixed(inks.color(QPalette::Window), quietInk(inks), 0.12);
    static const render::ColourMap onPaper = render::ColourMap::diverging();
    static const render::ColourMap onDark = onPaper.onDark();
    const int level = static_cast<int>(std::lround(127.5 * (1 + std::clamp(correlation, -1.0, 1.0))));
    return QColor::fromRgb((isDark(inks) ? onDark : onPaper).at(std::clamp(level, 0, 255)));
}

void CorrelationMatrix::drawCells(QPainter& painter, const QPalette& inks) const
{
    const double gap = m_geometry.cell() >= kGridFrom ? 1 : 0;
    const QFontMetricsF metrics(painter.font());
    for (int row = 0; row < count(); ++row)
        for (int column = 0; column < count(); ++column) {
            const double correlation = correlationAt({row, column});
            const QRectF cell = m_geometry.rectOf({row, column});
            const QColor fill = colourOf(correlation, inks);
            painter.fillRect(cell.adjusted(0, 0, -gap, -gap), fill);
            if (m_geometry.cell() < kNumberFrom || row == column)
                continue;
            painter.setPen(fill.lightness() < 140 ? Qt::white : QColor(0x1d, 0x23, 0x2b));
            if (std::isnan(correlation))
                painter.setPen(quietInk(inks));
            painter.drawText(cell, Qt::AlignCenter, formatNumber(correlation, 2));
        }
}

void CorrelationMatrix::drawNames(QPainter& painter, const QPalette& inks) const
{
    const auto isLookedAt = [this](int index, bool isRow) {
        return headAt(index) == (isRow ? m_row : m_column) ||
               (m_pointed && index == (isRow ? m_pointed->row : m_pointed->column));
    };
    // The name of a head being looked at replaces the neighbouring names that it would overlap.
    const auto isNamed = [&](int index, bool isRow) {
        if (isLookedAt(index, isRow))
            return true;
        for (int near = index - m_geometry.stride() + 1; near < index + m_geometry.stride(); ++near)
            if (near >= 0 && near < count() && isLookedAt(near, isRow))
                return false;
        return index % m_geometry.stride() == 0;
    };
    for (int index = 0; index < count(); ++index) {
        const QString name = QString::fromStdString(toString(headAt(index)));
        if (isNamed(index, true)) {
            painter.setPen(isLookedAt(index, true) ? inks.color(QPalette::Text) : quietInk(inks));
            painter.drawText(m_geometry.rowName(index), Qt::AlignRight | Qt::AlignVCenter, name);
        }
        if (isNamed(index, false)) {
            painter.setPen(isLookedAt(index, false) ? inks.color(QPalette::Text) : quietInk(inks));
            drawColumnName(painter, m_geometry.columnName(index), name);
        }
    }
}

void CorrelationMatrix::drawColumnName(QPainter& painter, const QRectF& place, const QString& name) const
{
    if (!m_geometry.isUpright()) {
        painter.drawText(place, Qt::AlignCenter, name);
        return;
    }
    painter.save();
    painter.translate(place.center().x(), place.bottom());
    painter.rotate(-90);
    painter.drawText(QRectF(0, -place.width() / 2, place.height(), place.width()),
                     Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.restore();
}

void CorrelationMatrix::drawFrames(QPainter& painter, const QPalette& inks) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(inks.color(QPalette::Text), 1.4, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    for (const MatrixCluster& cluster : m_clusters)
        painter.drawRect(m_geometry.frameOf(cluster).adjusted(-0.5, -0.5, -0.5, -0.5));
    painter.setPen(QPen(markColour(inks), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    for (int row = 0; row < count(); ++row)
        for (int column = 0; column < count(); ++column)
            if (headAt(row) == m_row && headAt(column) == m_column)
                painter.drawRect(m_geometry.rectOf({row, column}).adjusted(0, 0, -1, -1));
}

void CorrelationMatrix::draw(QPainter& painter, const QPalette& inks) const
{
    if (count() == 0)
        return;
    painter.setFont(smallFont());
    drawCells(painter, inks);
    painter.setRenderHint(QPainter::Antialiasing);
    drawFrames(painter, inks);
    drawNames(painter, inks);
}

void CorrelationMatrix::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setOpacity(m_isDimmed ? kMatrixDimming : 1);
    draw(painter, palette());
}

void CorrelationMatrix::pointAt(std::optional<QPointF> position)
{
    const auto pointed = position ? m_geometry.placeAt(*position) : std::nullopt;
    const bool isName = position && m_geometry.nameAt(*position);
    setCursor(pointed || isName ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (pointed == m_pointed)
        return;
    m_pointed = pointed;
    update();
    Q_EMIT pointedChanged();
}

void CorrelationMatrix::mouseMoveEvent(QMouseEvent* event)
{
    pointAt(event->position());
}

void CorrelationMatrix::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto place = m_geometry.placeAt(event->position()))
        Q_EMIT pairPicked(headAt(place->row), headAt(place->column));
    else if (const auto name = m_geometry.nameAt(event->position()))
        Q_EMIT headPicked(headAt(*name), event->modifiers());
}

void CorrelationMatrix::leaveEvent(QEvent*)
{
    pointAt(std::nullopt);
}

void CorrelationMatrix::resizeEvent(QResizeEvent*)
{
    place();
}

void CorrelationMatrix::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        place();
    QWidget::changeEvent(event);
}

}  // namespace hs::panels
