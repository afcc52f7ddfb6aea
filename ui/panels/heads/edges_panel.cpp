#include "panels/heads/edges_panel.h"

#include "panels/heads/edge_table.h"
#include "panels/widgets/flow_layout.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/share_bar_table.h"
#include "panels/widgets/shown_tokens.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QSortFilterProxyModel>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr int kSteps = 100;  // of the threshold
constexpr int kNoPosition = -1;
constexpr int kSliderWidth = 120;
constexpr int kGroupGap = 16;

/// A field with its name before it and its meaning after it.
QWidget* newGroup(const QString& name, QWidget* field, QLabel* meaning)
{
    auto* const group = new QWidget;
    auto* const label = new QLabel(name);
    label->setBuddy(field);
    auto* const row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(field);
    row->addWidget(meaning);
    group->setMinimumHeight(QSpinBox().sizeHint().height());  // so that neighbours are aligned
    return group;
}

QSortFilterProxyModel* newSorted(QObject* parent, QAbstractItemModel* source)
{
    auto* const sorted = new QSortFilterProxyModel(parent);
    sorted->setSourceModel(source);
    sorted->setSortRole(EdgeTable::kSortRole);
    return sorted;
}

}  // namespace

EdgesPanel::EdgesPanel(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_model(new EdgeTable(this)), m_sorted(newSorted(this, m_model)),
      m_heading(newHeading(this, QStringLiteral("edgesHeading"))),
      m_count(newQuietLabel(this, QStringLiteral("edgesCount"))),
      m_table(new ShareBarTable(m_sorted, QStringLiteral("0.000"), this)),
      m_empty(newQuietLabel(this, QStringLiteral("edgesEmpty"))),
      m_selectAll(new QPushButton(tr("&Select all of these"), this))
{
    setObjectName(QStringLiteral("edgesPanel"));
    compose();
    connectParts();
    refresh();
}

EdgesPanel::~EdgesPanel()
{
    // A box that is destroyed loses the focus first, and would commit a half-typed value.
    m_key->disconnect(this);
    m_query->disconnect(this);
}

QSpinBox* EdgesPanel::newPosition(const QString& name, const QString& accessibleName,
                                  std::optional<int> control::Document::* field)
{
    auto* const box = new QSpinBox(this);
    box->setObjectName(name);
    box->setAccessibleName(accessibleName);
    box->setKeyboardTracking(false);
    box->setSpecialValueText(QStringLiteral("–"));
    box->setRange(kNoPosition, kNoPosition);
    connect(box, &QSpinBox::valueChanged, this, [this, field, name](int value) {
        if (m_isShowing)
            return;
        m_explorer.edit(
            tr("Pin token"),
            [&](control::Document& document) {
                document.*field = value == kNoPosition ? std::nullopt : std::optional(value);
            },
            QStringLiteral("spin-") + name);
    });
    return box;
}

QLabel* EdgesPanel::newToken(const QString& name)
{
    QLabel* const token = newQuietLabel(this, name);
    token->setWordWrap(false);
    return token;
}

QWidget* EdgesPanel::newSetup()
{
    m_key = newPosition(QStringLiteral("edgeKey"), tr("Key position"), &control::Document::key);
    m_query = newPosition(QStringLiteral("edgeQuery"), tr("Query position"), &control::Document::query);
    m_keyToken = newToken(QStringLiteral("edgeKeyToken"));
    m_queryToken = newToken(QStringLiteral("edgeQueryToken"));
    m_threshold = new QSlider(Qt::Horizontal, this);
    m_threshold->setObjectName(QStringLiteral("edgeThreshold"));
    m_threshold->setAccessibleName(tr("Least weight"));
    m_threshold->setRange(0, kSteps);
    m_threshold->setPageStep(kSteps / 10);
    m_threshold->setFixedWidth(kSliderWidth);
    m_thresholdValue = new QLabel(this);
    m_thresholdValue->setObjectName(QStringLiteral("edgeThresholdValue"));
    m_thresholdValue->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.00")));
    auto* const setup = new QWidget(this);
    auto* const flow = new FlowLayout(kGroupGap, setup);
    flow->addWidget(newGroup(tr("&Key"), m_key, m_keyToken));
    flow->addWidget(newGroup(tr("&Query"), m_query, m_queryToken));
    flow->addWidget(newGroup(tr("&Weight at least"), m_threshold, m_thresholdValue));
    return setup;
}

void EdgesPanel::compose()
{
    m_table->setObjectName(QStringLiteral("edgeTable"));
    m_table->setAccessibleName(tr("Heads with this cell"));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    // Until a column is chosen: the larger of both weights first, as in the model.
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    m_table->setSortingEnabled(true);
    m_sorted->sort(-1);
    m_selectAll->setObjectName(QStringLiteral("edgeSelectAll"));
    m_selectAll->setAccessibleName(tr("Select all heads of the list"));
    m_selectAll->setAutoDefault(false);
    m_empty->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(m_heading);
    column->addWidget(newSetup());
    column->addWidget(m_empty, 1);
    column->addWidget(m_table, 1);
    auto* const foot = new QHBoxLayout;
    foot->setSpacing(8);
    foot->addWidget(m_count, 1);
    foot->addWidget(m_selectAll);
    column->addLayout(foot);
}

void EdgesPanel::connectParts()
{
    connect(m_threshold, &QSlider::valueChanged, this, [this](int value) {
        if (!m_isShowing)
            m_explorer.edit(
                tr("Change edge threshold"),
                [value](control::Document& document) {
                    document.edgeThreshold = static_cast<double>(value) / kSteps;
                },
                QStringLiteral("edge-threshold"));
    });
    connect(m_selectAll, &QPushButton::clicked, this, [this] {
        std::set<HeadId> heads;
        for (const EdgeRow& row : m_model->rows())
            heads.insert(row.head);
        m_explorer.select(std::move(heads));
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &EdgesPanel::takeSelection);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &EdgesPanel::refresh);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &EdgesPanel::refresh);
    connect(&m_explorer, &control::Explorer::cellWeightsReady, this, &EdgesPanel::showRows);
    connect(&m_explorer, &control::Explorer::selectionChanged, this, &EdgesPanel::showSelection);
}

