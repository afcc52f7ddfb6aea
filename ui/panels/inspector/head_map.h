#pragma once

#include "engine/run/engine.h"
#include "render/matched_tiles.h"

#include <optional>

namespace hs::panels {

/// A cell of a map: row and column, both counted from 0.
struct MapCell {
    int query = 0;
    int key = 0;

    friend bool operator==(const MapCell&, const MapCell&) = default;
};

/// What the inspector draws for a head.
enum class MapView {
    Weights,
    Scores,
    Gate,
    ValueWeighted,
    BetweenSides,   // weights, right - left
    AfterAblation,  // weights, after - before
};

/// Whether values have a sign, with 0 in the middle of the colours.
constexpr bool isDifference(MapView view)
{
    return view == MapView::BetweenSides || view == MapView::AfterAblation;
}

struct ValueRange {
    double low = 0;
    double high = 0;

    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// One head's numbers, shared with the layer they came from. A cell without a number (a key after its query,
/// a score of -inf, the first key if it is hidden) is ground.
struct HeadMap {
    engine::LayerMap cells;  // [query, key]; null: none
    stats::PatternShape pattern;
    bool hidesFirstToken = false;

    /// NaN for ground and outside the map.
    double at(MapCell cell) const;
    /// Over all cells that are not ground; none if there are none.
    std::optional<ValueRange> range() const;

    friend bool operator==(const HeadMap&, const HeadMap&) = default;
};

/// A head's part of its layer's maps. [head, query, key]
HeadMap headOfLayer(const engine::LayerMap& layer, int head, const stats::PatternShape& pattern);

/// A map as if it were of another text: each cell is the largest of those that stand for it, ground if there are none.
HeadMap atPlaces(const HeadMap& map, const render::TokenPlaces& places);

/// after - before, cell by cell; both have the same numbers of queries and keys.
HeadMap difference(const HeadMap& after, const HeadMap& before);

}  // namespace hs::panels
