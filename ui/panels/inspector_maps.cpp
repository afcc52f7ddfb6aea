#include "panels/inspector_maps.h"

#include "panels/inspector_text.h"

#include <algorithm>

namespace hs {
namespace {

constexpr std::size_t kDifferencesKept = 2;  // one a side

MapKind kindOf(MapView view)
{
    switch (view) {
    case MapView::Scores: return MapKind::Scores;
    case MapView::Gate: return MapKind::Gate;
    case MapView::ValueWeighted: return MapKind::ValueWeighted;
    case MapView::Weights:
    case MapView::BetweenSides:
    case MapView::AfterAblation: break;
    }
    return MapKind::Weights;
}

/// A copy that does not hold on to the layer.
HeadMap copyOf(const HeadMap& map)
{
    const auto count = static_cast<std::size_t>(map.tokens) * static_cast<std::size_t>(map.tokens);
    const std::shared_ptr<float[]> cells(new float[count]);
    std::copy_n(map.cells.get(), count, cells.get());
    return {cells, map.tokens, map.hidesFirstToken};
}

}  // namespace

void InspectorMaps::setHead(std::optional<HeadId> head)
{
    const std::array runs = {m_explorer.state(Side::Left).run, m_explorer.state(Side::Right).run};
    if (head != m_head)
        m_maps.clear();
    std::erase_if(m_maps, [&](const auto& entry) {
        return runs[indexOf(entry.first.side)] != m_runs[indexOf(entry.first.side)];
    });
    for (const Side side : kSides)
        if (const auto& run = runs[indexOf(side)]; run != m_runs[indexOf(side)])
            m_labels[indexOf(side)] = run ? axisLabels(*run) : QStringList();
    m_head = head;
    m_runs = runs;
}

std::shared_ptr<const SideRun> InspectorMaps::run(Side side) const
{
    const auto& run = m_runs[indexOf(side)];
    return run && m_head && run->after.heads.contains(*m_head) ? run : nullptr;
}

HeadMap InspectorMaps::fetch(Side side, MapKind kind, bool isBefore)
{
    const auto shown = run(side);
    if (!shown)
        return {};
    const MapQuery query{side, m_head->layer, kind, isBefore};
    auto found = m_maps.find(query);
    if (found == m_maps.end()) {
        const LayerMap layer = m_explorer.map(query);
        if (!layer)
            return {};
        const int tokens = static_cast<int>(shown->tokens.size());
        found = m_maps.emplace(query, copyOf(headOfLayer(layer, m_head->head, tokens))).first;
    }
    HeadMap map = found->second;
    map.hidesFirstToken = m_explorer.document().look.hidesFirstToken;
    return map;
}

HeadMap InspectorMaps::subtracted(const HeadMap& after, const HeadMap& before)
{
    if (!after.cells || !before.cells)
        return {};
    const auto found =
        std::find_if(m_differences.begin(), m_differences.end(), [&](const Difference& difference) {
            return difference.after == after && difference.before == before;
        });
    if (found != m_differences.end())
        return found->result;
    if (m_differences.size() >= kDifferencesKept)
        m_differences.erase(m_differences.begin());
    return m_differences.emplace_back(Difference{after, before, difference(after, before)}).result;
}

HeadMap InspectorMaps::map(Side side, MapView view)
{
    switch (view) {
    case MapView::BetweenSides:
        if (!m_explorer.hasSameTokens())
            return {};
        return subtracted(fetch(Side::Right, MapKind::Weights), fetch(Side::Left, MapKind::Weights));
    case MapView::AfterAblation:
        return subtracted(fetch(side, MapKind::Weights), fetch(side, MapKind::Weights, true));
    default: return fetch(side, kindOf(view));
    }
}

CellValues InspectorMaps::values(Side side, MapView view, MapCell cell)
{
    return {fetch(side, MapKind::Weights).at(cell), fetch(side, MapKind::Scores).at(cell),
            fetch(side, MapKind::Gate).at(cell), map(side, view).at(cell)};
}

}  // namespace hs
