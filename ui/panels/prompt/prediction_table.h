#pragma once

#include "panels/prompt/prediction_rows.h"

#include <QAbstractTableModel>

namespace hs::panels {

/// The predictions of both sides as a table: token, left, right. Fed by its panel.
class PredictionTable : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(const control::Explorer& explorer);
    const std::vector<PredictionRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 3; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant sideData(const PredictionRow& row, Side side, int role) const;

    std::vector<PredictionRow> m_rows;
    std::array<QString, 2> m_titles;       // [Side]
    std::array<bool, 2> m_hasBefore = {};  // [Side]
};

}  // namespace hs::panels
