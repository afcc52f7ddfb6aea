#include "control/explorer/likeness_orders.h"

#include "control/work/late_work.h"
#include "render/tile_likeness.h"

namespace hs::control {

LikenessOrders::LikenessOrders(QObject* parent) : QObject(parent), m_work(new LateWork(this)) {}

const std::vector<HeadId>& LikenessOrders::of(Side side, const std::shared_ptr<const SideRun>& run,
                                              bool withoutFirst)
{
    Order& last = m_made[indexOf(side)];
    Order& asked = m_asked[indexOf(side)];
    if (!run || !run->tiles || last.isFor(run, withoutFirst) || asked.isFor(run, withoutFirst))
        return last.heads;
    asked = {run, withoutFirst, {}};
    m_work->ask(
        [this, side, run, withoutFirst]() -> LateWork::Take {
            return [this, side,
                    order = Order{run, withoutFirst, render::headsByLikeness(*run->tiles, withoutFirst)}] {
                m_made[indexOf(side)] = order;
                Q_EMIT made(side);
            };
        },
        static_cast<int>(indexOf(side)));
    return last.heads;
}

}  // namespace hs::control
