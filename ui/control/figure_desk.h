#pragma once

#include "control/figure_maker.h"
#include "control/worker.h"

#include <deque>
#include <filesystem>
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

    /// Writes a figure into a file, on the worker thread: large ones take longer than a frame. All that
    /// are asked for are written, one after the other.
    using Write = std::function<Result<std::filesystem::path>(const MadeFigure&)>;
    using Written = std::function<void(const Result<std::filesystem::path>&)>;
    /// Writes the figure that is there; `done` is called later.
    void writeShown(Write write, Written done);
    /// Makes a figure beside the document's own and writes it; `done` is called later.
    void writeOther(const FigureRequest& request, Write write, Written done);

Q_SIGNALS:
    void changed();

private:
    struct Writing {
        Worker::Work<std::filesystem::path> work;
        Written done;
    };

    void post(const FigureRequest& request);
    void queueWriting(Worker::Work<std::filesystem::path> work, Written done);
    void startWriting();
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
    std::deque<Writing> m_writings;  // the first one is under way
};

}  // namespace hs
