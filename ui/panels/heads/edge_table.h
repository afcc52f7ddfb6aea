#pragma once

#include "control/explorer/explorer.h"

#include <QAbstractTableModel>

namespace hs::panels {

/// A head and the pinned cell's weight in it on both sides; no value where a side has no such head or no
/// answer yet. [Side]
struct EdgeRow {
    HeadId head;
    std::array<std::optional<double>, 2> weights;

    double largest() const;
};

/// Heads whose weight on a cell reaches the threshold on either side, largest first, as a table: head, left,
/// right. Fed by its panel.
class EdgeTable : public QAbstractTableModel {
    Q_OBJECT

public:
    /// For sorting: a number for every cell.
    static constexpr int kSortRole = Qt::UserRole + 20;

    using QAbstractTableModel::QAbstractTableModel;

    void show(std::vector<EdgeRow> rows, std::array<QString, 2> titles);
    const std::vector<EdgeRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 3; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant sideData(const EdgeRow& row, Side side, int role) const;

    std::vector<EdgeRow> m_rows;
    std::array<QString, 2> m_titles;  // [Side]
};

/// The rows for these weights of a cell.
std::vector<EdgeRow> edgeRows(const std::array<std::shared_ptr<const std::vector<float>>, 2>& weights,
                              const std::array<HeadShape, 2>& shapes, double threshold);

}  // namespace hs::panels
