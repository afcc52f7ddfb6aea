#include "panels/heads/head_toggle_delegate.h"

#include "panels/heads/head_toggle_model.h"
#include "panels/widgets/panel_widgets.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kToggleMargin = 4;  // around a box

/// The style's own boxes cannot be seen on a dark ground, and empty ones matter most here.
void paintBox(QPainter& painter, const QRectF& box, bool isOn, const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Base);
    const QColor accent = palette.color(QPalette::Highlight);
    painter.setPen(QPen(isOn ? accent : palette.color(QPalette::PlaceholderText), 1));
    painter.setBrush(isOn ? mixed(base, accent, 0.15) : base);
    painter.drawRoundedRect(box, 2, 2);
    if (!isOn)
        return;
    const auto at = [&box](double x, double y) {
        return box.topLeft() + QPointF(x * box.width(), y * box.height());
    };
    QPainterPath tick(at(0.22, 0.52));
    tick.lineTo(at(0.42, 0.72));
    tick.lineTo(at(0.78, 0.28));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.color(QPalette::Text), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(tick);
}

}  // namespace

void HeadToggleDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QColor accent = item.palette.color(QPalette::Highlight);
    painter->save();
    if (index.data(HeadToggleModel::IsSelected).toBool()) {
        painter->fillRect(item.rect, mixed(item.palette.color(QPalette::Base), accent, 0.2));
        painter->setPen(QPen(accent, 2));
        painter->drawRect(item.rect.adjusted(1, 1, -1, -1));
    }
    if (!index.data(HeadToggleModel::IsMatching).toBool())
        painter->setOpacity(0.3);
    painter->setRenderHint(QPainter::Antialiasing);
    const int side = std::min(item.rect.width(), item.rect.height()) - 2 * kToggleMargin;
    QRectF box(0, 0, side - 1, side - 1);
    box.moveTopLeft(item.rect.topLeft() +
                    QPointF((item.rect.width() - side) / 2 + 0.5, (item.rect.height() - side) / 2 + 0.5));
    paintBox(*painter, box, index.data(Qt::CheckStateRole).toInt() == Qt::Checked, item.palette);
    if (const QString sign = index.data(HeadToggleModel::Sign).toString(); !sign.isEmpty()) {
        QFont font = item.font;
        font.setPixelSize(std::max(7, side - 4));
        painter->setFont(font);
        painter->setPen(item.palette.color(QPalette::Text));
        painter->drawText(box, Qt::AlignCenter, sign);
    }
    if (item.state.testFlag(QStyle::State_HasFocus)) {
        painter->setOpacity(1);
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setPen(QPen(item.palette.color(QPalette::Text), 1, Qt::DotLine));
        painter->drawRect(item.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

}  // namespace hs::panels
