#include "grid/full_maps.h"

#include <set>

namespace hs::grid {
namespace {

constexpr std::size_t kMostLayers = 4;  // asked for at once: a layer's maps are large

int keyOf(Side side, HeadId head, const HeadShape& shape)
{
    return LateTiles::kMapKeys + 2 * shape.indexOf(head) + static_cast<int>(indexOf(side));
}

}  // namespace

std::map<HeadId, std::shared_ptr<const render::TilePyramid>>
fullMapsFor(control::Explorer& explorer, Side side, const Canvas& canvas, LateTiles& lateTiles)
{
    std::map<HeadId, std::shared_ptr<const render::TilePyramid>> maps;
    const Content& content = canvas.content();
    const auto& run = explorer.state(side).run;
    const auto kind = control::mapKindOf(explorer.document().tiles);
    if (content.isEmpty() || !run || explorer.state(side).isStale || !kind ||
        content.tiles != explorer.tiles(side, *kind))
        return maps;
    const Geometry geometry = canvas.geometryNow();
    if (!content.wantsFullMaps(geometry.tileSide()))
        return maps;

    std::set<int> layers;
    const QRect seen = geometry.visiblePlaces();
    for (int row = seen.top(); row <= seen.bottom(); ++row)
        for (int column = seen.left(); column <= seen.right(); ++column) {
            const int index = canvas.places().tileAtPlace({column, row});
            if (index == render::GridLayout::kNoTile)
                continue;
            const HeadId head = content.heads[static_cast<std::size_t>(index)];
            if (!run->after.heads.contains(head) ||
                (layers.size() >= kMostLayers && !layers.contains(head.layer)))
                continue;
            layers.insert(head.layer);
            const engine::LayerMap map = explorer.map({side, head.layer, *kind, false});
            if (!map)
                continue;
            const auto make = [map, head, all = content.tiles] {
                return render::TilePyramid::ofMap(map.get() + static_cast<std::size_t>(head.head) *
                                                                  all->pattern().mapSize(),
                                                  all->pattern(), all->meaning(), all->full());
            };
            const auto found =
                lateTiles.get(keyOf(side, head, run->after.heads), {map, map, head.head}, make);
            if (found.tiles)
                maps.emplace(head, found.tiles);
        }
    return maps;
}

}  // namespace hs::grid
