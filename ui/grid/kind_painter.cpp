#include "grid/kind_painter.h"

#include "render/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

// In view pixels.
constexpr double kNarrowestStrip = 2;
constexpr double kWidestStrip = 4;
constexpr double kSmallestMarkedTile = 24;
constexpr double kLargestWedge = 10;

}  // namespace

QString kindTitle(stats::HeadKind kind)
{
    switch (kind) {
    case stats::HeadKind::Induction: return tr("induction");
    case stats::HeadKind::PreviousToken: return tr("previous token");
    case stats::HeadKind::Local: return tr("local");
    case stats::HeadKind::Broad: return tr("broad");
    case stats::HeadKind::Sink: return tr("sink");
    case stats::HeadKind::Mixed: return tr("mixed");
    }
    return {};
}

QRgb kindColour(stats::HeadKind kind, const Inks& inks)
{
    switch (kind) {
    case stats::HeadKind::Induction: return 0xffd55e00;
    case stats::HeadKind::PreviousToken: return 0xff009e73;
    case stats::HeadKind::Local: return 0xffcc79a7;
    case stats::HeadKind::Broad: return 0xffe9c332;
    case stats::HeadKind::Sink: return mixed(inks.ink, inks.ground, 0.8);
    case stats::HeadKind::Mixed: return mixed(inks.ink, inks.ground, 0.25);
    }
    return inks.frame;
}

KindPainter::KindPainter(QPainter& painter, const Inks& inks, double pixelRatio, int tileSide)
    : m_painter(painter), m_inks(inks),
      m_strip(static_cast<int>(
          std::lround(std::clamp(tileSide / 16.0, kNarrowestStrip * pixelRatio, kWidestStrip * pixelRatio)))),
      m_sink(tileSide < kSmallestMarkedTile * pixelRatio
                 ? 0
                 : std::min(tileSide / 5.0, kLargestWedge * pixelRatio))
{
}

void KindPainter::paint(const Content& content, HeadId head, const QRect& tile) const
{
    if (const auto kind = content.kinds.find(head); kind != content.kinds.end())
        m_painter.fillRect(QRect(tile.left() - m_strip, tile.top(), m_strip, tile.height()),
                           QColor::fromRgb(kindColour(kind->second, m_inks)));
    if (m_sink <= 0 || !content.sinks.contains(head))
        return;
    const QPointF corner = tile.topLeft();
    m_painter.setPen(QPen(QColor::fromRgb(m_inks.ground), m_sink / 6));
    m_painter.setBrush(QColor::fromRgb(kindColour(stats::HeadKind::Sink, m_inks)));
    m_painter.drawPolygon(QPolygonF{corner, corner + QPointF(m_sink, 0), corner + QPointF(0, m_sink)});
}

}  // namespace hs::grid
