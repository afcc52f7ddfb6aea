#pragma once

#include "control/work/side_run.h"
#include "control/work/worker.h"

#include <QObject>

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace hs::control {

/// What the models of both sides write on: asked of the worker thread and told step by step. The runs of the steps are
/// kept, as far as there is room, so that looking at a step takes no run. For the UI thread only.
class GenerationRuns : public QObject {
    Q_OBJECT

public:
    /// What each side writes on behind; none: it does not. [Side]
    using Requests = std::array<std::optional<service::SideRequest>, 2>;
    using Tokens = std::vector<std::int64_t>;

    /// Uses the worker's slots from `firstSlot` on, kSlots of them.
    GenerationRuns(Worker& worker, int firstSlot) : m_worker(worker), m_firstSlot(firstSlot) {}
    static constexpr int kSlots = 2;

    /// Drops what was written before.
    void start(const Requests& requests, const service::GenerationSetup& setup);
    /// Ends it with what there is.
    void stop();
    /// Drops what is under way on a side that has another request now, and the runs of texts that neither has.
    void follow(const Requests& requests);

    bool isRunning() const;
    /// What a side has written in the latest generation; empty if it had no part in it.
    const Tokens& written(Side side) const { return m_sides[indexOf(side)].tokens; }
    /// The run of one of the steps; null if it is not kept.
    std::shared_ptr<const SideRun> find(const service::SideRequest& request) const;

Q_SIGNALS:
    void changed();   // a token more, or nothing is under way any more
    void finished();  // all sides have ended, or were stopped
    void failed(const hs::Error& error);

private:
    struct Writing {
        std::optional<service::SideRequest> request;
        bool isRunning = false;
        Tokens tokens;
        std::deque<std::shared_ptr<const SideRun>> steps;  // the latest
        std::uint64_t bytes = 0;                           // of the steps
    };
    /// A step, or at the end none.
    struct News {
        Tokens tokens;
        std::shared_ptr<const SideRun> step;
    };

    int slotOf(Side side) const { return m_firstSlot + static_cast<int>(indexOf(side)); }
    void post(Side side, const service::GenerationSetup& setup);
    void told(Side side, const News& news);
    void ended(Side side, const Result<News>& result);
    void drop(Side side);

    Worker& m_worker;
    int m_firstSlot;
    std::array<Writing, 2> m_sides;  // [Side]
};

}  // namespace hs::control
