#include "panels/analyses/attribution/carrying_list.h"

#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"

#include <QHeaderView>

#include <algorithm>

namespace hs::panels {
namespace {

enum Role { SideRole = Qt::UserRole + 1, LayerRole, HeadRole, KeyRole, QueryRole };

}  // namespace

CarryingList::CarryingList(QWidget* parent) : QTreeWidget(parent)
{
    setObjectName(QStringLiteral("carryingList"));
    setAccessibleName(tr("Heads that carry the share, with their cells"));
    setColumnCount(3);
    setHeaderLabels({tr("Head"), tr("Key → query"), tr("Adds")});
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setIndentation(12);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(36);
    header()->setSectionResizeMode(Head, QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(Cell, QHeaderView::Stretch);
    header()->setSectionResizeMode(Value, QHeaderView::ResizeToContents);
    connect(this, &QTreeWidget::itemClicked, this,
            [this](QTreeWidgetItem* item, int column) { pick(*item, column); });
    connect(this, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item, int column) { pick(*item, column); });
}

/// Adds everything at once: the tree measures itself again after every insertion.
void CarryingList::setSides(const std::array<CarryingSide, 2>& sides)
{
    clear();
    QList<QTreeWidgetItem*> headings;
    for (const Side side : kSides)
        if (!sides[indexOf(side)].title.isEmpty())
            headings << newHeading(side, sides[indexOf(side)]);
    addTopLevelItems(headings);
    for (QTreeWidgetItem* const heading : headings) {
        heading->setFirstColumnSpanned(true);
        heading->setExpanded(true);
    }
}

QTreeWidgetItem* CarryingList::newHeading(Side side, const CarryingSide& carrying) const
{
    auto* const heading = new QTreeWidgetItem({carrying.title});
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(Head, bold);
    heading->setForeground(Head, sideColour(side, palette()));
    heading->setFlags(Qt::ItemIsEnabled);
    for (const CarryingHead& head : carrying.heads) {
        QTreeWidgetItem* const row =
            newRow(side, carrying, head, head.cells.empty() ? nullptr : &head.cells.front());
        row->setText(Head, QString::fromStdString(toString(head.head)));
        row->setText(Value, formatNumber(head.value, 2));
        heading->addChild(row);
        const auto count = std::min<std::size_t>(head.cells.size(), kMostCells);
        for (std::size_t index = 0; head.cells.size() > 1 && index < count; ++index) {
            QTreeWidgetItem* const cell = newRow(side, carrying, head, &head.cells[index]);
            cell->setText(Value, formatNumber(head.cells[index].value, 2));
            row->addChild(cell);
        }
    }
    return heading;
}

QTreeWidgetItem* CarryingList::newRow(Side side, const CarryingSide& carrying, const CarryingHead& head,
                                      const engine::AttributionEdge* edge) const
{
    auto* const row = new QTreeWidgetItem;
    row->setData(Head, SideRole, static_cast<int>(side));
    row->setData(Head, LayerRole, head.head.layer);
    row->setData(Head, HeadRole, head.head.head);
    row->setTextAlignment(Value, Qt::AlignRight | Qt::AlignVCenter);
    if (!edge)
        return row;
    const QString cell = cellWords({carrying.tokens, carrying.tokens}, {carrying.position, edge->key});
    row->setText(Cell, cell);
    row->setToolTip(
        Cell, tr("%1 adds %2 through %3")
                  .arg(QString::fromStdString(toString(head.head)), formatNumber(edge->value, 3), cell));
    row->setData(Head, KeyRole, edge->key);
    row->setData(Head, QueryRole, carrying.position);
    return row;
}

void CarryingList::pick(const QTreeWidgetItem& item, int column)
{
    if (!item.data(Head, SideRole).isValid())
        return;
    const auto side = static_cast<Side>(item.data(Head, SideRole).toInt());
    const HeadId head{item.data(Head, LayerRole).toInt(), item.data(Head, HeadRole).toInt()};
    const CellId cell{item.data(Head, QueryRole).toInt(), item.data(Head, KeyRole).toInt()};
    if (column != Head && item.data(Head, KeyRole).isValid())
        Q_EMIT cellPicked(side, head, cell);
    else
        Q_EMIT headPicked(side, head);
}

}  // namespace hs::panels