void EdgesPanel::refresh()
{
    showPins();
    showRows();
}

void EdgesPanel::showPins()
{
    m_isShowing = true;
    const control::Document& document = m_explorer.document();
    const auto show = [&](QSpinBox& box, QLabel& token, control::Axis axis, std::optional<int> position) {
        const int last = tokenCount(m_explorer, axis) - 1;
        box.setRange(kNoPosition, std::max(last, position.value_or(kNoPosition)));
        box.setValue(position.value_or(kNoPosition));
        const QString label = tokenLabelAt(m_explorer, axis, position.value_or(kNoPosition));
        token.setText(label.isEmpty() ? QString() : tr("“%1”").arg(label));
    };
    show(*m_key, *m_keyToken, control::Axis::Key, document.key);
    show(*m_query, *m_queryToken, control::Axis::Query, document.query);
    m_threshold->setValue(static_cast<int>(std::lround(document.edgeThreshold * kSteps)));
    m_thresholdValue->setText(formatNumber(document.edgeThreshold, 2));
    const control::CellSpan pinned = m_explorer.pinned(m_explorer.tokenSide());
    const auto words = [](text::TokenSpan span, const QString& one, const QString& several) {
        return span.first == span.last ? one.arg(span.first) : several.arg(span.first).arg(span.last);
    };
    m_heading->setText(pinned.key && pinned.query
                           ? tr("All heads mapping %1 to %2")
                                 .arg(words(*pinned.key, tr("key %1"), tr("keys %1–%2 together")),
                                      words(*pinned.query, tr("query %1"), tr("queries %1–%2 on average")))
                           : tr("All heads mapping a key to a query"));
    m_isShowing = false;
}

