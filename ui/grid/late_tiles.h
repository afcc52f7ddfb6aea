#pragma once

#include "render/tile_pyramid.h"

#include <QObject>

#include <functional>
#include <list>
#include <map>
#include <memory>

namespace hs::control {
class LateWork;
}

namespace hs::grid {

/// Pyramids that take too long for the UI thread: made on another one, and kept within a budget as long as
/// what they are made of. For the UI thread.
class LateTiles : public QObject {
    Q_OBJECT

public:
    using Tiles = std::shared_ptr<const render::TilePyramid>;

    /// What a pyramid is made of.
    struct Order {
        std::weak_ptr<const void> first;
        std::weak_ptr<const void> second;
        int part = 0;

        bool isGone() const { return first.expired() || second.expired(); }
        friend bool operator==(const Order& a, const Order& b);
    };
    struct Found {
        Tiles tiles;            // null until made, and where it cannot be
        bool isComing = false;  // `made` follows
        QString problem;        // what went wrong while it was made
    };

    /// Keys of what a grid shows, one each: the difference of the sides, that of a side's ablation, a map.
    static constexpr int kSidesKey = 0;
    static constexpr int kAblationKeys = 1;
    static constexpr int kMapKeys = 3;

    explicit LateTiles(QObject* parent);

    /// `make` runs on another thread unless the pyramid is there. What waits under the same key is not
    /// made any more.
    Found get(int key, const Order& order, const std::function<Tiles()>& make);

Q_SIGNALS:
    void made();

private:
    struct Kept {
        Order order;
        Found found;
    };

    void keep(int key, const Order& order, Found found);
    void trim();

    control::LateWork* m_work;
    std::map<int, Order> m_asked;  // by key, until made
    std::list<Kept> m_kept;        // used last first
};

}  // namespace hs::grid
