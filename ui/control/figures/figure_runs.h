#pragma once

#include "control/figures/figure_maker.h"
#include "control/work/worker.h"

#include <deque>
#include <functional>

namespace hs::control {

/// The document's figure as it was last made. It is made again, on the worker thread, whenever its
/// inputs change while somebody watches; a change of form alone does not need that. It stays until its
/// replacement arrives. For the UI thread only.
class FigureRuns : public QObject {
    Q_OBJECT

public:
    /// What the document asks for; none while that is not known yet.
    using Wanted = std::function<std::optional<FigureRequest>()>;
    using Made = std::shared_ptr<const MadeFigure>;

    /// Uses the worker's slots `firstSlot` and the one after it.
    FigureRuns(Worker& worker, int firstSlot, Wanted wanted);
    static constexpr int kSlots = 2;

    void setWatched(bool isWatched);
    /// Requests what is wanted unless that was done already.
    void synchronise();
    /// Makes it again, for instance after it was stopped.
    void remake();
    /// Stops what is under way; the current figure stays.
    void cancel();

    const Made& figure() const { return m_figure; }       // null until the first one is made
    bool isStale() const { return m_isStale; }            // another one is under way
    const QString& problem() const { return m_problem; }  // why there is none, or no newer one

    /// Something done with a figure on the worker thread, since large ones take longer than a frame, such
    /// as writing it to a file or painting it. All requests are carried out, one after the other.
    template <class T>
    using Use = std::function<Result<T>(const MadeFigure&)>;
    /// Uses the current figure; `done` is called later.
    template <class T>
    void useShown(Use<T> use, Worker::Done<T> done);
    /// Makes a figure besides the document's own and uses it; `done` is called later.
    template <class T>
    void useOther(const FigureRequest& request, Use<T> use, Worker::Done<T> done);

Q_SIGNALS:
    void changed();

private:
    void post(const FigureRequest& request);
    template <class T>
    void queueUse(Worker::Work<T> work, Worker::Done<T> done);
    void startUse(std::function<void()> start);
    void finishUse();
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
    std::deque<std::function<void()>> m_uses;  // each starts a use; the first one is under way
};

template <class T>
void FigureRuns::useShown(Use<T> use, Worker::Done<T> done)
{
    queueUse<T>(
        [figure = m_figure, use = std::move(use)](service::Backend&, const Hooks&) { return use(*figure); },
        std::move(done));
}

template <class T>
void FigureRuns::useOther(const FigureRequest& request, Use<T> use, Worker::Done<T> done)
{
    queueUse<T>(
        [request, use = std::move(use)](service::Backend& backend, const Hooks& hooks) {
            const Result<Made> made = makeFigure(backend, request, hooks);
            return made ? use(**made) : Result<T>(made.error());
        },
        std::move(done));
}

template <class T>
void FigureRuns::queueUse(Worker::Work<T> work, Worker::Done<T> done)
{
    startUse([this, work = std::move(work), done = std::move(done)] {
        m_worker.post<T>(
            {m_slot + 1, tr("Writing the figure"), /*isQuiet=*/false, WorkQueue::Running::Finish}, work,
            [this, done](const Result<T>& result) {
                finishUse();
                done(result);
            });
    });
}

}  // namespace hs::control
