#include "panels/prompt/prediction_table.h"

#include "panels/widgets/share_bar_delegate.h"
#include "panels/widgets/shown_tokens.h"

namespace hs::panels {

void PredictionTable::show(const control::Explorer& explorer)
{
    beginResetModel();
    m_rows = predictionRows(explorer);
    for (const Side side : kSides) {
        m_titles[indexOf(side)] = sideTitle(explorer, side);
        m_hasBefore[indexOf(side)] = hasAblations(explorer.state(side));
    }
    endResetModel();
}

int PredictionTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant PredictionTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const PredictionRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (index.column() > 0)
        return sideData(row, index.column() == 1 ? Side::Left : Side::Right, role);
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(row.label) : QVariant();
}

QVariant PredictionTable::sideData(const PredictionRow& row, Side side, int role) const
{
    const auto& change = row.sides[indexOf(side)];
    const bool hasBefore = m_hasBefore[indexOf(side)];
    if (role == ShareBarDelegate::BarSide)
        return static_cast<int>(side);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (!change)
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
    const auto known = [](const Probability& probability) {
        return probability.isBound ? 0 : probability.value;
    };
    switch (role) {
    case Qt::DisplayRole: return describeChange(*change, hasBefore);
    case Qt::ToolTipRole: return describeChange(*change, hasBefore, 3);
    case ShareBarDelegate::ShortText: return describeChange(*change, hasBefore, 0);
    case ShareBarDelegate::Share: return known(change->after);
    case ShareBarDelegate::ShareBefore: return hasBefore ? QVariant(known(change->before)) : QVariant();
    default: return {};
    }
}

QVariant PredictionTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    return section == 0 ? tr("Token") : m_titles[static_cast<std::size_t>(section - 1)];
}

}  // namespace hs::panels
