#include "panels/inspector/inspector_maps.h"

#include "panels/inspector/inspector_text.h"

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr std::size_t kDifferencesKept = 2;  // one per side

engine::MapKind kindOf(MapView view)
{
    switch (view) {
    case MapView::Scores: return engine::MapKind::Scores;
    case MapView::Gate: return engine::MapKind::Gate;
    case MapView::ValueWeighted: return engine::MapKind::ValueWeighted;
    case MapView::Weights:
    case MapView::BetweenSides:
    case MapView::AfterAblation: break;
    }
    return engine::MapKind::Weights;
}

/// A copy that does not keep the layer alive.
HeadMap copyOf(const HeadMap& map)
{
    const std::shared_ptr<float[]> cells(new float[map.pattern.mapSize()]);
    std::copy_n(map.cells.get(), map.pattern.mapSize(), cells.get());
    return {cells, map.pattern, map.hidesFirstToken};
}

}  // namespace

void InspectorMaps::update()
{
    std::array<std::optional<HeadId>, 2> heads;
    if (const auto current = m_explorer.currentHead())
        for (const Side side : kSides)
            heads[indexOf(side)] = m_explorer.counterpart(m_explorer.activeSide(), *current, side);
    const std::array runs = {m_explorer.state(Side::Left).run, m_explorer.state(Side::Right).run};
    std::erase_if(m_maps, [&](const auto& entry) {
        const std::size_t side = indexOf(entry.first.side);
        return runs[side] != m_runs[side] || heads[side] != m_heads[side];
    });
    for (const Side side : kSides)
        if (const auto& run = runs[indexOf(side)]; run != m_runs[indexOf(side)])
            m_labels[indexOf(side)] = run ? axisLabels(*run) : AxisLabels();
    m_heads = heads;
    m_runs = runs;
}

std::shared_ptr<const control::SideRun> InspectorMaps::run(Side side) const
{
    const auto& run = m_runs[indexOf(side)];
    return run && head(side) && run->after.heads.contains(*head(side)) ? run : nullptr;
}

HeadMap InspectorMaps::fetch(Side side, engine::MapKind kind, bool isBefore)
{
    const auto shown = run(side);
    if (!shown)
        return {};
    const service::MapQuery query{side, head(side)->layer, kind, isBefore};
    auto found = m_maps.find(query);
    if (found == m_maps.end()) {
        const engine::LayerMap layer = m_explorer.map(query);
        if (!layer)
            return {};
        found =
            m_maps.emplace(query, copyOf(headOfLayer(layer, head(side)->head, shown->after.pattern()))).first;
    }
    HeadMap map = found->second;
    map.hidesFirstToken = m_explorer.document().look.hidesFirstToken;
    return map;
}

HeadMap InspectorMaps::subtracted(const HeadMap& after, const HeadMap& before,
                                  const render::TokenPlaces* places)
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
    return m_differences
        .emplace_back(
            Difference{after, before, difference(places ? atPlaces(after, *places) : after, before)})
        .result;
}

HeadMap InspectorMaps::map(Side side, MapView view)
{
    switch (view) {
    case MapView::BetweenSides:
        if (!m_explorer.canSubtractCells())
            return {};
        return subtracted(fetch(Side::Right, engine::MapKind::Weights),
                          fetch(Side::Left, engine::MapKind::Weights),
                          m_explorer.placesOfOther(Side::Left).get());
    case MapView::AfterAblation:
        return subtracted(fetch(side, engine::MapKind::Weights), fetch(side, engine::MapKind::Weights, true),
                          nullptr);
    default: return fetch(side, kindOf(view));
    }
}

CellValues InspectorMaps::values(Side side, MapView view, MapCell cell)
{
    return {fetch(side, engine::MapKind::Weights).at(cell), fetch(side, engine::MapKind::Scores).at(cell),
            fetch(side, engine::MapKind::Gate).at(cell), map(side, view).at(cell)};
}

double InspectorMaps::together(Side side, text::TokenSpan queries, text::TokenSpan keys)
{
    const HeadMap weights = fetch(side, engine::MapKind::Weights);
    double sum = 0;
    for (int query = queries.first; query <= queries.last; ++query)
        for (int key = keys.first; key <= keys.last; ++key)
            if (const double weight = weights.at({query, key}); !std::isnan(weight))
                sum += weight / (queries.last - queries.first + 1);
    return sum;
}

MapCell InspectorMaps::strongest(Side side, text::TokenSpan queries, text::TokenSpan keys)
{
    const HeadMap weights = fetch(side, engine::MapKind::Weights);
    MapCell found{queries.last, keys.last};
    for (int query = queries.first; query <= queries.last; ++query)
        for (int key = keys.first; key <= keys.last; ++key)
            if (!(weights.at({query, key}) <= weights.at(found)) && !std::isnan(weights.at({query, key})))
                found = {query, key};
    return found;
}

}  // namespace hs::panels
