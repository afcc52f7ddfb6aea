// What pointing at cells does, and clicking and cutting them.

#include "panels/inspector/head_plot.h"
#include "panels/inspector/inspector_panel.h"

namespace hs::panels {

void InspectorPanel::hoverCell(Side side, MapCell cell)
{
    const Side shown = m_view == MapView::BetweenSides ? m_explorer.activeSide() : side;
    m_explorer.setHover({shown, m_maps.head(shown), cell.query, cell.key});
}

void InspectorPanel::pin(Side side, MapCell cell)
{
    m_keyBeforePin = m_explorer.document().key;
    m_queryBeforePin = m_explorer.document().query;
    m_explorer.edit(
        tr("Pin cell"),
        [&](control::Document& document) {
            document.key = m_explorer.asPin(side, control::Axis::Key, cell.key);
            document.query = m_explorer.asPin(side, control::Axis::Query, cell.query);
        },
        QStringLiteral("inspector-pin-%1").arg(++m_pins));
}

void InspectorPanel::takeBackPin()
{
    m_explorer.edit(
        tr("Pin cell"),
        [this](control::Document& document) {
            document.key = m_keyBeforePin;
            document.query = m_queryBeforePin;
        },
        QStringLiteral("inspector-pin-%1").arg(m_pins));
}

void InspectorPanel::cut(Side side, const CellBlock& block)
{
    const Side shown = m_view == MapView::BetweenSides ? m_explorer.activeSide() : side;
    if (const auto head = m_maps.head(shown))
        m_explorer.toggleCells(shown, *head, block);
    updateMarks();
}

void InspectorPanel::release()
{
    m_explorer.setHover({});
    m_explorer.edit(tr("Release cell"), [](control::Document& document) {
        document.key.reset();
        document.query.reset();
    });
}

}  // namespace hs::panels
