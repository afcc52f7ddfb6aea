#include "grid/accessible.h"

#include "grid/accessible_mlp.h"
#include "grid/canvas.h"

namespace hs::grid {
namespace {

/// One tile. Asks its table for everything, so it never shows outdated state.
class TileAccessible : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    TileAccessible(AccessibleCanvas* grid, int row, int column) : m_grid(grid), m_row(row), m_column(column)
    {
    }

    bool isValid() const override
    {
        return m_grid->isValid() && m_row < m_grid->rowCount() && m_column < m_grid->columnCount();
    }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return m_grid; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QRect rect() const override { return m_grid->cellRect(m_row, m_column); }
    void setText(QAccessible::Text, const QString&) override {}
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name ? m_grid->cellText(m_row, m_column) : QString();
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.focusable = true;
        state.selectable = true;
        state.selected = isSelected();
        state.focused = m_grid->isCellFocused(m_row, m_column);
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this)
                                                       : nullptr;
    }

    bool isSelected() const override { return m_grid->isCellSelected(m_row, m_column); }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_column; }
    int rowIndex() const override { return m_row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return m_grid; }

private:
    AccessibleCanvas* m_grid;  // owns this
    int m_row;
    int m_column;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* canvas = qobject_cast<Canvas*>(object);
    return canvas ? new AccessibleCanvas(canvas) : nullptr;
}

std::optional<HeadId> headIn(const Canvas& canvas, int row, int column)
{
    const int index = canvas.places().tileAtPlace({column, row});
    if (index == render::GridLayout::kNoTile)
        return std::nullopt;
    return canvas.content().heads[static_cast<std::size_t>(index)];
}

}  // namespace

AccessibleCanvas::AccessibleCanvas(Canvas* canvas) : QAccessibleWidget(canvas, QAccessible::Table) {}

AccessibleCanvas::~AccessibleCanvas()
{
    for (const auto* const ids : {&m_cells, &m_mlps})
        for (const auto& [place, id] : *ids)
            QAccessible::deleteAccessibleInterface(id);
}

Canvas* AccessibleCanvas::canvas() const
{
    return static_cast<Canvas*>(widget());
}

QString AccessibleCanvas::cellText(int row, int column) const
{
    const auto head = headIn(*canvas(), row, column);
    return head ? canvas()->describe(*head) : QString();
}

bool AccessibleCanvas::isCellSelected(int row, int column) const
{
    const auto head = headIn(*canvas(), row, column);
    return head && canvas()->marks().selected.contains(*head);
}

bool AccessibleCanvas::isCellFocused(int row, int column) const
{
    const auto head = headIn(*canvas(), row, column);
    return head && canvas()->hasFocus() && canvas()->marks().current == head;
}

QRect AccessibleCanvas::cellRect(int row, int column) const
{
    const auto head = headIn(*canvas(), row, column);
    return head ? unitRect(*head) : QRect();
}

QRect AccessibleCanvas::unitRect(HeadId unit) const
{
    const QRect tile = canvas()->tileRect(unit).toAlignedRect();
    return {canvas()->mapToGlobal(tile.topLeft()), tile.size()};
}

std::optional<HeadId> AccessibleCanvas::mlpAt(int index) const
{
    const auto& mlps = canvas()->places().mlps();
    if (canvas()->content().isEmpty() || index < 0 || index >= static_cast<int>(mlps.size()))
        return std::nullopt;
    return canvas()->content().mlpBehind(mlps[static_cast<std::size_t>(index)]);
}

void* AccessibleCanvas::interface_cast(QAccessible::InterfaceType type)
{
    if (type == QAccessible::TableInterface)
        return static_cast<QAccessibleTableInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
}

int AccessibleCanvas::rowCount() const
{
    return canvas()->content().isEmpty() ? 0 : canvas()->places().rows();
}

int AccessibleCanvas::columnCount() const
{
    return canvas()->content().isEmpty() ? 0 : canvas()->places().columns();
}

int AccessibleCanvas::childCount() const
{
    return canvas()->content().isEmpty() ? 0
                                         : cellCount() + static_cast<int>(canvas()->places().mlps().size());
}

QAccessibleInterface* AccessibleCanvas::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    return index < cellCount() ? cellAt(index / columnCount(), index % columnCount())
                               : mlpChild(index - cellCount());
}

QAccessibleInterface* AccessibleCanvas::mlpChild(int index) const
{
    QAccessible::Id& id = m_mlps[index];
    if (id == 0)
        id = QAccessible::registerAccessibleInterface(
            new MlpAccessible(const_cast<AccessibleCanvas*>(this), index));
    return QAccessible::accessibleInterface(id);
}

int AccessibleCanvas::indexOfChild(const QAccessibleInterface* child) const
{
    if (const auto* mlp = dynamic_cast<const MlpAccessible*>(child); mlp && mlp->parent() == this)
        return cellCount() + mlp->index();
    const auto* cell = dynamic_cast<const TileAccessible*>(child);
    return cell && cell->parent() == this ? cell->rowIndex() * columnCount() + cell->columnIndex() : -1;
}

QAccessibleInterface* AccessibleCanvas::cellAt(int row, int column) const
{
    if (row < 0 || row >= rowCount() || column < 0 || column >= columnCount())
        return nullptr;
    // Numbered with a fixed width: the number of columns changes with the layout, and cells know their own.
    constexpr int kWidest = 1 << 15;
    QAccessible::Id& id = m_cells[row * kWidest + column];
    if (id == 0)
        id = QAccessible::registerAccessibleInterface(
            new TileAccessible(const_cast<AccessibleCanvas*>(this), row, column));
    return QAccessible::accessibleInterface(id);
}

QAccessibleInterface* AccessibleCanvas::childAt(int x, int y) const
{
    const QPointF view = canvas()->mapFromGlobal(QPointF(x, y));
    const Geometry geometry = canvas()->geometryNow();
    if (const auto place = geometry.placeAt(geometry.viewToPixel(view)))
        return cellAt(place->y(), place->x());
    const auto mlp = canvas()->headAt(view);
    for (int index = 0; mlp && index < childCount() - cellCount(); ++index)
        if (mlpAt(index) == mlp)
            return mlpChild(index);
    return nullptr;
}

QAccessibleInterface* AccessibleCanvas::focusChild() const
{
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column)
            if (isCellFocused(row, column))
                return cellAt(row, column);
    return nullptr;
}

int AccessibleCanvas::selectedCellCount() const
{
    return static_cast<int>(selectedCells().size());
}

QList<QAccessibleInterface*> AccessibleCanvas::selectedCells() const
{
    QList<QAccessibleInterface*> cells;
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column)
            if (isCellSelected(row, column))
                cells << cellAt(row, column);
    return cells;
}

QString AccessibleCanvas::columnDescription(int column) const
{
    const auto head = headIn(*canvas(), 0, column);
    const bool isOfOneHead = canvas()->content().flow.kind == render::TileFlow::Kind::LayersDown;
    return head && isOfOneHead ? Canvas::tr("head %1").arg(head->head) : QString();
}

QString AccessibleCanvas::rowDescription(int row) const
{
    const auto head = headIn(*canvas(), row, 0);
    const bool isOfOneLayer = canvas()->content().flow.kind == render::TileFlow::Kind::LayersDown &&
                              canvas()->content().flow.count == 1;
    return head && isOfOneLayer ? Canvas::tr("layer %1").arg(head->layer) : QString();
}

void installGridAccessibility()
{
    // Qt installs each factory only once.
    QAccessible::installFactory(makeInterface);
}

}  // namespace hs::grid
