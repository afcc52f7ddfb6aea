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
    const bool isShared = m_isLinked && control::isShown(arrangement, Side::Left) &&
                          control::isShown(arrangement, Side::Right) &&
                          !grid(Side::Left).canvas().content().isEmpty() &&
                          !grid(Side::Right).canvas().content().isEmpty();
    const double least =
        std::min(grid(Side::Left).canvas().fittingSide(), grid(Side::Right).canvas().fittingSide());
    for (HeadGrid* each : m_grids)
        each->canvas().setFitLimit(isShared ? least : 0);
}

void HeadGrids::followZoom(Side side)
{
    m_fullMapTimer.start();
    if (m_isFollowing)
        return;
    m_isFollowing = true;
    if (m_isLinked)
        grid(otherSide(side)).canvas().setZoom(zoomFor(otherSide(side), side));
    m_isFollowing = false;
    Q_EMIT zoomChanged();
}

/// One grid's zoom for another: the same place, or as far across and down if their shapes differ.
control::GridZoom HeadGrids::zoomFor(Side side, Side from) const
{
    control::GridZoom zoom = m_grids[indexOf(from)]->canvas().zoom();
    const render::GridShape& own = m_grids[indexOf(side)]->canvas().places().shape();
    const render::GridShape& other = m_grids[indexOf(from)]->canvas().places().shape();
    if (own != other && other.columns > 0 && other.rows > 0)
        zoom.centre = {zoom.centre.x() * own.columns / other.columns,
                       zoom.centre.y() * own.rows / other.rows};
    return zoom;
}

HeadGrid& HeadGrids::activeGrid()
{
    HeadGrid& active = grid(m_explorer.activeSide());
    return active.isHidden() ? grid(otherSide(m_explorer.activeSide())) : active;
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
    for (const Side side : kSides)
        grid(side).canvas().setZoom(zoom[indexOf(side)]);
    if (m_isLinked)
        grid(Side::Right).canvas().setZoom(zoomFor(Side::Right, Side::Left));
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
    for (const Side side : kSides)
        if (const auto there = m_explorer.counterpart(m_explorer.activeSide(), head, side))
            grid(side).canvas().reveal(*there);
}

}  // namespace hs::grid
