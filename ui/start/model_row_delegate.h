#pragma once

#include "base/side.h"

#include <QStyledItemDelegate>

#include <optional>

class QAbstractItemView;

namespace hs::start {

/// Draws a line of the start page: name and memory, facts below them, and a button for either side. A click
/// on a button opens the model there, one elsewhere on the line where the page stands.
class ModelRowDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit ModelRowDelegate(QAbstractItemView& view);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    /// Where a line's button for a side is, in the view's coordinates.
    QRect buttonRect(const QRect& line, Side side) const;

Q_SIGNALS:
    /// Without a side: where the page stands.
    void openRequested(const QModelIndex& index, std::optional<Side> side);

private:
    void paintHeading(QPainter& painter, const QStyleOptionViewItem& item) const;
    void paintWords(QPainter& painter, const QStyleOptionViewItem& item, const QModelIndex& index) const;
    void paintButtons(QPainter& painter, const QStyleOptionViewItem& item) const;
    bool hasButtons(const QModelIndex& index) const;
    /// For the words of a line.
    QRect wordRect(const QRect& line, const QModelIndex& index) const;

    QAbstractItemView& m_view;
};

}  // namespace hs::start
