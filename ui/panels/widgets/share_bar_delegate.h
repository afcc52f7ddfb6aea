#pragma once

#include "base/side.h"

#include <QStyledItemDelegate>

namespace hs::panels {

/// Draws a cell's text beside a bar, or above it if the cell is narrow: a full bar in the side's colour and,
/// if there is a value before, a light one above it.
class ShareBarDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    /// What a model provides for a cell with a bar.
    enum Role {
        Share = Qt::UserRole + 1,  // double in 0..1
        ShareBefore,               // double in 0..1, or nothing
        BarSide,                   // int(Side)
        ShortText,                 // for cells too narrow for the text
    };

    /// `widest` is a text that should fit beside a bar.
    explicit ShareBarDelegate(QString widest, QObject* parent = nullptr);

    void setDimmed(bool isDimmed) { m_isDimmed = isDimmed; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    /// Height of a row whose cells are that wide.
    int rowHeight(const QFontMetrics& metrics, int cellWidth) const;

private:
    int textRoom(const QFontMetrics& metrics) const;
    bool isBeside(const QFontMetrics& metrics, int cellWidth) const;

    QString m_widest;
    bool m_isDimmed = false;
};

}  // namespace hs::panels
