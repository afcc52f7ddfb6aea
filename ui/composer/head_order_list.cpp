#include "composer/head_order_list.h"

#include <QDropEvent>
#include <QKeyEvent>

#include <algorithm>

namespace hs::composer {
namespace {

constexpr int kRowsShown = 7;

HeadId headOf(const QListWidgetItem& item)
{
    const QPoint stored = item.data(Qt::UserRole).toPoint();
    return {stored.x(), stored.y()};
}

}  // namespace

HeadOrderList::HeadOrderList(QWidget* parent) : QListWidget(parent)
{
    setDragDropMode(InternalMove);
    setDefaultDropAction(Qt::MoveAction);
    setDragDropOverwriteMode(false);
    setSelectionMode(ExtendedSelection);
    setUniformItemSizes(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    connect(model(), &QAbstractItemModel::rowsMoved, this, [this] {
        if (!m_isDropping)
            Q_EMIT reordered();
    });
}

QSize HeadOrderList::sizeHint() const
{
    const int row = count() > 0 ? sizeHintForRow(0) : fontMetrics().height() + 4;
    return {160, kRowsShown * row + 2 * frameWidth()};
}

void HeadOrderList::setHeads(const std::vector<HeadId>& heads, const std::set<HeadId>& undrawn,
                             const std::set<HeadId>& ablated)
{
    if (heads != this->heads()) {
        clear();
        for (const HeadId head : heads) {
            auto* const item = new QListWidgetItem(QString::fromStdString(toString(head)), this);
            item->setData(Qt::UserRole, QPoint(head.layer, head.head));
            item->setFlags(item->flags() & ~Qt::ItemIsDropEnabled);  // drop between heads, never onto one
        }
    } else if (undrawn == m_undrawn && ablated == m_ablated) {
        return;
    }
    m_undrawn = undrawn;
    m_ablated = ablated;
    paintItems();
}

std::vector<HeadId> HeadOrderList::heads() const
{
    std::vector<HeadId> heads;
    for (int row = 0; row < count(); ++row)
        heads.push_back(headOf(*item(row)));
    return heads;
}

void HeadOrderList::paintItems()
{
    for (int row = 0; row < count(); ++row) {
        QListWidgetItem& shown = *item(row);
        const bool isDrawn = !m_undrawn.contains(headOf(shown));
        const bool isAblated = m_ablated.contains(headOf(shown));
        QFont letters = font();
        letters.setStrikeOut(isAblated);
        shown.setFont(letters);
        shown.setForeground(palette().color(isDrawn ? QPalette::Text : QPalette::PlaceholderText));
        shown.setToolTip(!isDrawn    ? tr("Not drawn in this figure")
                         : isAblated ? tr("Ablated: drawn hatched")
                                     : QString());
    }
}

void HeadOrderList::removeSelected()
{
    const QList<QListWidgetItem*> chosen = selectedItems();
    if (chosen.isEmpty())
        return;
    qDeleteAll(chosen);
    Q_EMIT reordered();
}

void HeadOrderList::moveSelected(int step)
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedIndexes())
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    if (rows.empty() || rows.front() + std::min(step, 0) < 0 || rows.back() + std::max(step, 0) >= count())
        return;
    if (step > 0)
        std::reverse(rows.begin(), rows.end());
    for (const int row : rows) {
        QListWidgetItem* const moved = takeItem(row);
        insertItem(row + step, moved);
        moved->setSelected(true);
        setCurrentItem(moved, QItemSelectionModel::NoUpdate);
    }
    Q_EMIT reordered();
}

void HeadOrderList::keyPressEvent(QKeyEvent* event)
{
    const bool isMove = event->modifiers().testFlag(Qt::AltModifier);
    if (isMove && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down))
        moveSelected(event->key() == Qt::Key_Up ? -1 : 1);
    else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        removeSelected();
    else
        QListWidget::keyPressEvent(event);
}

void HeadOrderList::dropEvent(QDropEvent* event)
{
    const std::vector<HeadId> before = heads();
    m_isDropping = true;
    QListWidget::dropEvent(event);
    m_isDropping = false;
    if (heads() != before)
        Q_EMIT reordered();
}

void HeadOrderList::changeEvent(QEvent* event)
{
    QListWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        paintItems();
}

}  // namespace hs::composer
