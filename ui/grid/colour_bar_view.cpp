#include "grid/colour_bar_view.h"

#include "render/colour_bar.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr int kBarWidth = 168;
constexpr int kBarHeight = 9;
constexpr int kSpace = 8;

}  // namespace

ColourBarView::ColourBarView(QWidget* parent)
    : QWidget(parent), m_map(render::ColourMap::named(render::ColourMap::names().front()))
{
    setObjectName(QStringLiteral("colourBar"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Colour scale"));
}

void ColourBarView::setColours(const render::ColourMap& map, render::Scale scale, bool isPerHead,
                               control::TileValue value, const std::vector<double>& fulls, bool isClipped,
                               bool hasBlocks)
{
    m_value = value;
    m_hasBlocks = hasBlocks;
    m_isClipped = isClipped && !isPerHead;
    const bool isShared = std::ranges::all_of(fulls, [&](double full) { return full == fulls.front(); });
    m_full = isPerHead || fulls.empty() || !isShared ? 1 : fulls.front();
    m_fullNote.clear();
    if (!isShared && !isPerHead)
        m_fullNote =
            tr("1 is %1 left, %2 right")
                .arg(QLocale().toString(fulls.front(), 'g', 3), QLocale().toString(fulls.back(), 'g', 3));
    m_map = map;
    m_scale = scale;
    m_isPerHead = isPerHead;
    setAccessibleDescription(m_map.isDiverging() ? tr("−1 to 1, %1").arg(scaleName())
                                                 : tr("0 to 1, %1").arg(scaleName()));
    updateGeometry();
    update();
}

QString ColourBarView::scaleName() const
{
    QString name = m_scale == render::Scale::Linear       ? tr("linear scale")
                   : m_scale == render::Scale::SquareRoot ? tr("√ scale")
                                                          : tr("log scale");
    if (m_isPerHead)
        name = tr("share of the head's peak, %1").arg(name);
    if (m_hasBlocks)
        name = tr("blocks: keys summed, queries averaged, %1").arg(name);
    if (!m_fullNote.isEmpty())
        name = tr("%1, %2").arg(m_fullNote, name);
    switch (m_value) {
    case control::TileValue::Weights: return name;
    case control::TileValue::ValueWeighted: return tr("weight × ‖value · W_O‖, %1").arg(name);
    case control::TileValue::Scores: return tr("score, %1").arg(name);
    case control::TileValue::BetweenSides:
    case control::TileValue::AfterAblation: break;
    case control::TileValue::SinceKept: return tr("change since the kept run, %1").arg(name);
    }
    return tr("difference, %1").arg(name);
}

QFont ColourBarView::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.85);
    return small;
}

/// What a number at the bar's end needs beside the bar.
int ColourBarView::overhang(const QFontMetrics& metrics) const
{
    const QString longest = m_isClipped ? QStringLiteral("≤ −0.001") : QStringLiteral("0.001");
    return metrics.horizontalAdvance(longest) / 2 + 2;
}

QSize ColourBarView::sizeHint() const
{
    const QFontMetrics metrics(smallFont());
    const int overhang = this->overhang(metrics);
    return {metrics.horizontalAdvance(scaleName()) + kSpace + 2 * overhang + kBarWidth,
            kBarHeight + 3 + metrics.height()};
}

void ColourBarView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(smallFont());
    const QFontMetrics metrics(smallFont());
    const int overhang = this->overhang(metrics);
    const QRect bar(width() - overhang - kBarWidth, 1, kBarWidth, kBarHeight);
    render::paintColours(painter, bar, m_map);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(bar.adjusted(-1, -1, 0, 0));

    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QRect words(0, 0, bar.left() - overhang, height());
    painter.drawText(words, Qt::AlignRight | Qt::AlignTop | Qt::TextSingleLine, scaleName());
    int free = 0;  // numbers are drawn up to here; one that would touch them is left out
    for (const render::ColourTick tick : render::colourTicks(m_scale, m_map.isDiverging())) {
        QString text = QString::number(tick.value * m_full, 'g', 3);
        text.replace(QLatin1Char('-'), QStringLiteral("−"));
        if (m_isClipped && std::abs(tick.value) == 1)
            text.prepend(tick.value < 0 ? QStringLiteral("≤ ") : QStringLiteral("≥ "));
        const int textWidth = metrics.horizontalAdvance(text);
        const int x = bar.left() + static_cast<int>(tick.place * (bar.width() - 1));
        const QRect place(x - textWidth / 2, bar.bottom() + 2, textWidth + 1, metrics.height());
        if (place.left() < free)
            continue;
        painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop | Qt::TextSingleLine, text);
        free = place.right() + 4;
    }
}

}  // namespace hs::grid
