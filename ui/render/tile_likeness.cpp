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
    const auto side = static_cast<std::size_t>(tiles.levelSide(level));
    const bool isSigned = tiles.meaning() == TilePyramid::Meaning::Signed;
    std::vector<float> items;  // [head, row * column]
    for (int index = 0; index < tiles.heads().total(); ++index) {
        const HeadId head = tiles.heads().at(index);
        const std::uint8_t* const cells = tiles.tile(head, level);
        const std::uint8_t* const column = tiles.columnWithoutFirst(head, level);
        for (std::size_t cell = 0; cell < side * side; ++cell) {
            const int byte = withoutFirst && cell % side == 0 ? column[cell / side] : cells[cell];
            // The root weighs faint cells as the eye does on the usual scale.
            items.push_back(isSigned ? static_cast<float>(byte - 128) : std::sqrt(static_cast<float>(byte)));
        }
    }
    std::vector<HeadId> heads;
    for (const int index : stats::likenessOrder(items, tiles.heads().total(), static_cast<int>(side * side)))
        heads.push_back(tiles.heads().at(index));
    return heads;
}

}  // namespace hs::render
