#pragma once

#include "render/tile_pyramid.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <list>
#include <memory>

namespace hs {

/// Makes pyramids that take too long for the UI thread on a thread of its own, and keeps the ones
/// used last. Lives on the UI thread; waits for the one being made when it is destroyed.
class TileWorkshop : public QObject {
    Q_OBJECT

public:
    using Tiles = std::shared_ptr<const TilePyramid>;

    /// What a pyramid is made of. Holds its sources, so that no other one can have their address.
    struct Order {
        std::shared_ptr<const void> first;
        std::shared_ptr<const void> second;
        int part = 0;

        friend bool operator==(const Order&, const Order&) = default;
    };

    explicit TileWorkshop(QObject* parent = nullptr);
    ~TileWorkshop() override;

    /// Null until it is made, and where it cannot be; then `made` follows. `make` runs on another
    /// thread.
    Tiles get(const Order& order, std::function<Tiles()> make);
    bool isMaking(const Order& order) const;

Q_SIGNALS:
    void made();

private:
    struct Entry {
        Order order;
        Tiles tiles;
        bool isMade = false;
    };

    void store(const Order& order, Tiles tiles);
    void trim();

    std::list<Entry> m_entries;  // used last first
    QThreadPool m_pool;
};

}  // namespace hs
