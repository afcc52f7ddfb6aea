#include "grid/head_grid.h"
#include "grid/head_grids.h"

#include <QUndoStack>

namespace hs::grid {

void HeadGrids::clicked(Side side, HeadId head)
{
    m_explorer.toggleAblation(side, {head});
    m_stepOfClick = m_explorer.history().index();
}

void HeadGrids::doubleClicked(Side side, HeadId head)
{
    // The first click of the two ablated or restored the head, which was not intended.
    if (m_stepOfClick > 0 && m_explorer.history().index() == m_stepOfClick)
        m_explorer.history().undo();
    m_stepOfClick = -1;
    open(side, head);
}

void HeadGrids::open(Side side, HeadId head)
{
    m_explorer.setCurrent(side, head);
    Q_EMIT openRequested(head);
}

void HeadGrids::select(const std::set<HeadId>& heads, bool isAdding)
{
    std::set<HeadId> selected = heads;
    if (isAdding)
        selected.merge(m_explorer.selection(m_explorer.activeSide()));
    m_explorer.select(std::move(selected));
}

void HeadGrids::toggleSelected(HeadId head)
{
    std::set<HeadId> selected = m_explorer.selection(m_explorer.activeSide());
    if (!selected.insert(head).second)
        selected.erase(head);
    m_explorer.select(std::move(selected));
}

void HeadGrids::pin()
{
    const control::Hover hover = m_explorer.hover();
    if (hover.key && hover.query)
        m_explorer.edit(tr("Pin key and query"), [&](control::Document& document) {
            document.key = m_explorer.asPin(hover.side, control::Axis::Key, hover.key);
            document.query = m_explorer.asPin(hover.side, control::Axis::Query, hover.query);
        });
}

void HeadGrids::release()
{
    m_explorer.edit(tr("Release tokens"), [](control::Document& document) {
        document.key.reset();
        document.query.reset();
    });
    m_explorer.select({});
}

void HeadGrids::askForMenu(Side side, QPoint global, const std::optional<HeadId>& head)
{
    if (head) {
        m_explorer.setCurrent(side, head);
        if (!m_explorer.selection(side).contains(*head))
            m_explorer.select({*head});
    }
    Q_EMIT contextMenuWanted(global);
}

void HeadGrids::flip(Side side, bool isFlipped)
{
    // The grid under the pointer flips, wherever the keyboard focus is.
    const Side other = otherSide(side);
    const Side turned = isFlipped && grid(other).canvas().underMouse() ? other : side;
    if (isFlipped)
        m_isFlipped[indexOf(turned)] = true;
    else
        m_isFlipped = {};
    showSides();
    showMarks();
}

}  // namespace hs::grid
