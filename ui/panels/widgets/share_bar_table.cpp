#include "panels/widgets/share_bar_table.h"

#include "panels/widgets/share_bar_delegate.h"

#include <QEvent>
#include <QHeaderView>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kColumnPadding = 12;
constexpr int kLeastName = 48;
constexpr int kMostName = 140;

}  // namespace

ShareBarTable::ShareBarTable(QAbstractItemModel* model, const QString& widest, QWidget* parent)
    : QTableView(parent), m_delegate(new ShareBarDelegate(widest, this))
{
    setModel(model);
    setItemDelegate(m_delegate);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(24);
}

void ShareBarTable::setDimmed(bool isDimmed)
{
    m_isDimmed = isDimmed;
    m_delegate->setDimmed(isDimmed);
    viewport()->update();
}

int ShareBarTable::nameWidth() const
{
    int width = kLeastName;
    for (int row = 0; row < model()->rowCount(); ++row)
        width = std::max(width, fontMetrics().horizontalAdvance(model()->index(row, 0).data().toString()) +
                                    kColumnPadding);
    return std::min({width, kMostName, std::max(kLeastName, viewport()->width() / 4)});
}

void ShareBarTable::fit()
{
    const int columns = model()->columnCount();
    int shown = 0;
    for (int column = 1; column < columns; ++column)
        shown += isColumnHidden(column) ? 0 : 1;
    const int name = nameWidth();
    const int each = shown > 0 ? std::max(24, (viewport()->width() - name) / shown) : 0;
    setColumnWidth(0, name);
    for (int column = 1; column < columns; ++column)
        if (!isColumnHidden(column))
            setColumnWidth(column, each);
    verticalHeader()->setDefaultSectionSize(m_delegate->rowHeight(fontMetrics(), each));
}

void ShareBarTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fit();
}

void ShareBarTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange && model())
        fit();
}

}  // namespace hs::panels
