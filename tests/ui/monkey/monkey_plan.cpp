#include "ui/monkey/monkey_plan.h"

#include <array>
#include <cstdio>
#include <numeric>

namespace hs::test {
namespace {

using Kind = MonkeyAction::Kind;

struct KindShare {
    Kind kind;
    const char* name;
    unsigned weight;
};

constexpr std::array kShares = {
    KindShare{Kind::Move, "Move", 12},       KindShare{Kind::Click, "Click", 10},
    KindShare{Kind::RightClick, "Right", 3}, KindShare{Kind::DoubleClick, "Double", 3},
    KindShare{Kind::Drag, "Drag", 6},        KindShare{Kind::Wheel, "Wheel", 6},
    KindShare{Kind::Press, "Press", 14},     KindShare{Kind::Tile, "Tile", 10},
    KindShare{Kind::Key, "Key", 10},         KindShare{Kind::Shortcut, "Shortcut", 4},
    KindShare{Kind::Trigger, "Trigger", 6},  KindShare{Kind::Type, "Type", 4},
    KindShare{Kind::Undo, "Undo", 5},        KindShare{Kind::Redo, "Redo", 3},
    KindShare{Kind::Cancel, "Cancel", 2},    KindShare{Kind::Resize, "Resize", 4},
    KindShare{Kind::Dock, "Dock", 3},        KindShare{Kind::Composer, "Composer", 1},
    KindShare{Kind::Model, "Model", 2},      KindShare{Kind::Save, "Save", 1},
    KindShare{Kind::Open, "Open", 1},        KindShare{Kind::Export, "Export", 1},
    KindShare{Kind::Layout, "Layout", 6},
};

const KindShare& shareAt(unsigned draw)
{
    constexpr unsigned total =
        std::accumulate(kShares.begin(), kShares.end(), 0u,
                        [](unsigned sum, const KindShare& share) { return sum + share.weight; });
    unsigned left = draw % total;
    for (const KindShare& share : kShares) {
        if (left < share.weight)
            return share;
        left -= share.weight;
    }
    return kShares.front();
}

}  // namespace

std::string describe(const MonkeyAction& action)
{
    const char* name = "";
    for (const KindShare& share : kShares)
        if (share.kind == action.kind)
            name = share.name;
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "%s %.2f,%.2f to %.2f,%.2f which %u variant %u%s", name, action.x,
                  action.y, action.toX, action.toY, action.which, action.variant,
                  action.isHasty ? ", in haste" : "");
    return text.data();
}

double MonkeyPlan::share()
{
    return static_cast<double>(m_random()) / 4294967296.0;
}

MonkeyAction MonkeyPlan::next()
{
    static constexpr unsigned kOneInHaste = 5;
    MonkeyAction action;
    action.kind = shareAt(static_cast<unsigned>(m_random())).kind;
    action.x = share();
    action.y = share();
    action.toX = share();
    action.toY = share();
    action.which = static_cast<unsigned>(m_random() % 100'000);
    action.variant = static_cast<unsigned>(m_random() % 100);
    action.isHasty = m_random() % kOneInHaste == 0;
    return action;
}

}  // namespace hs::test
