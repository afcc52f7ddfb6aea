#pragma once

#include "analyses/comparison.h"
#include "figures/parts/data_table.h"
#include "panels/analyses/head_bar.h"

#include <QAbstractTableModel>

#include <array>
#include <optional>

namespace hs::panels {

/// One line of the comparison: a figure for both models.
struct ComparisonRow {
    QString name;
    QString meaning;               // for the tooltip
    std::array<double, 2> values;  // [Side]
    bool isShare = false;          // written in per cent
    int decimals = 0;              // of values that are not shares
    bool isReduced = false;        // sparse models are meant to have less of it
};

/// `hasRun`: a side has an engine, whose gate may close cells.
std::vector<ComparisonRow> comparisonRows(const analyses::Comparison& comparison, bool hasRun);

/// Figures for both models side by side, and by how much the right one is smaller: name, left, right,
/// reduction. Fed by its panel.
class ComparisonTable : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(std::vector<ComparisonRow> rows, std::array<QString, 2> titles);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 4; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ComparisonRow> m_rows;
    std::array<QString, 2> m_titles;  // [Side]
};

/// "99.9 % · 855×": by how much `after` is less; "more" in words, or empty if there is nothing to report.
QString savingText(double before, double after);

/// Two ways to measure how far apart two heads are; the one not chosen breaks ties.
enum class DistanceKind { TotalVariation, JensenShannon };

/// Pairs, largest distance first.
std::vector<analyses::HeadPair> rankedPairs(const analyses::Comparison& comparison, DistanceKind kind);

/// Whether a head gives no weight to any token of the prompt.
bool looksNowhere(const stats::HeadStats& stats);

/// A bar per pair; pale where exactly one of the heads looks nowhere.
std::vector<HeadBar> distanceBars(const std::vector<analyses::HeadPair>& pairs, DistanceKind kind,
                                  const std::array<QString, 2>& titles);

/// Distances and the metrics of both heads.
figures::DataTable comparisonData(const analyses::Comparison& comparison);

}  // namespace hs::panels
