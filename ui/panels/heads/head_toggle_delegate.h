#pragma once

#include <QStyledItemDelegate>

namespace hs::panels {

/// A check box in the middle of its cell: selected heads are framed, those excluded by the filter are faint,
/// mean ablation and patching have signs of their own.
class HeadToggleDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

}  // namespace hs::panels
