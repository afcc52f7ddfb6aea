#pragma once

#include "control/work/side_run.h"
#include "stats/metric_table.h"

#include <QAbstractTableModel>

#include <array>
#include <set>
#include <vector>

namespace hs::panels {

/// One row per head of either side, one column per metric and side. Numbers are computed when a run comes in,
/// so that sorting and painting only read them.
class MetricsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        BarRole = Qt::UserRole + 1,  // double in -1..1, or nothing
        SideRole,                    // int(Side), or nothing
    };

    struct Column {
        enum class Kind { Head, Ablated, Value, Change };
        Kind kind = Kind::Value;
        const stats::Metric* metric = nullptr;  // of a Value, and of a Change: right - left
        Side side = Side::Left;                 // of a Value
    };

    using Runs = std::array<std::shared_ptr<const control::SideRun>, 2>;  // [Side]
    using Heads = std::array<std::set<HeadId>, 2>;                        // [Side]

    explicit MetricsModel(QObject* parent = nullptr);

    void setRuns(const Runs& runs);
    void setAblated(const Heads& ablated);
    void setTitles(const std::array<QString, 2>& titles);  // [Side]

    const Column& column(int index) const { return m_columns[static_cast<std::size_t>(index)]; }
    HeadId headAt(int row) const { return m_heads[static_cast<std::size_t>(row)]; }
    int rowOf(HeadId head) const;  // -1: none
    /// What a column is sorted by; NaN for a head without such a number.
    double value(int row, int column) const;
    /// "density, left": a column's name on one line.
    QString title(int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void fill();
    QString text(int row, int column) const;
    QString ablatedText(int row) const;
    /// Of a set of prompts, the confidence interval of a mean; empty for one prompt.
    QString interval(int row, const Column& column) const;
    QVariant bar(int row, int column) const;
    bool isEverywhereAblated(int row) const;
    int ablatedSides(int row) const;  // bit 0: left, bit 1: right

    std::vector<Column> m_columns;
    Runs m_runs;
    Heads m_ablated;
    std::array<QString, 2> m_titles;  // [Side]
    std::vector<HeadId> m_heads;      // in rising order
    std::vector<double> m_values;     // [row, column]
    std::vector<double> m_largest;    // [column], a metric's on both sides
};

}  // namespace hs::panels
