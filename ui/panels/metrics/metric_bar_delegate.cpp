#include "panels/metrics/metric_bar_delegate.h"

#include "panels/metrics/metrics_model.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr int kPadding = 6;
constexpr int kGap = 6;
constexpr int kBarHeight = 8;
constexpr int kBarWidth = 34;
constexpr double kBarInk = 0.55;
constexpr double kSelection = 0.14;

int numberRoom(const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(QStringLiteral("−0.0000"));
}

}  // namespace

int MetricBarDelegate::columnWidth(const QFontMetrics& metrics)
{
    return numberRoom(metrics) + kBarWidth + kGap + 2 * kPadding;
}

void MetricBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QPalette& palette = item.palette;
    const bool isSelected = item.state.testFlag(QStyle::State_Selected);
    const QColor ground =
        isSelected ? mixed(palette.color(QPalette::Base), palette.color(QPalette::Highlight), kSelection)
                   : palette.color(QPalette::Base);
    painter->save();
    if (isSelected)
        painter->fillRect(item.rect, ground);
    const QRect cell = item.rect.adjusted(kPadding, 0, -kPadding, 0);
    if (const QVariant share = index.data(MetricsModel::BarRole); share.isValid()) {
        const QVariant side = index.data(MetricsModel::SideRole);
        const QColor ink =
            side.isValid() ? sideColour(static_cast<Side>(side.toInt()), palette) : quietInk(palette);
        const double length = std::clamp(std::abs(share.toDouble()), 0.0, 1.0);
        const int room = std::max(0, cell.width() - numberRoom(item.fontMetrics) - kGap);
        const int width = length > 0 ? std::max(1, static_cast<int>(std::lround(length * room))) : 0;
        painter->fillRect(QRect(cell.left(), cell.center().y() - kBarHeight / 2 + 1, width, kBarHeight),
                          mixed(ground, ink, kBarInk));
    }
    painter->setFont(item.font);
    painter->setPen(palette.color(QPalette::Text));
    painter->drawText(cell, static_cast<int>(item.displayAlignment) | Qt::TextSingleLine, item.text);
    if (item.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(QPen(palette.color(QPalette::Highlight), 1, Qt::DotLine));
        painter->drawRect(item.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

}  // namespace hs::panels
