#include "render/tile_likeness.h"

#include "stats/likeness.h"

#include <cmath>

namespace hs::render {
namespace {

constexpr int kComparedSide = 16;  // cells: enough to tell patterns apart, few enough to compare all pairs

}  // namespace

std::vector<HeadId> headsByLikeness(const TilePyramid& tiles, bool withoutFirst)
{
    const int level = tiles.levelFor(kComparedSide);
    const auto columns = static_cast<std::size_t>(tiles.columns(level));
    const auto count = static_cast<std::size_t>(tiles.rows(level)) * columns;
    const std::vector<HeadId> all = tiles.heads().all();
    const bool isSigned = tiles.meaning() == TilePyramid::Meaning::Signed;
    std::vector<float> items;  // [head, row * column]
    for (const HeadId head : all) {
        const std::uint8_t* const cells = tiles.tile(head, level);
        const std::uint8_t* const column = tiles.columnWithoutFirst(head, level);
        for (std::size_t cell = 0; cell < count; ++cell) {
            const int byte = withoutFirst && cell % columns == 0 ? column[cell / columns] : cells[cell];
            // The root weighs faint cells as the eye does on the usual scale.
            items.push_back(isSigned ? static_cast<float>(byte - 128) : std::sqrt(static_cast<float>(byte)));
        }
    }
    std::vector<HeadId> heads;
    for (const int index : stats::likenessOrder(items, static_cast<int>(all.size()), static_cast<int>(count)))
        heads.push_back(all[static_cast<std::size_t>(index)]);
    return heads;
}

}  // namespace hs::render
