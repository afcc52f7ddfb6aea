#include "grid/badge_legend.h"

#include "grid/badge_painter.h"
#include "grid/kind_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr int kBetween = 18;  // entries
constexpr int kBeside = 6;    // between a plate and its name
constexpr int kLineSpace = 4;

}  // namespace

BadgeLegend::BadgeLegend(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("badgeLegend"));
    setAccessibleName(tr("Badges"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    policy.setRetainSizeWhenHidden(true);
    setSizePolicy(policy);
    hide();
}

void BadgeLegend::setKey(const BadgeKey& key)
{
    if (key == m_key)
        return;
    m_key = key;
    QStringList words;
    for (const BadgeKey::Entry& entry : m_key.entries)
        words << (entry.kind ? entry.title : QStringLiteral("%1: %2").arg(entry.mark.text, entry.title));
    if (!m_key.note.isEmpty())
        words << m_key.note;
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    setVisible(!m_key.isEmpty());
    updateGeometry();
    update();
}

QFont BadgeLegend::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.9);
    return small;
}

double BadgeLegend::plateText() const
{
    return 0.7 * QFontMetricsF(smallFont()).height();
}

QSizeF BadgeLegend::markSize(const BadgeKey::Entry& entry) const
{
    return entry.kind ? QSizeF(plateText(), plateText()) : BadgePainter::plateSize(entry.mark, plateText());
}

int BadgeLegend::place(int width, std::vector<QRect>& places) const
{
    const QFontMetrics metrics(smallFont());
    const int height = std::max(metrics.height(), static_cast<int>(std::ceil(1.3 * plateText()))) + 1;
    QPoint at;
    const auto add = [&](double length) {
        const int needed = static_cast<int>(std::ceil(length));
        if (at.x() > 0 && at.x() + needed > width)
            at = {0, at.y() + height + kLineSpace};
        places.emplace_back(at, QSize(needed, height));
        at.rx() += needed + kBetween;
    };
    for (const BadgeKey::Entry& entry : m_key.entries)
        add(markSize(entry).width() + kBeside + metrics.horizontalAdvance(entry.title));
    if (!m_key.note.isEmpty())
        add(metrics.horizontalAdvance(m_key.note));
    return places.empty() ? height : places.back().bottom() + 1;
}

int BadgeLegend::heightForWidth(int width) const
{
    std::vector<QRect> places;
    return place(width, places);
}

QSize BadgeLegend::sizeHint() const
{
    constexpr int kUsualWidth = 640;
    return {kUsualWidth, heightForWidth(kUsualWidth)};
}

void BadgeLegend::paintEvent(QPaintEvent*)
{
    std::vector<QRect> places;
    place(width(), places);
    const Inks inks = Inks::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smallFont());
    std::size_t index = 0;
    for (const BadgeKey::Entry& entry : m_key.entries) {
        const QRect& rect = places[index++];
        const QSizeF size = markSize(entry);
        const QRectF plate(QPointF(rect.left(), rect.top() + (rect.height() - size.height()) / 2), size);
        if (entry.kind)
            painter.fillRect(plate, QColor::fromRgb(kindColour(*entry.kind, inks)));
        else
            BadgePainter::paintPlate(painter, plate, entry.mark, plateText(), inks);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(rect.adjusted(static_cast<int>(std::ceil(size.width())) + kBeside, 0, kBetween, 0),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, entry.title);
    }
    if (!m_key.note.isEmpty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        const QRect room(places[index].topLeft(),
                         QSize(width() - places[index].left(), places[index].height()));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(m_key.note, Qt::ElideRight, room.width()));
    }
}

}  // namespace hs::grid
