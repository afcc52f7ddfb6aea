#include "grid/canvas.h"

#include "grid/accessible.h"
#include "grid/marks_painter.h"
#include "grid/minimap.h"

#include <QAccessible>
#include <QFontInfo>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr int kMotionMilliseconds = 130;
constexpr int kMinimapMargin = 12;
constexpr double kHeadingShare = 0.72;  // of the text's size elsewhere
constexpr double kLeastHeading = 8;     // in view coordinates

}  // namespace

Canvas::Canvas(QWidget* parent)
    : QWidget(parent), m_content(std::make_shared<Content>()), m_places({}, {}), m_minimap(new Minimap(this))
{
    setObjectName(QStringLiteral("gridCanvas"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    grabGesture(Qt::PinchGesture);
    installGridAccessibility();
    m_motion.setDuration(kMotionMilliseconds);
    m_motion.setStartValue(0.0);
    m_motion.setEndValue(1.0);
    m_motion.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_motion, &QVariantAnimation::valueChanged, this, [this](const QVariant& share) {
        if (m_motion.state() == QAbstractAnimation::Running)
            setZoom(share.toDouble() < 1 ? between(m_motionFrom, m_motionTo, share.toDouble()) : m_target);
    });
    connect(m_minimap, &Minimap::centreWanted, this,
            [this](QPointF grid) { setZoom(centredOn(geometryNow(), grid, m_places)); });
}

Canvas::~Canvas() = default;

void Canvas::setContent(Content content)
{
    if (content == *m_content)
        return;
    const bool isSameGrid = content.heads == m_content->heads && content.places == m_content->places &&
                            content.flow == m_content->flow;
    m_content = std::make_shared<const Content>(std::move(content));
    if (!isSameGrid)
        setPlaces(render::GridLayout(m_content->places.empty() ? m_content->heads : m_content->places,
                                     m_content->flow));
    setAccessibleName(m_content->title.isEmpty() ? tr("Attention heads")
                                                 : tr("Attention heads of %1").arg(m_content->title));
    setAccessibleDescription(m_content->caption);
    placeMinimap();
    update();
}

/// The head in the middle of a zoomed view stays there.
void Canvas::setPlaces(render::GridLayout places)
{
    m_motion.stop();
    const QPointF centre = geometryNow().zoom().centre;
    const QPoint middle(static_cast<int>(std::floor(centre.x())), static_cast<int>(std::floor(centre.y())));
    const int index = m_places.tileAtPlace(middle);
    const auto head = index == render::GridLayout::kNoTile
                          ? std::nullopt
                          : std::optional(m_places.heads()[static_cast<std::size_t>(index)]);
    m_places = std::move(places);
    const auto found = head ? std::ranges::find(m_places.heads(), *head) : m_places.heads().end();
    if (m_zoom.tileSide <= 0 || found == m_places.heads().end())
        return;
    const QPoint place = m_places.place(static_cast<int>(found - m_places.heads().begin()));
    setZoom(centredOn(geometryNow(), centre + QPointF(place - middle), m_places));
}

void Canvas::setMarks(Marks marks)
{
    if (marks == m_marks)
        return;
    const bool hasMoved = marks.current != m_marks.current && marks.hasFocus;
    m_marks = std::move(marks);
    update();
    if (hasMoved && m_marks.current && QAccessible::isActive())
        announceCurrent();
}

void Canvas::announceCurrent()
{
    const auto found = std::find(m_content->heads.begin(), m_content->heads.end(), *m_marks.current);
    if (found == m_content->heads.end())
        return;
    const QPoint place = m_places.place(static_cast<int>(found - m_content->heads.begin()));
    QAccessibleEvent focused(this, QAccessible::Focus);
    focused.setChild(place.y() * m_places.columns() + place.x());
    QAccessible::updateAccessibility(&focused);
}

Viewport Canvas::viewport(double pixelRatio) const
{
    return {size(), pixelRatio, m_fitLimit, headingSize()};
}

double Canvas::headingSize() const
{
    return std::max(kLeastHeading, kHeadingShare * QFontInfo(font()).pixelSize());
}

Geometry Canvas::geometryFor(double pixelRatio) const
{
    return Geometry(m_places, m_zoom, viewport(pixelRatio));
}

Geometry Canvas::geometryNow() const
{
    return geometryFor(devicePixelRatioF());
}

void Canvas::setZoom(const control::GridZoom& zoom)
{
    if (zoom == m_zoom)
        return;
    m_zoom = zoom;
    placeMinimap();
    update();
    Q_EMIT zoomChanged();
}

void Canvas::setFitLimit(double side)
{
    if (side == m_fitLimit)
        return;
    m_fitLimit = side;
    update();
}

double Canvas::fittingSide() const
{
    Viewport whole = viewport(devicePixelRatioF());
    whole.mostFit = 0;
    return hs::grid::fittingSide(m_places, whole);
}

void Canvas::zoomAbout(QPointF view, double factor)
{
    if (m_content->isEmpty())
        return;
    m_motion.stop();
    const Geometry geometry = geometryNow();
    setZoom(zoomedAbout(geometry, view, factor, m_places,
                        ZoomLimits::of(m_places, geometry.viewport(), tokens())));
}

void Canvas::zoomTowards(const control::GridZoom& target)
{
    if (m_content->isEmpty())
        return;
    m_motion.stop();
    m_motionFrom = geometryNow().zoom();
    m_target = target;
    m_motionTo = Geometry(m_places, target, viewport(devicePixelRatioF())).zoom();
    m_motion.start();
}

void Canvas::zoomBy(double factor)
{
    const bool isMoving = m_motion.state() == QAbstractAnimation::Running;
    const Geometry geometry =
        isMoving ? Geometry(m_places, m_target, viewport(devicePixelRatioF())) : geometryNow();
    zoomTowards(zoomedAbout(geometry, QRectF(rect()).center(), factor, m_places,
                            ZoomLimits::of(m_places, geometry.viewport(), tokens())));
}

void Canvas::fit()
{
    zoomTowards({});
}

void Canvas::actualSize()
{
    const Geometry geometry = geometryNow();
    const double factor = actualTileSide(tokens(), devicePixelRatioF()) / geometry.zoom().tileSide;
    zoomTowards(zoomedAbout(geometry, QRectF(rect()).center(), factor, m_places,
                            ZoomLimits::of(m_places, geometry.viewport(), tokens())));
}

void Canvas::zoomToHeads(const std::set<HeadId>& heads)
{
    QRect part;
    for (int index = 0; index < m_places.count(); ++index)
        if (heads.contains(m_places.heads()[static_cast<std::size_t>(index)]))
            part |= QRect(m_places.place(index), QSize(1, 1));
    if (part.isEmpty())
        return;
    const Geometry geometry = geometryNow();
    zoomTowards(zoomedTo(geometry, part, m_places, ZoomLimits::of(m_places, geometry.viewport(), tokens())));
}

std::set<HeadId> Canvas::layerOf(HeadId head) const
{
    std::set<HeadId> layer;
    for (const HeadId each : m_places.heads())
        if (each.layer == head.layer)
            layer.insert(each);
    return layer;
}

std::set<HeadId> Canvas::blockOf(HeadId head) const
{
    const auto found = std::ranges::find(m_places.heads(), head);
    if (found == m_places.heads().end())
        return {};
    const QSize size = m_places.shape().block;
    const auto blockAt = [&](int index) {
        const QPoint place = m_places.place(index);
        return QPoint(place.x() / size.width(), place.y() / size.height());
    };
    const QPoint block = blockAt(static_cast<int>(found - m_places.heads().begin()));
    std::set<HeadId> heads;
    for (int index = 0; index < m_places.count(); ++index)
        if (blockAt(index) == block)
            heads.insert(m_places.heads()[static_cast<std::size_t>(index)]);
    return heads;
}

void Canvas::reveal(HeadId head)
{
    const QRectF tile = tileRect(head);
    if (tile.isEmpty() || m_zoom.tileSide <= 0)
        return;
    const auto shift = [](double low, double high, double length) {
        if (high - low > length)
            return length / 2 - (low + high) / 2;
        return low < 0 ? -low : high > length ? length - high : 0.0;
    };
    const QRectF around = tile.adjusted(-kGridMargin, -kGridMargin, kGridMargin, kGridMargin);
    const QRectF area(geometryNow().pixelToView(geometryNow().area().topLeft()),
                      QSizeF(geometryNow().area().size()) / devicePixelRatioF());
    const QPointF distance(shift(around.left() - area.left(), around.right() - area.left(), area.width()),
                           shift(around.top() - area.top(), around.bottom() - area.top(), area.height()));
    if (!distance.isNull())
        setZoom(panned(geometryNow(), distance, m_places));
}

void Canvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const double ratio = painter.deviceTransform().m11();
    const Inks inks = Inks::of(palette());
    if (m_content->isEmpty()) {
        painter.fillRect(rect(), QColor::fromRgb(inks.ground));
        paintEmpty(painter);
        return;
    }
    const Geometry geometry = geometryFor(ratio);
    // From here on in whole device pixels, even if the widget's corner is at a fraction of one.
    painter.scale(1 / ratio, 1 / ratio);
    const QPointF corner = painter.deviceTransform().map(QPointF());
    painter.translate(std::round(corner.x()) - corner.x(), std::round(corner.y()) - corner.y());
    painter.drawImage(0, 0, m_picture.image(m_content, m_places, geometry, inks));
    painter.setClipRect(geometry.area());
    MarksPainter(painter, *m_content, m_places, geometry, inks).paint(m_marks);
    if (m_drag == Drag::Band) {
        const QRectF rect(band().topLeft() * ratio, band().size() * ratio);
        QColor veil = QColor::fromRgb(inks.accent);
        veil.setAlpha(36);
        painter.fillRect(rect, veil);
        painter.setPen(QPen(QColor::fromRgb(inks.accent), std::round(ratio)));
        painter.drawRect(rect);
    }
}

