#include "panels/metrics/metrics_order.h"

#include "panels/metrics/metrics_model.h"

#include <cmath>

namespace hs::panels {

MetricsOrder::MetricsOrder(MetricsModel* model, QObject* parent)
    : QSortFilterProxyModel(parent), m_model(model)
{
    setSourceModel(model);
    setDynamicSortFilter(true);
}

void MetricsOrder::setMatching(std::set<HeadId> heads)
{
    if (heads == m_matching)
        return;
    m_matching = std::move(heads);
    invalidateFilter();
}

HeadId MetricsOrder::headAt(int row) const
{
    return m_model->headAt(mapToSource(index(row, 0)).row());
}

bool MetricsOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const double one = m_model->value(left.row(), left.column());
    const double other = m_model->value(right.row(), right.column());
    if (std::isnan(one) || std::isnan(other)) {
        const bool isAscending = sortOrder() == Qt::AscendingOrder;
        return isAscending ? !std::isnan(one) && std::isnan(other) : std::isnan(one) && !std::isnan(other);
    }
    return one < other;
}

bool MetricsOrder::filterAcceptsRow(int row, const QModelIndex&) const
{
    return m_matching.contains(m_model->headAt(row));
}

}  // namespace hs::panels
