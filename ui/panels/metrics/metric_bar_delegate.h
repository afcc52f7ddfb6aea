#pragma once

#include <QStyledItemDelegate>

namespace hs::panels {

/// Draws a number on the right of its cell and a bar in its side's colour on the left; the bar of a change is
/// in quiet ink.
class MetricBarDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

    /// Room for a bar and a number.
    static int columnWidth(const QFontMetrics& metrics);
};

}  // namespace hs::panels
