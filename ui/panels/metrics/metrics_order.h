#pragma once

#include "base/head_id.h"

#include <QSortFilterProxyModel>

#include <set>

namespace hs::panels {

class MetricsModel;

/// The rows as the table shows them: only heads that match, sorted by a number, those without one last in
/// either order.
class MetricsOrder : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit MetricsOrder(MetricsModel* model, QObject* parent = nullptr);

    void setMatching(std::set<HeadId> heads);
    HeadId headAt(int row) const;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    MetricsModel* m_model;
    std::set<HeadId> m_matching;
};

}  // namespace hs::panels
