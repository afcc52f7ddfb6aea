#pragma once

#include "control/document/findings.h"
#include "control/work/worker.h"

#include <QObject>

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <set>

namespace hs::control {

/// The state of an analysis of one side.
struct AnalysisState {
    std::shared_ptr<const Finding> finding;  // the latest, perhaps for another request; null: none yet
    bool isOutdated = false;                 // the document asks for something other than `finding`
    bool isRunning = false;
    int done = 0;  // of `total`, while it runs
    int total = 0;
    QString problem;  // why there is none, or no newer one

    friend bool operator==(const AnalysisState&, const AnalysisState&) = default;
};

/// Analyses of the document: requested, made on the worker thread, kept by what they depend on. Sweeps,
/// circuits, sets of prompts and histories run when they are started; the others whenever their inputs change while somebody
/// watches. A finding stays until its replacement arrives; a known result is shown without a run. For
/// the UI thread only.
class AnalysisRuns : public QObject {
    Q_OBJECT

public:
    /// What the document asks for; none while that is not known yet.
    using Wanted = std::function<std::optional<service::AnalysisRequest>(service::AnalysisKind, Side)>;

    /// Uses the worker's slots from `firstSlot` on, kSlots of them.
    AnalysisRuns(Worker& worker, int firstSlot, Wanted wanted);
    static constexpr int kSlots = 2 * static_cast<int>(service::kAnalyses.size());

    /// Whether the analysis runs by itself while it is watched.
    static bool isLive(service::AnalysisKind kind);
    /// An analysis is watched as long as it has a watcher; null counts as one, too.
    void setWatched(service::AnalysisKind kind, bool isWatched, const void* watcher = nullptr);
    /// Runs it on every side that has a model, unless the result is known.
    void start(service::AnalysisKind kind);
    /// Stops it; what was found so far is kept as partial.
    void stop(service::AnalysisKind kind);
    /// Follows the document.
    void synchronise();

    const AnalysisState& state(service::AnalysisKind kind, Side side) const;
    bool isRunning(service::AnalysisKind kind) const;

    /// The complete results shown that took long to compute: what a session stores.
    std::vector<KeptResult> kept() const;
    /// Takes the results of a session, to be found again by what they depend on.
    void restore(const std::vector<KeptResult>& results);

Q_SIGNALS:
    void changed(hs::service::AnalysisKind kind);

private:
    struct Entry {
        AnalysisState state;
        std::optional<service::AnalysisRequest> wanted;  // when the document was last followed
        std::optional<service::AnalysisRequest> asked;   // by the run under way
        std::optional<service::AnalysisRequest> tried;   // the latest, done or failed
    };

    Entry& entry(service::AnalysisKind kind, Side side);
    int slotOf(service::AnalysisKind kind, Side side) const;
    void synchronise(service::AnalysisKind kind, Side side);
    void run(service::AnalysisKind kind, Side side, const service::AnalysisRequest& request);
    void arrived(service::AnalysisKind kind, Side side, const service::AnalysisRequest& request,
                 const Result<service::AnalysisResult>& result);
    void show(service::AnalysisKind kind, Side side, std::shared_ptr<const Finding> finding);
    void stop(service::AnalysisKind kind, Side side);
    void update(service::AnalysisKind kind, Side side, AnalysisState state);
    void refreshProgress();
    std::shared_ptr<const service::AnalysisResult> known(const service::AnalysisRequest& request) const;
    void keep(const service::AnalysisRequest& request, std::shared_ptr<const service::AnalysisResult> result);

    Worker& m_worker;
    int m_firstSlot;
    Wanted m_wanted;
    std::array<std::array<Entry, 2>, service::kAnalyses.size()> m_entries;    // [service::AnalysisKind][Side]
    std::array<std::set<const void*>, service::kAnalyses.size()> m_watchers;  // [service::AnalysisKind]
    std::deque<KeptResult> m_kept;                                            // newest last
};

}  // namespace hs::control
