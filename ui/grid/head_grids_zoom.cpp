#include "control/document/shown_heads.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"

#include <algorithm>

namespace hs::grid {
namespace {

constexpr double kZoomStep = 1.5;

}  // namespace

void HeadGrids::shareFit()
{
    const control::Arrangement arrangement = m_explorer.document().arrangement;
    const bool isShared = m_isLinked && control::isShown(arrangement, control::Side::Left) &&
                          control::isShown(arrangement, control::Side::Right) &&
                          !grid(control::Side::Left).canvas().content().isEmpty() &&
                          !grid(control::Side::Right).canvas().content().isEmpty();
    const double least = std::min(grid(control::Side::Left).canvas().fittingSide(),
                                  grid(control::Side::Right).canvas().fittingSide());
    for (HeadGrid* each : m_grids)
        each->canvas().setFitLimit(isShared ? least : 0);
}

void HeadGrids::followZoom(control::Side side)
{
    m_fullMapTimer.start();
    if (m_isFollowing)
        return;
    m_isFollowing = true;
    if (m_isLinked)
        grid(control::otherSide(side)).canvas().setZoom(zoomFor(control::otherSide(side), side));
    m_isFollowing = false;
    Q_EMIT zoomChanged();
}

/// One grid's zoom for another: the same place, or as far across and down if their shapes differ.
control::GridZoom HeadGrids::zoomFor(control::Side side, control::Side from) const
{
    control::GridZoom zoom = m_grids[control::indexOf(from)]->canvas().zoom();
    const render::GridShape& own = m_grids[control::indexOf(side)]->canvas().places().shape();
    const render::GridShape& other = m_grids[control::indexOf(from)]->canvas().places().shape();
    if (own != other && other.columns > 0 && other.rows > 0)
        zoom.centre = {zoom.centre.x() * own.columns / other.columns,
                       zoom.centre.y() * own.rows / other.rows};
    return zoom;
}

HeadGrid& HeadGrids::activeGrid()
{
    HeadGrid& active = grid(m_explorer.activeSide());
    return active.isHidden() ? grid(control::otherSide(m_explorer.activeSide())) : active;
}

void HeadGrids::zoomIn()
{
    activeGrid().canvas().zoomBy(kZoomStep);
}

void HeadGrids::zoomOut()
{
    activeGrid().canvas().zoomBy(1 / kZoomStep);
}

void HeadGrids::fit()
{
    activeGrid().canvas().fit();
}

void HeadGrids::actualSize()
{
    activeGrid().canvas().actualSize();
}

std::array<control::GridZoom, 2> HeadGrids::zoom() const
{
    return {m_grids[0]->canvas().zoom(), m_grids[1]->canvas().zoom()};
}

void HeadGrids::setZoom(const std::array<control::GridZoom, 2>& zoom)
{
    m_isFollowing = true;
    for (const control::Side side : control::kSides)
        grid(side).canvas().setZoom(zoom[control::indexOf(side)]);
    if (m_isLinked)
        grid(control::Side::Right).canvas().setZoom(zoomFor(control::Side::Right, control::Side::Left));
    m_isFollowing = false;
    Q_EMIT zoomChanged();
}

void HeadGrids::setLinked(bool isLinked)
{
    if (isLinked == m_isLinked)
        return;
    m_isLinked = isLinked;
    showSides();
    if (isLinked)
        followZoom(m_explorer.activeSide());
    Q_EMIT linkedChanged(isLinked);
}

void HeadGrids::reveal(HeadId head)
{
    for (const control::Side side : control::kSides)
        if (const auto there = m_explorer.counterpart(m_explorer.activeSide(), head, side))
            grid(side).canvas().reveal(*there);
}

}  // namespace hs::grid