QString EdgesPanel::emptyText() const
{
    const control::Document& document = m_explorer.document();
    if (!document.key || !document.query)
        return tr("Pin a key and a query: click two tokens above, or hover a cell and press P.");
    const auto run = tokenRun(m_explorer);
    const stats::PatternShape pattern = run ? run->after.pattern() : stats::PatternShape();
    if (pattern.isCausal && *document.key > *document.query)
        return tr("A query sees only tokens up to itself: choose a key at or before the query.");
    if (run && *document.query >= pattern.queries)
        return tr("The prompt has no token %1 any more: pin another query.").arg(*document.query);
    if (!m_weights[0] && !m_weights[1])
        return m_explorer.state(Side::Left).model || m_explorer.state(Side::Right).model
                   ? tr("Reading the cell in every head…")
                   : tr("Open a model to see its heads.");
    return m_model->rowCount() > 0 ? QString()
                                   : tr("No head gives this cell a weight of %1: lower the threshold.")
                                         .arg(formatNumber(document.edgeThreshold, 2));
}

QString EdgesPanel::countText() const
{
    QStringList parts;
    for (const Side side : kSides) {
        const auto& weights = m_weights[indexOf(side)];
        if (!weights)
            continue;
        const auto least = static_cast<float>(m_explorer.document().edgeThreshold);
        const auto count = std::count_if(weights->begin(), weights->end(),
                                         [least](float weight) { return weight > 0 && weight >= least; });
        parts << tr("%1: %2 of %3 heads")
                     .arg(sideTitle(m_explorer, side))
                     .arg(count)
                     .arg(m_shapes[indexOf(side)].all().size());
    }
    return parts.join(QChar(QChar::Nbsp) + QStringLiteral("· "));  // no line starts with the dot
}

void EdgesPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showRows();
}

/// Weights are requested only while the panel is visible.
void EdgesPanel::showRows()
{
    if (!isVisible())
        return;
    const control::Document& document = m_explorer.document();
    const auto run = tokenRun(m_explorer);
    const bool isCell = document.key && document.query && run &&
                        run->after.pattern().contains(*document.query, *document.key);
    bool isWaiting = false;
    for (const Side side : kSides) {
        const control::SideState& state = m_explorer.state(side);
        auto weights = isCell && state.run ? m_explorer.cellWeights(side) : nullptr;
        isWaiting = isWaiting || (isCell && state.run && !weights);
        auto& shown = m_weights[indexOf(side)];
        // Until the answer arrives, the old one stays, dimmed.
        if (weights || !isCell || !state.run)
            shown = std::move(weights);
        if (state.model && shown && static_cast<int>(shown->size()) != state.model->heads.total())
            shown = nullptr;
        m_shapes[indexOf(side)] = state.model ? state.model->heads : HeadShape();
    }
    m_isShowing = true;
    m_model->show(edgeRows(m_weights, m_shapes, document.edgeThreshold),
                  {sideTitle(m_explorer, Side::Left), sideTitle(m_explorer, Side::Right)});
    m_isShowing = false;
    for (const Side side : kSides)
        m_table->setColumnHidden(1 + static_cast<int>(indexOf(side)), !m_weights[indexOf(side)]);
    const QString empty = emptyText();
    showText(*m_empty, empty);
    showText(*m_count, isCell ? countText() : QString());
    m_table->setVisible(empty.isEmpty());
    m_table->setDimmed(isWaiting);
    m_selectAll->setVisible(empty.isEmpty());
    m_table->fit();
    showSelection();
}

void EdgesPanel::showSelection()
{
    QItemSelection selected;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_explorer.selection().contains(m_model->rows()[static_cast<std::size_t>(row)].head)) {
            const QModelIndex index = m_sorted->mapFromSource(m_model->index(row, 0));
            selected.select(index, index.siblingAtColumn(2));
        }
    m_isShowing = true;
    m_table->selectionModel()->select(selected, QItemSelectionModel::ClearAndSelect);
    m_isShowing = false;
}

void EdgesPanel::takeSelection()
{
    if (m_isShowing)
        return;
    std::set<HeadId> heads;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        heads.insert(m_model->rows()[static_cast<std::size_t>(m_sorted->mapToSource(index).row())].head);
    m_explorer.select(std::move(heads));
}

}  // namespace hs::panels
