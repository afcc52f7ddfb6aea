#include "composer/drawn_heads.h"

namespace hs::composer {
namespace {

/// Panels are in the order of the sides that are shown and have a model.
std::size_t panelOf(const control::MadeFigure& figure, Side side)
{
    return side == Side::Right && figure.runs.front() ? 1 : 0;
}

template <class Panels, class Heads>
std::optional<std::vector<HeadId>> headsOf(const Panels& panels, std::size_t index, Heads heads)
{
    return index < panels.size() ? std::optional(heads(panels[index])) : std::nullopt;
}

}  // namespace

std::optional<std::vector<HeadId>> drawnHeads(const std::shared_ptr<const control::MadeFigure>& figure,
                                              Side side)
{
    if (!figure || !figure->runs[indexOf(side)])
        return std::nullopt;
    const std::size_t panel = panelOf(*figure, side);
    if (const auto* const grids = std::get_if<figures::GridFigure>(&figure->content))
        return headsOf(grids->panels, panel, [](const figures::TilePanel& tiles) { return tiles.heads; });
    if (const auto* const cells = std::get_if<figures::KeyQueryFigure>(&figure->content))
        return headsOf(cells->sides, panel,
                       [](const figures::KeyQuerySide& tiles) { return tiles.all.heads; });
    if (const auto* const scatter = std::get_if<figures::ScatterFigure>(&figure->content))
        return headsOf(scatter->panels, panel,
                       [](const figures::ScatterPanel& plots) { return plots.heads; });
    return std::nullopt;
}

}  // namespace hs::composer
