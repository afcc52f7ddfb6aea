#include "panels/analyses/compare/comparison_table.h"

#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"
#include "render/translate.h"
#include "stats/metric_table.h"

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr double kAlike = 1e-5;      // distances that differ by less are equal
constexpr double kFactorFrom = 0.8;  // reduction from which the factor is given, too

QString valueText(const ComparisonRow& row, double value)
{
    if (!row.isShare)
        return formatNumber(value, row.decimals);
    return formatPercent(value, value > 0 && value < 0.01 ? 3 : 1);
}

double distanceOf(const analyses::HeadPair& pair, DistanceKind kind)
{
    return kind == DistanceKind::TotalVariation ? pair.distance.totalVariation : pair.distance.jensenShannon;
}

}  // namespace

std::vector<ComparisonRow> comparisonRows(const analyses::Comparison& comparison, bool hasRun)
{
    const stats::ModelSummary& left = comparison.first;
    const stats::ModelSummary& right = comparison.second;
    const auto count = [](auto number) { return static_cast<double>(number); };
    return {
        {tr("Diagonal-dominant"),
         tr("Share of heads with more than half of their mean peak on the diagonal."),
         {left.diagonalDominance, right.diagonalDominance},
         true,
         0,
         false},
        {tr("Mean peak"),
         tr("Mean over heads of the mean of their rows' largest weights."),
         {left.meanPeak, right.meanPeak},
         false,
         3,
         false},
        {tr("Diagonal intensity"),
         tr("Mean weight on the diagonal."),
         {left.diagonalIntensity, right.diagonalIntensity},
         false,
         3,
         true},
        {hasRun ? tr("Active edges") : tr("Cells above 0"),
         tr("Share of the cells that queries see in which there is a weight: what a gate leaves."),
         {left.activeEdges, right.activeEdges},
         true,
         0,
         true},
        {tr("Off-diagonal > 0.5"),
         tr("Cells with a weight above 0.5 off the diagonal, in all heads together."),
         {count(left.offDiagonalAboveHalf), count(right.offDiagonalAboveHalf)},
         false,
         0,
         true},
        {tr("Heads retained"),
         tr("Heads with any weight above the threshold on this prompt, of %1 and %2.")
             .arg(left.heads)
             .arg(right.heads),
         {count(left.headsRetained), count(right.headsRetained)},
         false,
         0,
         true},
    };
}

QString savingText(double before, double after)
{
    const double share = stats::reduction(before, after);
    if (std::isnan(share) || share == 0)
        return {};
    if (share < 0)
        return tr("%1 more").arg(formatPercent(-share));
    if (after <= 0 || share < kFactorFrom)
        return formatPercent(share);
    const double factor = before / after;
    return tr("%1 · %2×").arg(formatPercent(share), formatNumber(factor, factor < 10 ? 1 : 0));
}

void ComparisonTable::show(std::vector<ComparisonRow> rows, std::array<QString, 2> titles)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_titles = std::move(titles);
    endResetModel();
}

int ComparisonTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ComparisonTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ComparisonRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::ToolTipRole)
        return row.meaning;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case 0: return row.name;
    case 1:
    case 2: return valueText(row, row.values[static_cast<std::size_t>(index.column() - 1)]);
    default: return row.isReduced ? savingText(row.values[0], row.values[1]) : QString();
    }
}

QVariant ComparisonTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    return section == 0   ? QString()
           : section == 3 ? tr("Reduction")
                          : m_titles[static_cast<std::size_t>(section - 1)];
}

std::vector<analyses::HeadPair> rankedPairs(const analyses::Comparison& comparison, DistanceKind kind)
{
    const DistanceKind other =
        kind == DistanceKind::TotalVariation ? DistanceKind::JensenShannon : DistanceKind::TotalVariation;
    // Rounding errors must not decide: equally distant heads are in the model's order.
    const auto steps = [](double distance) { return std::llround(distance / kAlike); };
    std::vector<analyses::HeadPair> pairs = comparison.pairs;
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const analyses::HeadPair& one, const analyses::HeadPair& two) {
                         for (const DistanceKind measure : {kind, other})
                             if (const auto first = steps(distanceOf(one, measure)),
                                 second = steps(distanceOf(two, measure));
                                 first != second)
                                 return first > second;
                         return one.head < two.head;
                     });
    return pairs;
}

bool looksNowhere(const stats::HeadStats& stats)
{
    return stats.peak == 0;
}

std::vector<HeadBar> distanceBars(const std::vector<analyses::HeadPair>& pairs, DistanceKind kind,
                                  const std::array<QString, 2>& titles)
{
    std::vector<HeadBar> bars;
    for (const analyses::HeadPair& pair : pairs) {
        HeadBar bar;
        bar.name = QString::fromStdString(toString(pair.head));
        bar.heads = {pair.head};
        bar.value = distanceOf(pair, kind);
        bar.isChosen = looksNowhere(pair.first) == looksNowhere(pair.second);
        bar.detail =
            tr("total variation %1, Jensen–Shannon %2 nats; peak %3 in %4, %5 in %6")
                .arg(formatNumber(pair.distance.totalVariation), formatNumber(pair.distance.jensenShannon),
                     formatNumber(pair.first.peak), titles[0], formatNumber(pair.second.peak), titles[1]);
        bars.push_back(std::move(bar));
    }
    return bars;
}

figures::DataTable comparisonData(const analyses::Comparison& comparison)
{
    figures::DataTable table;
    const auto add = [&](const std::string& name, auto valueOf) {
        figures::DataColumn column{name, {}};
        for (const analyses::HeadPair& pair : comparison.pairs)
            column.values.push_back(valueOf(pair));
        table.columns.push_back(std::move(column));
    };
    add("layer", [](const analyses::HeadPair& pair) { return static_cast<double>(pair.head.layer); });
    add("head", [](const analyses::HeadPair& pair) { return static_cast<double>(pair.head.head); });
    add("total_variation", [](const analyses::HeadPair& pair) { return pair.distance.totalVariation; });
    add("jensen_shannon", [](const analyses::HeadPair& pair) { return pair.distance.jensenShannon; });
    for (const stats::Metric& metric : stats::allMetrics()) {
        add(std::string(metric.name) + "_left",
            [&](const analyses::HeadPair& pair) { return metric.of(pair.first); });
        add(std::string(metric.name) + "_right",
            [&](const analyses::HeadPair& pair) { return metric.of(pair.second); });
    }
    return table;
}

}  // namespace hs::panels
