#pragma once

#include "analyses/comparison.h"
#include "figures/parts/data_table.h"
#include "panels/analyses/head_bar.h"

#include <QAbstractTableModel>

#include <array>
#include <optional>

namespace hs::panels {

/// One line of the comparison: a figure of both models.
struct ComparisonRow {
    QString name;
    QString meaning;               // for those who point at it
    std::array<double, 2> values;  // [Side]
    bool isShare = false;          // written in per cent
    int decimals = 0;              // of values that are none
    bool isReduced = false;        // less of it is what sparse models are for
};

std::vector<ComparisonRow> comparisonRows(const analyses::Comparison& comparison);

/// Figures of both models beside each other, and by how much the right one has less: name, left, right,
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

/// "99.9 % · 855×": by how much `after` is less; "more" in words, and empty where there is nothing to say.
QString savingText(double before, double after);

/// How far two heads are apart is measured in one of two ways; the other one parts those that are
/// equally far.
enum class DistanceKind { TotalVariation, JensenShannon };

/// Pairs with what changed most first.
std::vector<analyses::HeadPair> rankedPairs(const analyses::Comparison& comparison, DistanceKind kind);

/// Whether a head gives no weight to anything on the prompt.
bool looksNowhere(const stats::HeadStats& stats);

/// A bar a pair; those of which one looks nowhere while the other looks somewhere are pale.
std::vector<HeadBar> distanceBars(const std::vector<analyses::HeadPair>& pairs, DistanceKind kind,
                                  const std::array<QString, 2>& titles);

/// Distances and the metrics of both heads.
figures::DataTable comparisonData(const analyses::Comparison& comparison);

}  // namespace hs::panels
