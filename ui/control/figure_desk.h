#pragma once

#include "control/figure_maker.h"
#include "control/worker.h"

#include <functional>

namespace hs {

/// The figure of the document as it was last made. It is made again, on the worker thread, whenever
/// what it is made from changes while somebody watches; another form needs no new one. What is there
/// stays until its replacement comes. For the UI thread only.
class FigureDesk : public QObject {
    Q_OBJECT

public:
    /// What the document asks for; none while that cannot be known yet.
    using Wanted = std::function<std::optional<FigureRequest>()>;
    using Made = std::shared_ptr<const MadeFigure>;

    /// Uses the worker's slots `firstSlot` and the one after it.
    FigureDesk(Worker& worker, int firstSlot, Wanted wanted);

    void setWatched(bool isWatched);
    /// Asks for what is wanted unless it was asked for.
    void synchronise();
    /// Makes it again, for instance after it was stopped.
    void remake();
    /// Stops what is under way; what is there stays.
    void cancel();

    const Made& figure() const { return m_figure; }       // null until the first one is there
    bool isStale() const { return m_isStale; }            // another one is under way
    const QString& problem() const { return m_problem; }  // why there is none, or no newer one

    /// Makes a figure beside the document's own; `done` is called later.
    void makeOnce(const FigureRequest& request, std::function<void(const Result<Made>&)> done);

Q_SIGNALS:
    void changed();

private:
    void post(const FigureRequest& request);
    void arrived(const Result<Made>& result);
    void show(Made figure, bool isStale, const QString& problem);

    Worker& m_worker;
    int m_slot;
    Wanted m_wanted;
    bool m_isWatched = false;
    std::optional<FigureRequest> m_asked;
    Made m_figure;
    bool m_isStale = false;
    QString m_problem;
};

}  // namespace hs
