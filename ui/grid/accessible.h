#pragma once

#include "base/head_id.h"

#include <QAccessibleWidget>

#include <map>
#include <optional>

namespace hs::grid {

class Canvas;

/// A grid as screen readers see it: a table whose cells read "layer 5 head 1, density 0.4 %,
/// ablated". Places without a head are empty cells. Behind the cells come the slim tiles of MLPs.
class AccessibleCanvas : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    explicit AccessibleCanvas(Canvas* canvas);
    ~AccessibleCanvas() override;

    Canvas* canvas() const;
    QString cellText(int row, int column) const;
    bool isCellSelected(int row, int column) const;
    bool isCellFocused(int row, int column) const;
    QRect cellRect(int row, int column) const;  // on the screen
    QRect unitRect(HeadId unit) const;          // likewise
    std::optional<HeadId> mlpAt(int index) const;

    void* interface_cast(QAccessible::InterfaceType type) override;
    QAccessibleInterface* child(int index) const override;
    int childCount() const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override;
    int selectedCellCount() const override;
    QList<QAccessibleInterface*> selectedCells() const override;
    QString columnDescription(int column) const override;
    QString rowDescription(int row) const override;
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    int columnCount() const override;
    int rowCount() const override;
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    int cellCount() const { return rowCount() * columnCount(); }
    QAccessibleInterface* mlpChild(int index) const;

    mutable std::map<int, QAccessible::Id> m_cells;  // by row and column, made when asked for
    mutable std::map<int, QAccessible::Id> m_mlps;   // the same of slim tiles, by index
};

/// Makes grids visible to screen readers; calling it again has no effect.
void installGridAccessibility();

}  // namespace hs::grid
