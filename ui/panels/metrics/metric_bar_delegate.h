#pragma once

#include <QStyledItemDelegate>

namespace hs::panels {

/// Draws a number at the right of its cell and a bar in the colour of its side at the left; a change
/// has its bar in quiet ink.
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
