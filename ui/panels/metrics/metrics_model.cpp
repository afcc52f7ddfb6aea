#include "panels/metrics/metrics_model.h"

#include "control/document/shown_heads.h"
#include "panels/widgets/metric_names.h"
#include "panels/widgets/panel_style.h"

#include <QFont>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::panels {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<MetricsModel::Column> allColumns()
{
    using Kind = MetricsModel::Column::Kind;
    std::vector<MetricsModel::Column> columns = {{Kind::Head}, {Kind::Ablated}};
    for (const stats::Metric* metric : metricsInTableOrder()) {
        for (const Side side : kSides)
            columns.push_back({Kind::Value, metric, side});
        if (metric->name == "density")
            columns.push_back({Kind::Change, metric});
    }
    return columns;
}

std::vector<HeadId> headsOf(const MetricsModel::Runs& runs)
{
    std::set<HeadId> heads;
    for (const auto& run : runs)
        if (run)
            heads.merge(control::allHeads(run->after.heads));
    return {heads.begin(), heads.end()};
}

double metricOf(const std::shared_ptr<const control::SideRun>& run, HeadId head, const stats::Metric& metric)
{
    return run && run->after.heads.contains(head) ? metric.of(run->after.statsOf(head)) : kNone;
}

QString sideName(Side side)
{
    return side == Side::Left ? MetricsModel::tr("left") : MetricsModel::tr("right");
}

}  // namespace

MetricsModel::MetricsModel(QObject* parent) : QAbstractTableModel(parent), m_columns(allColumns()) {}

void MetricsModel::setRuns(const Runs& runs)
{
    if (runs == m_runs)
        return;
    std::vector<HeadId> heads = headsOf(runs);
    const bool isReset = heads != m_heads;
    if (isReset)
        beginResetModel();
    m_runs = runs;
    m_heads = std::move(heads);
    fill();
    if (isReset)
        endResetModel();
    else if (!m_heads.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void MetricsModel::setAblated(const Heads& ablated)
{
    if (ablated == m_ablated)
        return;
    m_ablated = ablated;
    if (!m_heads.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 1));
}

void MetricsModel::setTitles(const std::array<QString, 2>& titles)
{
    if (titles == m_titles)
        return;
    m_titles = titles;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void MetricsModel::fill()
{
    m_values.assign(m_heads.size() * m_columns.size(), kNone);
    m_largest.assign(m_columns.size(), 0);
    auto cell = m_values.begin();
    for (const HeadId head : m_heads)
        for (std::size_t column = 0; column < m_columns.size(); ++column, ++cell) {
            const Column& what = m_columns[column];
            if (what.kind == Column::Kind::Value)
                *cell = metricOf(m_runs[indexOf(what.side)], head, *what.metric);
            else if (what.kind == Column::Kind::Change)
                *cell = metricOf(m_runs[1], head, *what.metric) - metricOf(m_runs[0], head, *what.metric);
            if (!std::isnan(*cell))
                m_largest[column] = std::max(m_largest[column], std::abs(*cell));
        }
    // Both bars of a pair have the same scale, so that their lengths can be compared.
    for (std::size_t left = 0; left + 1 < m_columns.size(); ++left)
        if (m_columns[left].kind == Column::Kind::Value && m_columns[left].side == Side::Left)
            m_largest[left] = m_largest[left + 1] = std::max(m_largest[left], m_largest[left + 1]);
}

int MetricsModel::rowOf(HeadId head) const
{
    const auto found = std::lower_bound(m_heads.begin(), m_heads.end(), head);
    return found != m_heads.end() && *found == head ? static_cast<int>(found - m_heads.begin()) : -1;
}

double MetricsModel::value(int row, int column) const
{
    switch (this->column(column).kind) {
    case Column::Kind::Head: return row;
    case Column::Kind::Ablated: return ablatedSides(row);
    case Column::Kind::Value:
    case Column::Kind::Change: break;
    }
    return m_values[static_cast<std::size_t>(row) * m_columns.size() + static_cast<std::size_t>(column)];
}

int MetricsModel::ablatedSides(int row) const
{
    const HeadId head = headAt(row);
    return (m_ablated[0].contains(head) ? 1 : 0) + (m_ablated[1].contains(head) ? 2 : 0);
}

bool MetricsModel::isEverywhereAblated(int row) const
{
    const HeadId head = headAt(row);
    return ablatedSides(row) != 0 && std::all_of(kSides.begin(), kSides.end(), [&](Side side) {
               const auto& run = m_runs[indexOf(side)];
               return !run || !run->after.heads.contains(head) || m_ablated[indexOf(side)].contains(head);
           });
}

QString MetricsModel::ablatedText(int row) const
{
    switch (ablatedSides(row)) {
    case 1: return tr("left");
    case 2: return tr("right");
    case 3: return tr("both");
    default: return {};
    }
}

QString MetricsModel::text(int row, int column) const
{
    const Column& what = this->column(column);
    switch (what.kind) {
    case Column::Kind::Head: return QString::fromStdString(toString(headAt(row)));
    case Column::Kind::Ablated: return ablatedText(row);
    case Column::Kind::Value:
    case Column::Kind::Change: break;
    }
    const bool isCount = what.metric->name == "off_diagonal_above_half";
    return formatNumber(value(row, column), isCount ? 0 : 3);
}

QString MetricsModel::interval(int row, const Column& column) const
{
    const auto& run = m_runs[indexOf(column.side)];
    if (column.kind != Column::Kind::Value || !run || !run->set || !run->after.heads.contains(headAt(row)))
        return {};
    const auto head = static_cast<std::size_t>(run->after.heads.indexOf(headAt(row)));
    return tr("Mean of %1 prompts; with 95 % confidence, that of all such prompts is from %2 to %3")
        .arg(QString::number(run->set->done), formatNumber(column.metric->of(run->set->low[head])),
             formatNumber(column.metric->of(run->set->high[head])));
}

QVariant MetricsModel::bar(int row, int column) const
{
    const Column& what = this->column(column);
    if (what.kind != Column::Kind::Value && what.kind != Column::Kind::Change)
        return {};
    const double largest = m_largest[static_cast<std::size_t>(column)];
    const double number = value(row, column);
    return std::isnan(number) || largest <= 0 ? QVariant() : QVariant(number / largest);
}

QString MetricsModel::title(int column) const
{
    const Column& what = this->column(column);
    switch (what.kind) {
    case Column::Kind::Head: return tr("head");
    case Column::Kind::Ablated: return tr("ablated");
    case Column::Kind::Change: return tr("%1, right − left").arg(metricTitle(*what.metric));
    case Column::Kind::Value: break;
    }
    return tr("%1, %2").arg(metricTitle(*what.metric), sideName(what.side));
}

int MetricsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_heads.size());
}

int MetricsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant MetricsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Column& what = column(index.column());
    const bool isNumber = what.kind == Column::Kind::Value || what.kind == Column::Kind::Change;
    switch (role) {
    case Qt::DisplayRole: return text(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::ToolTipRole: return interval(index.row(), what);
    case BarRole: return bar(index.row(), index.column());
    case SideRole:
        return what.kind == Column::Kind::Value ? QVariant(static_cast<int>(what.side)) : QVariant();
    case Qt::FontRole:
        if (what.kind == Column::Kind::Head) {
            QFont font;
            font.setBold(true);
            font.setStrikeOut(isEverywhereAblated(index.row()));
            return font;
        }
        return {};
    default: return {};
    }
}

QVariant MetricsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& what = column(section);
    const bool isNumber = what.kind == Column::Kind::Value || what.kind == Column::Kind::Change;
    switch (role) {
    case Qt::DisplayRole:
        if (!isNumber)
            return title(section);
        return QStringLiteral("%1\n%2").arg(metricTitle(*what.metric), what.kind == Column::Kind::Change
                                                                           ? tr("right − left")
                                                                           : sideName(what.side));
    case Qt::ToolTipRole:
        if (!isNumber)
            return what.kind == Column::Kind::Head ? tr("Layer and head")
                                                   : tr("Where the head is switched off");
        if (what.kind == Column::Kind::Value && !m_titles[indexOf(what.side)].isEmpty())
            return tr("%1 (%2)").arg(metricHelp(*what.metric), m_titles[indexOf(what.side)]);
        return metricHelp(*what.metric);
    case Qt::AccessibleTextRole: return title(section);
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | Qt::AlignLeft));
    default: return {};
    }
}

}  // namespace hs::panels
