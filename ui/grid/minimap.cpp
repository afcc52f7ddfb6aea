#include "grid/minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr double kLongestSide = 132;
constexpr double kShortestSide = 24;

}  // namespace

Minimap::Minimap(QWidget* parent) : QWidget(parent), m_content(std::make_shared<Content>()), m_places({}, {})
{
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Overview of the grid"));
    setToolTip(tr("Drag to move the view"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCursor(Qt::ArrowCursor);
    hide();
}

QSize Minimap::sizeFor(const render::GridLayout& places)
{
    const double columns = std::max(1, places.columns());
    const double rows = std::max(1, places.rows());
    const double tile = kLongestSide / std::max(columns, rows);
    const int margins = static_cast<int>(2 * kGridMargin);
    return {static_cast<int>(std::max(kShortestSide, columns * tile)) + margins,
            static_cast<int>(std::max(kShortestSide, rows * tile)) + margins};
}

void Minimap::showPart(std::shared_ptr<const Content> content, const render::GridLayout& places,
                       const QRectF& seen)
{
    m_content = std::move(content);
    m_places = places;
    m_seen = seen;
    update();
}

Geometry Minimap::geometryFor(double pixelRatio) const
{
    return Geometry(m_places, {}, {size(), pixelRatio, 0, 0});
}

void Minimap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const double ratio = painter.deviceTransform().m11();
    const Inks inks = Inks::of(palette());
    const Geometry geometry = geometryFor(ratio);
    painter.save();
    painter.scale(1 / ratio, 1 / ratio);
    painter.drawImage(0, 0, m_picture.image(m_content, m_places, geometry, inks));
    for (int index = 0; index < m_places.count(); ++index) {
        const HeadId head = m_content->heads[static_cast<std::size_t>(index)];
        const bool isAblated = m_content->ablated.contains(head);
        if (isAblated || m_content->badges.contains(head))
            painter.fillRect(geometry.tile(m_places.place(index)),
                             QColor::fromRgb(isAblated ? inks.hatchLine : inks.mark));
    }
    painter.restore();
    painter.setPen(QColor::fromRgb(inks.frame));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    const QRectF seen =
        QRectF(geometry.gridToView(m_seen.topLeft()), geometry.gridToView(m_seen.bottomRight())) &
        QRectF(rect()).adjusted(1, 1, -1, -1);
    QColor veil = QColor::fromRgb(inks.accent);
    veil.setAlpha(40);
    painter.setBrush(veil);
    painter.setPen(QPen(QColor::fromRgb(inks.accent), 2));
    painter.drawRect(seen);
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    mouseMoveEvent(event);
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        Q_EMIT centreWanted(geometryFor(devicePixelRatioF()).viewToGrid(event->position()));
    event->accept();
}

void Minimap::mouseReleaseEvent(QMouseEvent* event)
{
    event->accept();
}

}  // namespace hs::grid
