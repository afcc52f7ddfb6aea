#pragma once

#include "control/explorer/side_runs.h"

#include <QObject>

#include <set>
#include <string>

namespace hs::control {

/// Holds a GPU against the processor after the first run of each model on it, in the background and with a few tokens
/// of its text, and says where the two differ by more than rounding. For the UI thread only.
class DeviceChecks : public QObject {
    Q_OBJECT

public:
    /// Uses the worker's slots from `firstSlot` on, kSlots of them.
    DeviceChecks(Worker& worker, int firstSlot) : m_worker(worker), m_firstSlot(firstSlot) {}
    static constexpr int kSlots = 2;

    /// Checks the model of what a side shows, unless that was done or is under way.
    void follow(Side side, const SideState& state);
    /// Stops what is under way; it is not done again.
    void cancel();

Q_SIGNALS:
    /// A warning, and what else is known of it.
    void differs(const QString& warning, const QString& detail);

private:
    Worker& m_worker;
    int m_firstSlot;
    std::set<std::string> m_checked;  // by model, device and precision
};

}  // namespace hs::control
