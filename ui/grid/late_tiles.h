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

/// Pyramids that take too long for the UI thread: made on another one and kept, within a budget, as long
/// as what they are made from. For the UI thread.
class LateTiles : public QObject {
    Q_OBJECT

public:
    using Tiles = std::shared_ptr<const render::TilePyramid>;

    /// What a pyramid is made from.
    struct Order {
        std::weak_ptr<const void> first;
        std::weak_ptr<const void> second;
        int part = 0;

        bool isGone() const { return first.expired() || second.expired(); }
        friend bool operator==(const Order& a, const Order& b);
    };
    struct Found {
        Tiles tiles;            // null until made, and if it cannot be made
        bool isComing = false;  // `made` follows
        QString problem;        // what went wrong while making it
    };

    /// Keys of what a grid shows, one each: the difference between sides, that within a side, a map.
    static constexpr int kSidesKey = 0;
    static constexpr int kSideKeys = 1;
    static constexpr int kMapKeys = 3;

    explicit LateTiles(QObject* parent);

    /// `make` runs on another thread unless the pyramid is already kept. An earlier request still waiting
    /// under the same key is dropped.
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
    std::list<Kept> m_kept;        // most recently used first
};

}  // namespace hs::grid
