#include "grid/head_grid_view.h"

#include "grid/head_tooltip.h"
#include "render/grid_painter.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace hs {
namespace {

constexpr double kComfortableTile = 58;
constexpr double kSmallestTile = 12;
constexpr int kSheetMargin = 8;
constexpr double kSheetRadius = 6;

QSize aroundSheet(QSizeF figure)
{
    return figure.toSize() + 2 * QSize(kSheetMargin, kSheetMargin);
}

}  // namespace

HeadGridView::HeadGridView(GridFigure figure, QWidget* parent) : QWidget(parent), m_figure(std::move(figure))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Attention heads"));
    QStringList panels;
    for (const GridPanel& panel : m_figure.panels)
        panels << QStringLiteral("%1: %2").arg(panel.title, panel.caption);
    setAccessibleDescription(panels.join(QStringLiteral("; ")));
}

void HeadGridView::setColourMap(const QString& name)
{
    m_figure.colourMap = name;
    update();
}

void HeadGridView::setScale(Scale scale)
{
    m_figure.scale = scale;
    update();
}

QSize HeadGridView::sizeHint() const
{
    return aroundSheet(layoutFigure(m_figure, kComfortableTile, FigureStyle::screen()).size);
}

QSize HeadGridView::minimumSizeHint() const
{
    return aroundSheet(layoutFigure(m_figure, kSmallestTile, FigureStyle::screen()).size);
}

bool HeadGridView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto address = tileAt(help->pos())) {
        const GridPanel& panel = m_figure.panels[static_cast<std::size_t>(address->panel)];
        const QRect tile = m_layout.panels[static_cast<std::size_t>(address->panel)]
                               .tile(address->tile)
                               .toRect()
                               .translated(m_origin);
        QToolTip::showText(help->globalPos(),
                           headTooltip(panel, panel.heads[static_cast<std::size_t>(address->tile)]), this,
                           tile);
    } else {
        QToolTip::hideText();
        event->ignore();
    }
    return true;
}

void HeadGridView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), QColor::fromRgb(FigureStyle::kGround));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QColor::fromRgb(FigureStyle::kFrame));
    painter.setBrush(QColor::fromRgb(FigureStyle::kPaper));
    painter.drawRoundedRect(QRectF(sheet()).adjusted(0.5, 0.5, -0.5, -0.5), kSheetRadius, kSheetRadius);
    painter.setBrush(Qt::NoBrush);
    painter.translate(m_origin);
    const FigureStyle style = FigureStyle::screen();
    GridPainter(painter, m_figure, style).paint(m_layout);
    if (!m_hovered)
        return;
    const QRectF tile = m_layout.panels[static_cast<std::size_t>(m_hovered->panel)].tile(m_hovered->tile);
    painter.setPen(QPen(QColor::fromRgb(FigureStyle::kAccent), 2));
    painter.drawRoundedRect(tile.adjusted(-1.5, -1.5, 1.5, 1.5), 2, 2);
}

void HeadGridView::resizeEvent(QResizeEvent*)
{
    m_layout = fitFigure(m_figure, sheet().size(), FigureStyle::screen());
    const QSizeF spare = QSizeF(sheet().size()) - m_layout.size;
    m_origin = sheet().topLeft() +
               QPointF(std::max(0.0, spare.width() / 2), std::max(0.0, spare.height() / 2)).toPoint();
    m_hovered.reset();
}

void HeadGridView::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(tileAt(event->position()));
}

void HeadGridView::leaveEvent(QEvent*)
{
    setHovered(std::nullopt);
}

QRect HeadGridView::sheet() const
{
    return rect().adjusted(kSheetMargin, kSheetMargin, -kSheetMargin, -kSheetMargin);
}

std::optional<TileAddress> HeadGridView::tileAt(QPointF position) const
{
    return m_layout.tileAt(position - m_origin);
}

void HeadGridView::setHovered(std::optional<TileAddress> tile)
{
    if (m_hovered == tile)
        return;
    m_hovered = tile;
    update();
}

}  // namespace hs
