#include "panels/metrics/metrics_table.h"

#include "panels/metrics/metric_bar_delegate.h"
#include "panels/metrics/metrics_order.h"
#include "panels/widgets/metric_names.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>

#include <algorithm>

namespace hs::panels {

MetricsTable::MetricsTable(MetricsModel* model, MetricsOrder* order, QWidget* parent)
    : QTableView(parent), m_metrics(model), m_order(order)
{
    setObjectName(QStringLiteral("metricsTable"));
    setAccessibleName(tr("Metrics of all heads"));
    setModel(order);
    setItemDelegate(new MetricBarDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setSortingEnabled(true);
    sortByColumn(0, Qt::AscendingOrder);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView* const header = horizontalHeader();
    header->setObjectName(QStringLiteral("metricsHeader"));
    header->setHighlightSections(false);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &MetricsTable::sortingChanged);
    connect(header, &QHeaderView::customContextMenuRequested, this, &MetricsTable::showHeaderMenu);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { open(index.row()); });
    fitColumns();
    updateColumns();
}

void MetricsTable::setSides(const std::set<Side>& sides)
{
    if (sides == m_sides)
        return;
    m_sides = sides;
    updateColumns();
}

void MetricsTable::updateColumns()
{
    for (int column = 0; column < m_metrics->columnCount(); ++column) {
        const MetricsModel::Column& what = m_metrics->column(column);
        bool isHidden = what.metric && m_hidden.contains(nameOf(*what.metric));
        if (what.kind == MetricsModel::Column::Kind::Value)
            isHidden = isHidden || !m_sides.contains(what.side);
        if (what.kind == MetricsModel::Column::Kind::Change)
            isHidden = isHidden || m_sides.size() < 2;
        setColumnHidden(column, isHidden);
    }
}

/// Depends on the font only, not on the data: measuring every row would take too long.
void MetricsTable::fitColumns()
{
    QHeaderView* const header = horizontalHeader();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    const int least = MetricBarDelegate::columnWidth(fontMetrics());
    for (int column = 0; column < m_metrics->columnCount(); ++column) {
        const bool isNumber = m_metrics->column(column).metric != nullptr;
        header->resizeSection(column, std::max(isNumber ? least : 0, header->sectionSizeHint(column) + 8));
    }
}

std::vector<int> MetricsTable::shownColumns() const
{
    std::vector<int> columns;
    const QHeaderView* const header = horizontalHeader();
    for (int place = 0; place < header->count(); ++place)
        if (!header->isSectionHidden(header->logicalIndex(place)))
            columns.push_back(header->logicalIndex(place));
    return columns;
}

const stats::Metric* MetricsTable::sortedMetric() const
{
    const int column = horizontalHeader()->sortIndicatorSection();
    if (column < 0 || column >= m_metrics->columnCount())
        return nullptr;
    const MetricsModel::Column& what = m_metrics->column(column);
    return what.kind == MetricsModel::Column::Kind::Value ? what.metric : nullptr;
}

std::vector<int> MetricsTable::selectedRows() const
{
    std::set<int> rows;
    for (const QItemSelectionRange& range : selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.insert(row);
    return {rows.begin(), rows.end()};
}

std::set<HeadId> MetricsTable::selectedHeads() const
{
    std::set<HeadId> heads;
    for (const int row : selectedRows())
        heads.insert(m_order->headAt(row));
    return heads;
}

void MetricsTable::selectHeads(const std::set<HeadId>& heads)
{
    const QScopedValueRollback following(m_isFollowing, true);
    QItemSelection rows;
    const int last = m_order->columnCount() - 1;
    int first = -1;
    for (int row = 0; row <= m_order->rowCount(); ++row) {
        const bool isSelected = row < m_order->rowCount() && heads.contains(m_order->headAt(row));
        if (isSelected && first < 0)
            first = row;
        if (!isSelected && first >= 0) {
            rows.select(m_order->index(first, 0), m_order->index(row - 1, last));
            first = -1;
        }
    }
    if (rows == selectionModel()->selection())
        return;
    selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    if (!rows.isEmpty() && !hasFocus())
        scrollTo(m_order->index(rows.first().top(), std::max(0, columnAt(0))));
}

void MetricsTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected)
{
    QTableView::selectionChanged(selected, deselected);
    if (!m_isFollowing)
        Q_EMIT headsSelected();
}

void MetricsTable::hideMetric(const QString& name, bool isHidden)
{
    if (isHidden)
        m_hidden.insert(name);
    else
        m_hidden.erase(name);
    updateColumns();
}

void MetricsTable::addColumnActions(QMenu& menu)
{
    for (const stats::Metric* metric : metricsInTableOrder()) {
        const QString name = nameOf(*metric);
        QAction* const action = menu.addAction(metricTitle(*metric));
        action->setCheckable(true);
        action->setChecked(!m_hidden.contains(name));
        connect(action, &QAction::toggled, this, [this, name](bool isShown) { hideMetric(name, !isShown); });
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Show all")), &QAction::triggered, this, [this] {
        m_hidden.clear();
        updateColumns();
    });
}

void MetricsTable::showHeaderMenu(const QPoint& position)
{
    QHeaderView* const header = horizontalHeader();
    const int column = header->logicalIndexAt(position);
    auto* const menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("metricsHeaderMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (column >= 0 && m_metrics->column(column).metric) {
        const stats::Metric& metric = *m_metrics->column(column).metric;
        const QString name = nameOf(metric);
        connect(menu->addAction(tr("Order grids by %1").arg(metricTitle(metric))), &QAction::triggered, this,
                [this, name] { Q_EMIT orderRequested(name); });
        connect(menu->addAction(tr("Hide %1").arg(metricTitle(metric))), &QAction::triggered, this,
                [this, name] { hideMetric(name, true); });
        menu->addSeparator();
    }
    addColumnActions(*menu);
    menu->popup(header->mapToGlobal(position));
}

void MetricsTable::open(int row)
{
    if (row >= 0 && row < m_order->rowCount())
        Q_EMIT openRequested(m_order->headAt(row));
}

void MetricsTable::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        open(currentIndex().row());
    else
        QTableView::keyPressEvent(event);
}

void MetricsTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitColumns();
}

}  // namespace hs::panels
