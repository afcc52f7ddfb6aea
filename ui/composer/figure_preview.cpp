#include "composer/figure_preview.h"

#include "panels/widgets/panel_widgets.h"

#include <QEvent>
#include <QPainter>
#include <QScreen>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace hs::composer {
namespace {

constexpr double kMostPixels = 24e6;  // of a page kept as a picture
constexpr double kDeskShade = 0.18;   // of the desk under the page
constexpr double kDimmed = 0.4;
constexpr int kCheck = 8;  // side of a checkerboard square
constexpr QRgb kLightCheck = 0xffffffff;
constexpr QRgb kDarkCheck = 0xffe9ecf0;

/// The screen's physical resolution; the desktop's logical one if the screen reports nonsense.
double dotsPerInch(const QWidget& widget)
{
    const QScreen* const screen = widget.screen();
    const double physical = screen->physicalDotsPerInchX();
    return physical >= 40 && physical <= 600 ? physical : screen->logicalDotsPerInchX();
}

QBrush checkerboard()
{
    QImage fields(2 * kCheck, 2 * kCheck, QImage::Format_RGB32);
    fields.fill(QColor::fromRgb(kLightCheck));
    QPainter painter(&fields);
    painter.fillRect(0, 0, kCheck, kCheck, QColor::fromRgb(kDarkCheck));
    painter.fillRect(kCheck, kCheck, kCheck, kCheck, QColor::fromRgb(kDarkCheck));
    painter.end();
    return QBrush(fields);
}

}  // namespace

FigurePreview::FigurePreview(QWidget* parent) : QAbstractScrollArea(parent), m_painter(new PagePainter(this))
{
    setObjectName(QStringLiteral("figurePreview"));
    setAccessibleName(tr("Preview of the figure"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(NoFrame);
    connect(m_painter, &PagePainter::painted, viewport(), qOverload<>(&QWidget::update));
}

void FigurePreview::setDrawing(PagePainter::Page drawing, bool isTransparent)
{
    m_drawing = std::move(drawing);
    m_isTransparent = isTransparent;
    refreshBars();
    viewport()->update();
}

void FigurePreview::setDimmed(bool isDimmed)
{
    if (std::exchange(m_isDimmed, isDimmed) != isDimmed)
        viewport()->update();
}

void FigurePreview::setMessage(const QString& message)
{
    if (std::exchange(m_message, message) != message)
        viewport()->update();
}

double FigurePreview::pixelsPerPoint(double zoom) const
{
    return zoom * dotsPerInch(*this) / 72;
}

double FigurePreview::actualZoom() const
{
    if (m_zoom)
        return *m_zoom;
    if (!m_drawing || m_drawing->size().isEmpty())
        return 1;
    // Without scroll bars, so that they do not affect whether they are needed.
    const QSizeF room = maximumViewportSize() - QSizeF(2 * kMargin, 2 * kMargin).toSize();
    const QSizeF size = m_drawing->size() * pixelsPerPoint(1);
    return std::clamp(std::min(room.width() / size.width(), room.height() / size.height()), kLeastZoom,
                      kMostZoom);
}

QSizeF FigurePreview::pageSize() const
{
    return m_drawing ? m_drawing->size() * pixelsPerPoint(actualZoom()) : QSizeF();
}

QRectF FigurePreview::page() const
{
    const QSizeF size = pageSize();
    const QSize room = viewport()->size();
    const auto start = [](double space, double length, const QScrollBar* bar) {
        const double whole = length + 2 * kMargin;
        return whole <= space ? std::floor((space - length) / 2) : kMargin - bar->value();
    };
    return {QPointF(start(room.width(), size.width(), horizontalScrollBar()),
                    start(room.height(), size.height(), verticalScrollBar())),
            size};
}

void FigurePreview::refreshBars()
{
    const QSizeF whole = pageSize() + QSizeF(2 * kMargin, 2 * kMargin);
    const auto set = [](QScrollBar* bar, double length, int space) {
        bar->setRange(0, std::max(0, static_cast<int>(std::ceil(length)) - space));
        bar->setPageStep(space);
        bar->setSingleStep(20);
    };
    set(horizontalScrollBar(), m_zoom ? whole.width() : 0, viewport()->width());
    set(verticalScrollBar(), m_zoom ? whole.height() : 0, viewport()->height());
    refreshCursor();
}

void FigurePreview::refreshCursor()
{
    const bool canMove = horizontalScrollBar()->maximum() > 0 || verticalScrollBar()->maximum() > 0;
    viewport()->setCursor(m_dragged ? Qt::ClosedHandCursor : canMove ? Qt::OpenHandCursor : Qt::ArrowCursor);
}

/// The whole page, or its visible part if the whole would be too large to keep.
PagePainter::View FigurePreview::wantedView(const QRectF& place) const
{
    const double ratio = devicePixelRatioF();
    const double scale = pixelsPerPoint(actualZoom()) * ratio;
    const QSizeF whole = m_drawing->size() * scale;
    if (whole.width() * whole.height() <= kMostPixels)
        return {scale, whole.toSize(), {}};
    return {scale, viewport()->size() * ratio, place.topLeft() * ratio};
}

void FigurePreview::paintPage(QPainter& painter)
{
    const QRectF place = page();
    const double ratio = devicePixelRatioF();
    painter.fillRect(place, m_isTransparent ? checkerboard() : QBrush(Qt::white));
    painter.setOpacity(m_isDimmed ? kDimmed : 1);
    const PagePainter::View wanted = wantedView(place);
    const auto& [page, view, image] = m_painter->picture(m_drawing, wanted);
    if (!image.isNull()) {
        // A picture at another zoom is stretched until its replacement arrives.
        const double stretch = wanted.scale / view.scale / ratio;
        painter.setClipRect(place);
        painter.drawImage(QRectF(place.topLeft() - view.corner * stretch, QSizeF(view.size) * stretch),
                          image);
        painter.setClipping(false);
    }
    painter.setOpacity(1);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place.adjusted(-1, -1, 0, 0).toRect());
}

void FigurePreview::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), panels::mixed(palette().color(QPalette::Window),
                                                       palette().color(QPalette::Shadow), kDeskShade));
    if (m_drawing)
        return paintPage(painter);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const int margin = static_cast<int>(2 * kMargin);
    painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
                     Qt::AlignCenter | Qt::TextWordWrap, m_message);
}

void FigurePreview::resizeEvent(QResizeEvent*)
{
    refreshBars();
    if (!m_zoom)
        Q_EMIT zoomChanged();
}

void FigurePreview::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

}  // namespace hs::composer
