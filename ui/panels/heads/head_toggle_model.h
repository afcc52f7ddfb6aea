#pragma once

#include "control/explorer/explorer.h"

#include <QAbstractTableModel>

namespace hs::panels {

/// The heads of one side as check boxes, layers down and heads across: ticked ones run, the others are
/// ablated. Changes go through the Explorer, which notifies the model.
class HeadToggleModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        IsSelected = Qt::UserRole + 1,
        IsMatching,  // the filter
        Sign,        // for what an ablated head writes instead; empty: nothing
    };

    HeadToggleModel(control::Explorer& explorer, QObject* parent = nullptr);

    Side side() const { return m_side; }
    void setSide(Side side);
    const HeadShape& shape() const { return m_shape; }
    HeadId headAt(const QModelIndex& index) const { return {index.row(), index.column()}; }

    void toggle(HeadId head);
    /// Ablates those that run, or restores all if none runs.
    void toggleLayer(int layer);
    void toggleColumn(int head);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void refresh();

private:
    void toggleAll(const std::set<HeadId>& heads);
    bool isAblated(HeadId head) const;

    control::Explorer& m_explorer;
    Side m_side = Side::Left;
    HeadShape m_shape;
    std::set<HeadId> m_matching;
};

}  // namespace hs::panels
