#pragma once

#include "base/head_id.h"
#include "panels/metrics/metrics_model.h"

#include <QTableView>

#include <set>

class QMenu;

namespace hs::panels {

class MetricsOrder;

/// The metrics panel's table: which columns are shown, which heads are selected.
class MetricsTable : public QTableView {
    Q_OBJECT

public:
    MetricsTable(MetricsModel* model, MetricsOrder* order, QWidget* parent);

    void setSides(const std::set<Side>& sides);
    std::vector<int> shownColumns() const;  // from left to right
    /// Metric of the column the rows are sorted by; null if that is not a side's metric.
    const stats::Metric* sortedMetric() const;

    std::set<HeadId> selectedHeads() const;
    std::vector<int> selectedRows() const;  // as shown, in rising order
    /// Does not emit headsSelected.
    void selectHeads(const std::set<HeadId>& heads);
    /// While following, changes of the selection come from the model and are not reported.
    void setFollowing(bool isFollowing) { m_isFollowing = isFollowing; }

    /// An entry for each metric that shows or hides its columns.
    void addColumnActions(QMenu& menu);

Q_SIGNALS:
    void headsSelected();
    void openRequested(hs::HeadId head);
    void orderRequested(const QString& metric);
    void sortingChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

private:
    void updateColumns();
    void fitColumns();
    void hideMetric(const QString& name, bool isHidden);
    void showHeaderMenu(const QPoint& position);
    void open(int row);

    MetricsModel* m_metrics;
    MetricsOrder* m_order;
    std::set<Side> m_sides;
    std::set<QString> m_hidden;  // names of metrics
    bool m_isFollowing = false;
};

}  // namespace hs::panels
