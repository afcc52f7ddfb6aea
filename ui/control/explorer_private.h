#pragma once

#include "control/analysis_runs.h"
#include "control/explorer.h"
#include "control/figure_runs.h"
#include "control/run_details.h"
#include "control/worker.h"

namespace hs {

/// The Explorer's dealings with its worker: keeps what is asked for in line with the document, and
/// what is shown in line with the results. Only explorer*.cpp know it.
class Explorer::Private {
public:
    Private(Explorer& owner, std::unique_ptr<Backend> backend);

    /// Takes over a document, whoever made it.
    void apply(const Document& document);
    /// Asks the worker for what the document wants and nobody asked for yet. A new document is told of once
    /// it holds nothing that the open models cannot have.
    void synchronise(bool isNew = false);
    void cancel();
    void rerun();
    /// Opens the side's model again where that failed.
    void retry(Side side);

    /// The heads that ablating these means: those there are, or all that share their keys.
    std::set<HeadId> reach(Side side, const std::set<HeadId>& heads) const;

    /// Whether listeners are being told of a document. The history takes no step in the middle of another:
    /// what a field hands over because a change took the keyboard from it follows that change.
    bool isApplying() const { return m_isApplying; }
    void editLater(const QString& what, const Document& changed);

    QString mergeKey(const QString& key) const;
    void forbidMerging() { ++m_epoch; }

    RunDetails& details() { return m_details; }
    FigureRuns& figures() { return m_figures; }
    AnalysisRuns& analyses() { return m_analyses; }

private:
    /// What one side asked for, and the model it has: shown only together with its first run, so
    /// that a run on show is always one of the model on show.
    struct Order {
        std::optional<OpenRequest> openAsked;
        std::optional<OpenRequest> opened;
        std::shared_ptr<const OpenModel> model;
        std::optional<SideRequest> runAsked;
    };
    using Orders = std::array<Order, 2>;                         // [Side]
    using Runs = std::array<std::shared_ptr<const SideRun>, 2>;  // [Side]

    static constexpr int openSlot(Side side) { return static_cast<int>(indexOf(side)); }
    static constexpr int runSlot(Side side) { return 2 + static_cast<int>(indexOf(side)); }
    static constexpr int kFirstDetailSlot = 4;
    static constexpr int kFirstFigureSlot = kFirstDetailSlot + 3;
    static constexpr int kFirstAnalysisSlot = kFirstFigureSlot + 2;

    Order& order(Side side) { return m_orders[indexOf(side)]; }
    OpenRequest openRequest(Side side) const;
    SideRequest sideRequest(Side side) const;
    bool hasWantedModel(Side side) const;
    /// The models that are open as the document asks; null while one is loading.
    OpenModels wantedModels() const;
    std::optional<FigureRequest> wantedFigure() const;
    std::optional<AnalysisRequest> wantedAnalysis(AnalysisKind kind, Side side) const;

    void synchroniseModel(Side side, const Orders& known);
    void close(Side side);
    void postOpen(Side side, const OpenRequest& request);
    void opened(Side side, const OpenRequest& request,
                const Result<std::shared_ptr<const OpenModel>>& result);
    void adopt(Side side, const OpenRequest& request, std::shared_ptr<const OpenModel> model);
    void raiseNotes(Side side, const OpenModel& model);

    void synchroniseRun(Side side, const Runs& shown);
    void postRun(Side side, const SideRequest& request);
    void ran(Side side, const SideRequest& request, const Result<std::shared_ptr<const SideRun>>& result);

    void show(Side side, SideState state);
    void raise(const Error& error);
    /// Takes out of the document what the open models and their runs cannot have; not a step of
    /// its own. Returns whether there was anything.
    bool settle();
    std::optional<int> tokenLimit() const;
    void settleSelection();

    Explorer& m_owner;
    Worker m_worker;
    RunDetails m_details;
    FigureRuns m_figures;
    AnalysisRuns m_analyses;
    Orders m_orders;
    int m_epoch = 0;
    bool m_isApplying = false;
};

}  // namespace hs
