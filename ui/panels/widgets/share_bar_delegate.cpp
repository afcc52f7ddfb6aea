#include "panels/widgets/share_bar_delegate.h"

#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QPainter>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kShareBarPadding = 4;
constexpr int kShareBarGap = 8;
constexpr int kBar = 5;       // thickness of one of two bars
constexpr int kThickBar = 9;  // of a single one
constexpr int kShortestBar = 40;

void paintBars(QPainter& painter, const QRect& room, const QModelIndex& index, const QPalette& palette)
{
    const auto side = static_cast<Side>(index.data(ShareBarDelegate::BarSide).toInt());
    const QColor colour = sideColour(side, palette);
    const QVariant before = index.data(ShareBarDelegate::ShareBefore);
    const auto bar = [&](double share, int top, int height, const QColor& fill) {
        const double width = std::clamp(share, 0.0, 1.0) * room.width();
        if (share > 0)  // at least a pixel, since there is something
            painter.fillRect(QRectF(room.left(), top, std::max(width, 1.0), height), fill);
    };
    const double share = index.data(ShareBarDelegate::Share).toDouble();
    const int middle = room.center().y() + 1;
    if (before.isValid()) {
        bar(before.toDouble(), middle - kBar, kBar, mixed(palette.color(QPalette::Base), colour, 0.4));
        bar(share, middle, kBar, colour);
    } else {
        const int thickness = std::min(kThickBar, room.height());
        bar(share, middle - (thickness + 1) / 2, thickness, colour);
    }
}

}  // namespace

ShareBarDelegate::ShareBarDelegate(QString widest, QObject* parent)
    : QStyledItemDelegate(parent), m_widest(std::move(widest))
{
}

int ShareBarDelegate::textRoom(const QFontMetrics& metrics) const
{
    return metrics.horizontalAdvance(m_widest) + kShareBarPadding;  // digits differ a little in width
}

bool ShareBarDelegate::isBeside(const QFontMetrics& metrics, int cellWidth) const
{
    return cellWidth >= textRoom(metrics) + kShortestBar + kShareBarGap + 2 * kShareBarPadding;
}

int ShareBarDelegate::rowHeight(const QFontMetrics& metrics, int cellWidth) const
{
    return metrics.height() + 2 * kShareBarPadding + (isBeside(metrics, cellWidth) ? 0 : 2 * kBar + 2);
}

QSize ShareBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {option.rect.width(), rowHeight(option.fontMetrics, option.rect.width())};
}

void ShareBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString text = item.text;
    painter->save();
    painter->setOpacity(m_isDimmed ? 0.45 : 1);
    if (item.state.testFlag(QStyle::State_Selected))
        painter->fillRect(item.rect, mixed(item.palette.color(QPalette::Base),
                                           item.palette.color(QPalette::Highlight), 0.18));
    const QRect cell =
        item.rect.adjusted(kShareBarPadding, kShareBarPadding, -kShareBarPadding, -kShareBarPadding);
    QRect words = cell;
    if (index.data(Share).isValid()) {
        QRect bars = cell;
        if (isBeside(item.fontMetrics, item.rect.width())) {
            words.setLeft(cell.right() + 1 - textRoom(item.fontMetrics));
            bars.setRight(words.left() - kShareBarGap);
        } else {
            words.setHeight(item.fontMetrics.height());
            bars.setTop(words.bottom() + 2);
        }
        paintBars(*painter, bars, index, item.palette);
    }
    painter->setFont(item.font);
    painter->setPen(item.palette.color(QPalette::Text));
    const bool isTooLong = item.fontMetrics.horizontalAdvance(text) > words.width();
    const QString fitting =
        isTooLong && index.data(ShortText).isValid() ? index.data(ShortText).toString() : text;
    painter->drawText(words, static_cast<int>(item.displayAlignment) | Qt::TextSingleLine,
                      item.fontMetrics.elidedText(fitting, Qt::ElideRight, words.width()));
    if (item.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(QPen(item.palette.color(QPalette::Highlight), 1, Qt::DotLine));
        painter->drawRect(item.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

}  // namespace hs::panels
