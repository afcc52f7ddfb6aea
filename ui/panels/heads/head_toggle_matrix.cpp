#include "panels/heads/head_toggle_matrix.h"

#include "panels/heads/head_toggle_delegate.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>

namespace hs::panels {

HeadToggleMatrix::HeadToggleMatrix(control::Explorer& explorer, QWidget* parent)
    : QTableView(parent), m_explorer(explorer), m_model(new HeadToggleModel(explorer, this))
{
    setObjectName(QStringLiteral("headToggles"));
    setAccessibleName(tr("Heads that run"));
    setAccessibleDescription(tr("Space toggles a head, Shift-Space its layer, Ctrl-Space its column."));
    setModel(m_model);
    setItemDelegate(new HeadToggleDelegate(this));
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (QHeaderView* const header : {horizontalHeader(), verticalHeader()}) {
        header->setSectionResizeMode(QHeaderView::Fixed);
        header->setMinimumSectionSize(16);
        header->setHighlightSections(false);
        header->setSectionsClickable(true);
    }
    fitSections();
    connect(verticalHeader(), &QHeaderView::sectionClicked, m_model, &HeadToggleModel::toggleLayer);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, m_model, &HeadToggleModel::toggleColumn);
    connect(&m_explorer, &control::Explorer::documentChanged, m_model, &HeadToggleModel::refresh);
    connect(&m_explorer, &control::Explorer::selectionChanged, m_model, &HeadToggleModel::refresh);
    connect(&m_explorer, &control::Explorer::stateChanged, m_model, &HeadToggleModel::refresh);
    connect(&m_explorer, &control::Explorer::currentChanged, this, &HeadToggleMatrix::showCurrent);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        updateGeometry();
        showCurrent();
    });
    m_model->setSide(m_explorer.activeSide());
    showCurrent();
}

void HeadToggleMatrix::fitSections()
{
    const int cell =
        std::max(fontMetrics().height(), fontMetrics().horizontalAdvance(QStringLiteral("00"))) + 8;
    horizontalHeader()->setDefaultSectionSize(cell);
    verticalHeader()->setDefaultSectionSize(cell);
}

void HeadToggleMatrix::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitSections();
}

QSize HeadToggleMatrix::sizeHint() const
{
    const int cell = horizontalHeader()->defaultSectionSize();
    const QSize cells(std::min(m_model->columnCount(), 16) * cell, std::min(m_model->rowCount(), 16) * cell);
    return cells + QSize(verticalHeader()->sizeHint().width(), horizontalHeader()->sizeHint().height()) +
           2 * QSize(frameWidth(), frameWidth());
}

void HeadToggleMatrix::showCurrent()
{
    m_isShowing = true;
    m_model->setSide(m_explorer.activeSide());
    if (const auto head = m_explorer.currentHead(); head && m_model->shape().contains(*head)) {
        const QModelIndex index = m_model->index(head->layer, head->head);
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        if (!hasFocus())
            scrollTo(index);
    }
    m_isShowing = false;
}

void HeadToggleMatrix::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (!m_isShowing && current.isValid())
        m_explorer.setCurrent(m_model->side(), m_model->headAt(current));
}

void HeadToggleMatrix::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton ? indexAt(event->position().toPoint()) : QModelIndex();
    if (m_pressed.isValid())
        setCurrentIndex(m_pressed);
}

void HeadToggleMatrix::mouseMoveEvent(QMouseEvent*) {}

void HeadToggleMatrix::mouseReleaseEvent(QMouseEvent* event)
{
    const QModelIndex pressed = m_pressed;
    m_pressed = QModelIndex();
    if (!pressed.isValid() || pressed != indexAt(event->position().toPoint()))
        return;
    const HeadId head = m_model->headAt(pressed);
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        m_model->toggle(head);
        return;
    }
    std::set<HeadId> selection = m_explorer.selection(m_model->side());
    if (selection.erase(head) == 0)
        selection.insert(head);
    m_explorer.select(std::move(selection));
}

void HeadToggleMatrix::keyPressEvent(QKeyEvent* event)
{
    const QModelIndex index = currentIndex();
    if (event->key() != Qt::Key_Space || !index.isValid()) {
        QTableView::keyPressEvent(event);
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier))
        m_model->toggleLayer(index.row());
    else if (event->modifiers().testFlag(Qt::ControlModifier))
        m_model->toggleColumn(index.column());
    else
        m_model->toggle(m_model->headAt(index));
}

}  // namespace hs::panels
