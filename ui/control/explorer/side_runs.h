#pragma once

#include "control/work/side_run.h"

#include <QObject>

#include <array>
#include <functional>
#include <memory>
#include <optional>

namespace hs::control {

class Worker;

/// What one side shows now. Kept until its replacement arrives; a run always belongs to the model
/// beside it.
struct SideState {
    std::shared_ptr<const service::OpenModel> model;  // null until one is open
    std::shared_ptr<const SideRun> run;               // null until the first one is done
    std::shared_ptr<const SideRun> part;  // the layers of the newer run that are done; see service::OnRunPart
    bool isStale = false;                 // a newer run is under way: draw dimmed what is not in `part`
    bool isLoading = false;               // a model is being opened
    QString problem;                      // why there is no run, or no newer one

    friend bool operator==(const SideState&, const SideState&) = default;
};

/// The heads of the run a side shows, or of its model; none if it has neither.
inline HeadShape shapeOf(const SideState& state)
{
    return state.run ? state.run->after.heads : state.model ? state.model->heads : HeadShape{};
}

/// The models and runs of both sides: what was requested from the worker thread, and what each side
/// shows. It is told what is wanted and never changes that. For the UI thread only.
class SideRuns : public QObject {
    Q_OBJECT

public:
    using Runs = std::array<std::shared_ptr<const SideRun>, 2>;  // [Side]
    /// The run of a request if there is one already; null otherwise.
    using Known = std::function<std::shared_ptr<const SideRun>(const service::SideRequest&)>;

    /// Uses the worker's slots from `firstSlot` on, kSlots of them.
    SideRuns(Worker& worker, int firstSlot);
    static constexpr int kSlots = 4;

    const SideState& state(Side side) const { return m_states[indexOf(side)]; }
    Runs runs() const { return {m_states[0].run, m_states[1].run}; }
    /// The model wanted for the side; null until it is open.
    std::shared_ptr<const service::OpenModel> model(Side side) const;

    /// Opens what is wanted unless it is open on a side or being opened. An empty source closes the side.
    void open(const std::array<service::OpenRequest, 2>& wanted);
    /// Runs a side of the document on its model, if that is open, unless that was requested already or is known.
    void run(Side side, const Document& document, const Known& known);
    /// Makes the next `open` retry a model that could not be opened.
    void retry(Side side);
    /// Repeats the last runs; the next `open` retries the models that are not open.
    void rerun();
    /// Stops what is under way; what is shown stays.
    void cancel();
    /// After a GPU was lost: forgets the models, so that the next `open` opens them on what still works.
    void reopen(const Error& reason);

Q_SIGNALS:
    void stateChanged(Side side);
    void partChanged(Side side);  // of the state, nothing but its part
    /// A model or run has arrived or failed: what waited for it can be requested.
    void arrived();
    void failed(const hs::Error& error);
    void noted(const QString& note);  // something the user should know about a model

private:
    /// What was requested for one side, and its model, which is shown only together with its first run, so
    /// that a shown run always belongs to the shown model.
    struct Order {
        service::OpenRequest wanted;
        std::optional<service::OpenRequest> openAsked;
        std::optional<service::OpenRequest> opened;
        std::shared_ptr<const service::OpenModel> model;
        std::optional<service::SideRequest> runAsked;
    };
    using Orders = std::array<Order, 2>;  // [Side]

    Order& order(Side side) { return m_orders[indexOf(side)]; }
    int openSlot(Side side) const { return m_firstSlot + static_cast<int>(indexOf(side)); }
    int runSlot(Side side) const { return m_firstSlot + 2 + static_cast<int>(indexOf(side)); }

    void open(Side side, const Orders& known);
    void close(Side side);
    void postOpen(Side side);
    void opened(Side side, const service::OpenRequest& request,
                const Result<std::shared_ptr<const service::OpenModel>>& result);
    void adopt(Side side, const service::OpenRequest& request,
               std::shared_ptr<const service::OpenModel> model);
    void tellNotes(Side side, const service::OpenModel& model);

    void run(Side side, const service::SideRequest& request, const Known& known);
    void postRun(Side side, const service::SideRequest& request);
    void ranPart(Side side, const std::shared_ptr<const SideRun>& part);
    void ran(Side side, const service::SideRequest& request,
             const Result<std::shared_ptr<const SideRun>>& result);
    /// What is shown when something newer was asked for.
    static void outdate(SideState& state);
    void show(Side side, SideState state);

    Worker& m_worker;
    int m_firstSlot;
    Orders m_orders;
    std::array<SideState, 2> m_states;  // [Side]
};

}  // namespace hs::control