void Canvas::paintEmpty(QPainter& painter)
{
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const int side = std::max(0, std::min(width() - 32, 360));
    const QRect place((width() - side) / 2, 0, side, height());
    painter.drawText(place, Qt::AlignCenter | Qt::TextWordWrap, m_content->emptyText);
}

void Canvas::resizeEvent(QResizeEvent*)
{
    placeMinimap();
    Q_EMIT resized();
}

void Canvas::placeMinimap()
{
    const Geometry geometry = geometryNow();
    const bool isPart =
        m_zoom.tileSide > 0 && !m_content->isEmpty() && !geometry.area().contains(geometry.grid());
    m_minimap->setVisible(isPart && m_minimap->sizeFor(m_places).width() < width() / 2);
    if (m_minimap->isHidden())
        return;
    m_minimap->resize(m_minimap->sizeFor(m_places));
    m_minimap->move(width() - m_minimap->width() - kMinimapMargin,
                    height() - m_minimap->height() - kMinimapMargin);
    const QRectF area = geometry.area();
    const QPointF first = geometry.viewToGrid(geometry.pixelToView(area.topLeft()));
    const QPointF last = geometry.viewToGrid(geometry.pixelToView(area.bottomRight()));
    m_minimap->showPart(m_content, m_places, QRectF(first, last));
}

}  // namespace hs::grid
