#pragma once

#include "base/cell_id.h"
#include "base/side.h"
#include "panels/analyses/attribution/attribution_reading.h"

#include <QStringList>
#include <QTreeWidget>

#include <array>

namespace hs::panels {

/// One side's smallest set of heads, and its title and labels.
struct CarryingSide {
    QString title;       // "Demo, sparse: 2 heads"; empty: the side is left out
    QStringList tokens;  // labels
    int position = 0;    // the query they write to
    std::vector<CarryingHead> heads;
};

/// The heads that carry a share of a logit and the cells they read it through. Clicking a head's name picks
/// the head, clicking a cell also picks the cell.
class CarryingList : public QTreeWidget {
    Q_OBJECT

public:
    explicit CarryingList(QWidget* parent = nullptr);

    /// [Side]
    void setSides(const std::array<CarryingSide, 2>& sides);

    QSize sizeHint() const override { return {280, 180}; }
    QSize minimumSizeHint() const override { return {120, 80}; }

Q_SIGNALS:
    void headPicked(Side side, hs::HeadId head);
    void cellPicked(Side side, hs::HeadId head, hs::CellId cell);

private:
    enum Column { Head, Cell, Value };
    static constexpr int kMostCells = 12;  // per head

    QTreeWidgetItem* newHeading(Side side, const CarryingSide& carrying) const;
    QTreeWidgetItem* newRow(Side side, const CarryingSide& carrying, const CarryingHead& head,
                            const engine::AttributionEdge* edge) const;
    void pick(const QTreeWidgetItem& item, int column);
};

}  // namespace hs::panels
