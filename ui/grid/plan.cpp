#include "grid/plan.h"

#include "grid/geometry.h"

#include <algorithm>

namespace hs::grid {
namespace {

using Kind = render::TileFlow::Kind;

constexpr double kWorthBreaking = 1.05;  // layers are not broken into a wrapped list for less
constexpr int kFewHeads = 200;           // whose tiles are large enough with layers kept together
constexpr double kWellUsedAlike = 0.7;   // share of the canvas, for grids of the same shape
constexpr double kWellUsed = 0.6;        // for others

/// One grid, measured once.
struct Measured {
    const control::GridChoice* choice = nullptr;
    render::HeadCounts heads;
    HeadShape largest;  // see GridLayout::numbers
    bool hasMlps = false;

    bool isList() const { return choice->form == control::GridChoice::Form::List; }
};

struct Placed {
    render::TileFlow flow;
    QSize pixels;  // that the grid needs, with its title
};

Measured measured(const GridNeed& need)
{
    Measured grid{&need.choice, render::HeadCounts::of(need.heads), {}};
    grid.hasMlps = need.hasMlps && !(grid.isList() && !need.choice.order.isEmpty());
    for (const HeadId head : need.heads) {
        grid.largest.layers = std::max(grid.largest.layers, head.layer + 1);
        grid.largest.heads = std::max(grid.largest.heads, head.head + 1);
    }
    return grid;
}

std::vector<Kind> kindsFor(const Measured& grid, bool mayWrap)
{
    if (grid.isList())
        return {Kind::Wrapped};
    switch (grid.choice->flow) {
    case control::GridChoice::Flow::LayersDown: return {Kind::LayersDown};
    case control::GridChoice::Flow::LayersAcross: return {Kind::LayersAcross};
    case control::GridChoice::Flow::Automatic: break;
    }
    return mayWrap ? std::vector{Kind::Wrapped} : std::vector{Kind::LayersDown, Kind::LayersAcross};
}

int along(QSize size, bool isStacked)
{
    return isStacked ? size.height() : size.width();
}

class Planner {
public:
    explicit Planner(const PlanNeeds& needs)
        : m_needs(needs), m_room((needs.room * needs.pixelRatio).toSize())
    {
        for (std::size_t side = 0; side < needs.grids.size(); ++side)
            if (const auto& need = needs.grids[side]; need && !need->heads.empty())
                m_grids[side] = measured(*need);
        if (hasEmptyGrid())
            m_room.setWidth(m_room.width() / 2);
    }

    /// The largest tiles with layers kept together, or as wrapped lists; none if nothing fits.
    std::optional<Plan> largest(bool mayWrap) const
    {
        std::optional<Plan> best;
        if (!m_grids[0] && !m_grids[1])
            return best;
        for (const bool isStacked : directions())
            for (const auto& kinds : pairsOfKinds(mayWrap)) {
                const std::optional<Plan> plan = largestOf(isStacked, kinds);
                if (plan && (!best || plan->side > best->side))
                    best = plan;
            }
        return best;
    }

    bool hasOneShape() const
    {
        return !m_grids[0] || !m_grids[1] || m_grids[0]->heads.numbers == m_grids[1]->heads.numbers;
    }

    /// Whether the user leaves open how layers are laid out.
    bool mayBreakLayers() const
    {
        return std::ranges::any_of(m_grids, [](const std::optional<Measured>& grid) {
            return grid && grid->heads.all > kFewHeads && !grid->isList() &&
                   grid->choice->flow == control::GridChoice::Flow::Automatic && grid->choice->blocks == 0;
        });
    }

private:
    std::vector<bool> directions() const
    {
        if (!m_grids[0] || !m_grids[1])
            return {false};
        switch (m_needs.arrangement) {
        case control::Arrangement::SideBySide: return {false};
        case control::Arrangement::Stacked: return {true};
        default: return {false, true};
        }
    }

    std::vector<std::array<Kind, 2>> pairsOfKinds(bool mayWrap) const
    {
        const std::vector<Kind> any = {Kind::LayersDown};
        const std::vector<Kind> left = m_grids[0] ? kindsFor(*m_grids[0], mayWrap) : any;
        const std::vector<Kind> right = m_grids[1] ? kindsFor(*m_grids[1], mayWrap) : any;
        std::vector<std::array<Kind, 2>> pairs;
        for (const Kind first : left)
            for (const Kind second : right)
                if (!m_needs.isAlike || left != right || first == second)
                    pairs.push_back({first, second});
        return pairs;
    }

