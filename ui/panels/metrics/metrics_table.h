#pragma once

#include "base/head_id.h"
#include "panels/metrics/metrics_model.h"

#include <QTableView>

#include <set>

class QMenu;

namespace hs::panels {

class MetricsOrder;

/// The table of the metrics panel: which columns are seen, which heads are selected.
class MetricsTable : public QTableView {
    Q_OBJECT

public:
    MetricsTable(MetricsModel* model, MetricsOrder* order, QWidget* parent);

    void setSides(const std::set<control::Side>& sides);
    std::vector<int> shownColumns() const;  // from left to right
    /// Of the column the rows are sorted by; null where that is no metric of a side.
    const stats::Metric* sortedMetric() const;

    std::set<HeadId> selectedHeads() const;
    std::vector<int> selectedRows() const;  // as shown, in rising order
    /// Emits no headsSelected.
    void selectHeads(const std::set<HeadId>& heads);
    /// While following, what the model does to the selection is nobody's wish.
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
    std::set<control::Side> m_sides;
    std::set<QString> m_hidden;  // names of metrics
    bool m_isFollowing = false;
};

}  // namespace hs::panels
