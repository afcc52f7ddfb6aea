#pragma once

#include "control/work/side_run.h"

#include <QObject>

#include <array>
#include <memory>
#include <vector>

namespace hs::control {

class LateWork;

/// The heads of each side's run, like beside like: made on a thread of its own when somebody asks, and kept
/// until another order is. For the UI thread only.
class LikenessOrders : public QObject {
    Q_OBJECT

public:
    explicit LikenessOrders(QObject* parent);

    /// Until the order is made, the side's last one, or none; then `made` follows.
    const std::vector<HeadId>& of(Side side, const std::shared_ptr<const SideRun>& run, bool withoutFirst);

Q_SIGNALS:
    void made(Side side);

private:
    /// What an order is made from, and the order.
    struct Order {
        std::weak_ptr<const SideRun> run;
        bool withoutFirst = false;
        std::vector<HeadId> heads;

        bool isFor(const std::shared_ptr<const SideRun>& other, bool isWithoutFirst) const
        {
            return run.lock() == other && withoutFirst == isWithoutFirst;
        }
    };

    LateWork* m_work;
    std::array<Order, 2> m_asked;  // [Side]
    std::array<Order, 2> m_made;   // [Side]
};

}  // namespace hs::control
