#include "panels/heads/edge_table.h"

#include "panels/widgets/panel_style.h"
#include "panels/widgets/share_bar_delegate.h"

#include <algorithm>

namespace hs::panels {

double EdgeRow::largest() const
{
    return std::max(weights[0].value_or(0), weights[1].value_or(0));
}

void EdgeTable::show(std::vector<EdgeRow> rows, std::array<QString, 2> titles)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_titles = std::move(titles);
    endResetModel();
}

int EdgeTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant EdgeTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const EdgeRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (index.column() > 0)
        return sideData(row, index.column() == 1 ? Side::Left : Side::Right, role);
    if (role == Qt::DisplayRole)
        return QString::fromStdString(toString(row.head));
    return role == kSortRole ? QVariant(row.head.layer * 100'000 + row.head.head) : QVariant();
}

QVariant EdgeTable::sideData(const EdgeRow& row, Side side, int role) const
{
    const auto& weight = row.weights[indexOf(side)];
    switch (role) {
    case Qt::DisplayRole: return weight ? formatNumber(*weight) : QStringLiteral("–");
    case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case ShareBarDelegate::BarSide: return static_cast<int>(side);
    case ShareBarDelegate::Share: return weight ? QVariant(*weight) : QVariant();
    case kSortRole: return weight.value_or(-1);
    default: return {};
    }
}

QVariant EdgeTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    return section == 0 ? tr("Head") : m_titles[static_cast<std::size_t>(section - 1)];
}

std::vector<EdgeRow> edgeRows(const std::array<std::shared_ptr<const std::vector<float>>, 2>& weights,
                              const std::array<HeadShape, 2>& shapes, double threshold)
{
    std::map<HeadId, EdgeRow> byHead;
    for (const Side side : kSides) {
        const std::size_t at = indexOf(side);
        if (!weights[at] || static_cast<int>(weights[at]->size()) != shapes[at].total())
            continue;
        for (const HeadId head : shapes[at].all()) {
            EdgeRow& row = byHead[head];
            row.head = head;
            row.weights[at] = (*weights[at])[static_cast<std::size_t>(shapes[at].indexOf(head))];
        }
    }
    std::vector<EdgeRow> rows;
    for (const auto& [head, row] : byHead)
        if (row.largest() > 0 && row.largest() >= threshold)
            rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const EdgeRow& a, const EdgeRow& b) { return a.largest() > b.largest(); });
    return rows;
}

}  // namespace hs::panels