    std::optional<Plan> largestOf(bool isStacked, const std::array<Kind, 2>& kinds) const
    {
        const auto fits = [&](int side) { return planOf(isStacked, kinds, side).has_value(); };
        const int side = largestSide(m_room, m_needs.pixelRatio, fits);
        return side > 0 ? planOf(isStacked, kinds, side) : std::nullopt;
    }

    /// With tiles of that many pixels; none if they do not fit.
    std::optional<Plan> planOf(bool isStacked, const std::array<Kind, 2>& kinds, int side) const
    {
        Plan plan;
        plan.isStacked = isStacked;
        plan.side = side / m_needs.pixelRatio;
        int used = 0;
        for (std::size_t index = 0; index < m_grids.size(); ++index) {
            if (!m_grids[index])
                continue;
            const std::optional<Placed> placed = leastOf(*m_grids[index], kinds[index], isStacked, plan.side);
            if (!placed)
                return std::nullopt;
            plan.flows[index] = placed->flow;
            plan.shares[index] = along(placed->pixels, isStacked);
            used +=
                (used > 0 ? static_cast<int>(m_needs.spacing * m_needs.pixelRatio) : 0) + plan.shares[index];
        }
        if (hasEmptyGrid())
            plan.shares = {1, 1};
        return used <= along(m_room, isStacked) ? std::optional(plan) : std::nullopt;
    }

    /// One grid waits for a model, and has half of the room until it has one.
    bool hasEmptyGrid() const
    {
        return m_needs.grids[0] && m_needs.grids[1] && m_grids[0].has_value() != m_grids[1].has_value();
    }

    /// The flow of that kind that takes least room in the direction the grids share, and no more than there is
    /// in the other.
    std::optional<Placed> leastOf(const Measured& grid, Kind kind, bool isStacked, double viewSide) const
    {
        const int pinned = grid.isList() ? grid.choice->columns : grid.choice->blocks;
        const int most = kind == Kind::Wrapped ? grid.heads.all : grid.heads.numbers.layers;
        const QSizeF headings =
            headingRoom({kind, 1, grid.hasMlps}, grid.largest, m_needs.headingSize, viewSide);
        const int title = static_cast<int>(m_needs.titleHeight * m_needs.pixelRatio);
        std::optional<Placed> least;
        for (int count = pinned > 0 ? pinned : 1; count <= (pinned > 0 ? pinned : most); ++count) {
            const render::TileFlow flow{kind, count, grid.hasMlps};
            const auto shape = render::GridShape::of(flow, grid.heads);
            const QSize pixels =
                PixelGrid(shape, headings, viewSide, m_needs.pixelRatio).extent() + QSize(0, title);
            if (along(pixels, !isStacked) <= along(m_room, !isStacked) &&
                (!least || along(pixels, isStacked) < along(least->pixels, isStacked)))
                least = Placed{flow, pixels};
        }
        return least;
    }

    const PlanNeeds& m_needs;
    QSize m_room;                                    // in device pixels
    std::array<std::optional<Measured>, 2> m_grids;  // [Side]
};

}  // namespace

double tileShare(const PlanNeeds& needs, const Plan& plan)
{
    double tiles = 0;
    for (const auto& need : needs.grids)
        tiles += need ? static_cast<double>(need->heads.size()) : 0;
    const double titles = (plan.isStacked ? 2 : 1) * needs.titleHeight;
    const double canvas = needs.room.width() * (needs.room.height() - titles);
    return canvas > 0 ? tiles * plan.side * plan.side / canvas : 0;
}

Plan planGrids(const PlanNeeds& needs)
{
    const Planner planner(needs);
    Plan nothingFits;
    nothingFits.isStacked = needs.arrangement == control::Arrangement::Stacked;
    const Plan whole = planner.largest(false).value_or(nothingFits);
    const double wanted = planner.hasOneShape() ? kWellUsedAlike : kWellUsed;
    if (!planner.mayBreakLayers() || tileShare(needs, whole) >= wanted)
        return whole;
    const std::optional<Plan> broken = planner.largest(true);
    return broken && broken->side > kWorthBreaking * whole.side ? *broken : whole;
}

double largestPossibleSide(const PlanNeeds& needs)
{
    PlanNeeds bare = needs;
    bare.headingSize = 0;
    bare.arrangement = control::Arrangement::Automatic;
    for (auto& need : bare.grids)
        if (need)
            need->choice = {};
    const Planner planner(bare);
    return std::max(planner.largest(false).value_or(Plan{}).side,
                    planner.largest(true).value_or(Plan{}).side);
}

}  // namespace hs::grid
