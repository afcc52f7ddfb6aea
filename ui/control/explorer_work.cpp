#include "control/explorer_private.h"

#include <algorithm>

namespace hs {
namespace {

bool isSame(const SideState& a, const SideState& b)
{
    return a.model == b.model && a.run == b.run && a.isStale == b.isStale && a.isLoading == b.isLoading &&
           a.problem == b.problem;
}

}  // namespace

Explorer::Private::Private(Explorer& owner, std::unique_ptr<Backend> backend)
    : m_owner(owner), m_worker(std::move(backend)),
      m_details(m_worker, kFirstDetailSlot, owner.m_preferences.mapBudget),
      m_figures(m_worker, kFirstFigureSlot, [this] { return wantedFigure(); }),
      m_analyses(m_worker, kFirstAnalysisSlot,
                 [this](AnalysisKind kind, Side side) { return wantedAnalysis(kind, side); })
{
    QObject::connect(&m_worker, &Worker::activityChanged, &m_owner, [this] {
        m_owner.m_activity = m_worker.activity();
        Q_EMIT m_owner.activityChanged();
    });
    QObject::connect(&m_details, &RunDetails::mapReady, &m_owner, &Explorer::mapReady);
    QObject::connect(&m_details, &RunDetails::cellsReady, &m_owner, &Explorer::cellWeightsReady);
    QObject::connect(&m_details, &RunDetails::failed, &m_owner, [this](const Error& error) { raise(error); });
}

void Explorer::Private::synchronise(bool isNew)
{
    const Orders known = m_orders;
    const Runs shown = {m_owner.m_states[0].run, m_owner.m_states[1].run};
    for (const Side side : kSides)
        synchroniseModel(side, known);
    if (settle() || isNew)
        Q_EMIT m_owner.documentChanged();
    for (const Side side : kSides)
        synchroniseRun(side, shown);
    // A run that was there already can have fewer tokens than are pinned.
    if (settle())
        return synchronise(/*isNew=*/true);
    m_figures.synchronise();
    m_analyses.synchronise();
}

OpenModels Explorer::Private::wantedModels() const
{
    OpenModels models;
    for (const Side side : kSides)
        if (hasWantedModel(side) && !m_owner.state(side).isLoading)
            models[indexOf(side)] = m_orders[indexOf(side)].model;
    return models;
}

std::optional<FigureRequest> Explorer::Private::wantedFigure() const
{
    const bool isLoading =
        std::ranges::any_of(kSides, [this](Side side) { return m_owner.state(side).isLoading; });
    return isLoading ? std::nullopt : std::optional(figureRequest(m_owner.m_document, wantedModels()));
}

std::optional<AnalysisRequest> Explorer::Private::wantedAnalysis(AnalysisKind kind, Side side) const
{
    return analysisRequest(m_owner.m_document, kind, side, wantedModels());
}

void Explorer::Private::show(Side side, SideState state)
{
    SideState& shown = m_owner.m_states[indexOf(side)];
    if (isSame(shown, state))
        return;
    m_details.setRun(side, state.run);
    SideState old = std::exchange(shown, std::move(state));
    if (old.run != shown.run)
        settleSelection();
    Q_EMIT m_owner.stateChanged(side);
    // Last, when nobody here holds them any more.
    m_worker.dispose(std::move(old.run));
    m_worker.dispose(std::move(old.model));
}

void Explorer::Private::raise(const Error& error)
{
    if (error.code != ErrorCode::Cancelled)
        Q_EMIT m_owner.messageRaised({Message::Kind::Error, QString::fromStdString(error.message),
                                      QString::fromStdString(error.detail)});
}

}  // namespace hs
