#include "grid/plan.h"

#include "grid/geometry.h"
#include "support/catch.h"

using namespace hs;

namespace {

using Kind = render::TileFlow::Kind;

grid::GridNeed needOf(int layers, int heads)
{
    grid::GridNeed need;
    for (int layer = 0; layer < layers; ++layer)
        for (int head = 0; head < heads; ++head)
            need.heads.push_back({layer, head});
    return need;
}

grid::PlanNeeds pairOf(const grid::GridNeed& left, const grid::GridNeed& right, QSizeF room)
{
    grid::PlanNeeds needs;
    needs.grids = {left, right};
    needs.room = room;
    needs.titleHeight = 18;
    needs.spacing = 12;
    needs.headingSize = 9;
    return needs;
}

// The first four are what windows of 1280 × 720 up to 3840 × 2160 leave.
const QSizeF kRooms[] = {{1264, 580}, {1424, 758}, {1904, 938}, {3824, 2018}, {600, 900}, {300, 200}};
const std::pair<int, int> kShapes[] = {{8, 8},   {12, 12}, {18, 4},  {24, 14},
                                       {28, 12}, {30, 9},  {32, 32}, {48, 25}};

}  // namespace

TEST_CASE("a plan's grids fit into their room at its tile side")
{
    for (const QSizeF room : kRooms)
        for (const auto& [layers, heads] : kShapes)
            for (const double ratio : {1.0, 1.5, 2.0}) {
                grid::PlanNeeds needs = pairOf(needOf(layers, heads), needOf(30, 9), room);
                for (auto& need : needs.grids)
                    need->hasMlps = true;
                needs.pixelRatio = ratio;
                const grid::Plan plan = grid::planGrids(needs);
                CAPTURE(layers, heads, room.width(), ratio, plan.side);
                double used = needs.spacing;
                for (std::size_t side = 0; side < 2; ++side) {
                    const render::GridLayout places(needs.grids[side]->heads, plan.flows[side]);
                    const double share = plan.shares[side] / ratio;
                    used += share;
                    const QSizeF canvas = plan.isStacked ? QSizeF(room.width(), share - needs.titleHeight)
                                                         : QSizeF(share, room.height() - needs.titleHeight);
                    REQUIRE(grid::fittingSide(places, {canvas, ratio, 0, needs.headingSize}) >= plan.side);
                }
                REQUIRE(used <= (plan.isStacked ? room.height() : room.width()) + 1);
            }
}

TEST_CASE("grids of one shape use seven tenths of a wide canvas, or have the largest tiles there are")
{
    for (std::size_t room = 0; room < 4; ++room)
        for (const auto& [layers, heads] : kShapes) {
            const grid::GridNeed need = needOf(layers, heads);
            const grid::PlanNeeds needs = pairOf(need, need, kRooms[room]);
            const grid::Plan plan = grid::planGrids(needs);
            CAPTURE(layers, heads, kRooms[room].width(), plan.side, grid::largestPossibleSide(needs));
            CHECK((grid::tileShare(needs, plan) >= 0.7 ||
                   plan.side >= 0.95 * grid::largestPossibleSide(needs)));
            CHECK(plan.flows[0] == plan.flows[1]);
        }
}

TEST_CASE("grids of two shapes use six tenths of a wide canvas, or have the largest tiles there are")
{
    for (std::size_t room = 0; room < 4; ++room)
        for (const auto& [layers, heads] : kShapes) {
            const grid::PlanNeeds needs = pairOf(needOf(layers, heads), needOf(30, 9), kRooms[room]);
            const grid::Plan plan = grid::planGrids(needs);
            CAPTURE(layers, heads, kRooms[room].width(), plan.side, grid::largestPossibleSide(needs));
            CHECK((grid::tileShare(needs, plan) >= 0.6 ||
                   plan.side >= 0.95 * grid::largestPossibleSide(needs)));
            CHECK(plan.flows[0].kind == plan.flows[1].kind);
        }
}

TEST_CASE("slim tiles of MLPs cost little room, whatever the layout")
{
    for (const QSizeF room : {kRooms[0], kRooms[1], kRooms[2], kRooms[3]})
        for (const auto& [layers, heads] : kShapes) {
            grid::GridNeed need = needOf(layers, heads);
            const grid::Plan without = grid::planGrids(pairOf(need, need, room));
            need.hasMlps = true;
            const grid::Plan with = grid::planGrids(pairOf(need, need, room));
            CAPTURE(layers, heads, room.width(), with.side, without.side);
            CHECK(with.flows[0].hasMlps);
            CHECK(with.side >= 0.85 * without.side);
        }
}

TEST_CASE("a list that is ranked has no slim tiles")
{
    grid::GridNeed need = needOf(30, 9);
    need.hasMlps = true;
    need.choice.form = control::GridChoice::Form::List;
    CHECK(grid::planGrids(pairOf(need, need, {1256, 520})).flows[0].hasMlps);
    need.choice.order = control::kByKind;
    CHECK_FALSE(grid::planGrids(pairOf(need, need, {1256, 520})).flows[0].hasMlps);
}

TEST_CASE("what the user pins is kept")
{
    grid::GridNeed need = needOf(30, 9);
    need.choice.flow = control::GridChoice::Flow::LayersAcross;
    need.choice.blocks = 3;
    grid::PlanNeeds needs = pairOf(need, need, {1256, 520});
    needs.arrangement = control::Arrangement::Stacked;
    const grid::Plan plan = grid::planGrids(needs);
    CHECK(plan.isStacked);
    CHECK(plan.flows[0] == render::TileFlow{Kind::LayersAcross, 3});
    need.choice = {};
    need.choice.form = control::GridChoice::Form::List;
    need.choice.columns = 22;
    CHECK(grid::planGrids(pairOf(need, need, {1256, 520})).flows[1] == render::TileFlow{Kind::Wrapped, 22});
}

TEST_CASE("layers of a small model stay together, whatever the room")
{
    for (const QSizeF room : kRooms)
        for (const auto& [layers, heads] : {std::pair{8, 8}, {12, 12}, {18, 4}, {4, 6}}) {
            const grid::Plan plan =
                grid::planGrids(pairOf(needOf(layers, heads), needOf(layers, heads), room));
            CHECK(plan.flows[0].kind != Kind::Wrapped);
        }
}

TEST_CASE("a grid alone has all the room")
{
    grid::PlanNeeds needs = pairOf(needOf(30, 9), {}, {1256, 520});
    needs.grids[1].reset();
    const grid::Plan alone = grid::planGrids(needs);
    const grid::Plan pair = grid::planGrids(pairOf(needOf(30, 9), needOf(30, 9), {1256, 520}));
    CHECK(alone.side > 1.2 * pair.side);
}

TEST_CASE("no room and no heads are planned for without harm")
{
    CHECK(grid::planGrids(pairOf(needOf(48, 25), needOf(8, 8), {5, 5})) == grid::Plan{});
    CHECK(grid::planGrids(pairOf({}, {}, {800, 600})) == grid::Plan{});
    CHECK(grid::planGrids({}) == grid::Plan{});
}
