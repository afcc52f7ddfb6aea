#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace hs::test {

/// One thing a user might do, in numbers that make sense in every state of the window: where in it, and which
/// of the available items. So a plan is the same whatever the window does.
struct MonkeyAction {
    enum class Kind {
        Move,
        Click,
        RightClick,
        DoubleClick,
        Drag,
        Wheel,
        Press,     // a visible button, field or table
        Tile,      // a click on a head
        Key,       // one that does something somewhere
        Shortcut,  // of a menu entry
        Trigger,   // a menu entry
        Type,      // into the prompt or whatever has the keyboard
        Undo,
        Redo,
        Cancel,
        Resize,
        Layout,    // an entry of the menus of grids, layouts and orders
        Dock,      // shows, hides or floats one
        Composer,  // opens or closes it
        Model,     // a folder dropped on a grid
        Save,
        Open,  // what was saved
        Export,
    };

    Kind kind = Kind::Move;
    double x = 0;  // of the window's width
    double y = 0;  // of its height
    double toX = 0;
    double toY = 0;
    unsigned which = 0;    // of the available items, modulo their number
    unsigned variant = 0;  // of how it is done
    bool isHasty = false;  // the next one follows before the window has come to rest
};

/// "Drag 0.25,0.50 to 0.75,0.10 which 7 variant 2".
std::string describe(const MonkeyAction& action);

/// An endless sequence of actions, determined by the seed alone.
class MonkeyPlan {
public:
    explicit MonkeyPlan(unsigned seed) : m_random(seed) {}

    MonkeyAction next();

private:
    double share();  // of 1

    std::mt19937 m_random;
};

}  // namespace hs::test
