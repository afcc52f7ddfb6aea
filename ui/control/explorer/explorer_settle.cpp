#include "control/explorer/explorer.h"

#include "control/analyses/analysis_runs.h"
#include "control/explorer/device_checks.h"
#include "control/explorer/generation_runs.h"
#include "control/explorer/label_keeper.h"
#include "control/figures/figure_runs.h"
#include "service/engine_need.h"

#include <algorithm>

namespace hs::control {
namespace {

/// Whether the run shown is for the document's text, or needs none.
bool isOfText(const SideState& state, const Document& document, Side side)
{
    return state.run && !state.isStale && !state.isLoading &&
           state.run->request.hasSameInput(sideRequest(document, side, state.run->request.model));
}

bool release(std::optional<int>& position, int limit)
{
    if (!position || (*position >= 0 && *position < limit))
        return false;
    position.reset();
    return true;
}

}  // namespace

void Explorer::apply(const Document& document)
{
    m_document = document;
    const bool wasApplying = std::exchange(m_isApplying, true);
    synchronise(/*isNew=*/true);
    m_isApplying = wasApplying;
}

void Explorer::synchronise(bool isNew)
{
    const SideRuns::Runs shown = m_runs->runs();
    const auto known = [&](const service::SideRequest& request) {
        const auto same =
            std::ranges::find_if(shown, [&](const auto& run) { return run && run->request == request; });
        return same != shown.end() ? *same : m_generation->find(request);
    };
    m_runs->open({openRequest(Side::Left), openRequest(Side::Right)});
    if (settle() || isNew)
        Q_EMIT documentChanged();
    for (const Side side : kSides)
        m_runs->run(side, countedBy(side), known);
    // A run that already existed may have fewer tokens than are pinned.
    if (settle())
        return synchronise(/*isNew=*/true);
    m_figures->synchronise();
    m_analyses->synchronise();
    m_generation->follow(generationRequests());
    for (const Side side : kSides) {
        m_labels->follow(side, m_document.side(side).graph, m_runs->model(side));
        m_devices->follow(side, state(side));
    }
}

/// The document as a side reads it: of two texts, predictions are read at the token that stands for the one chosen.
Document Explorer::countedBy(Side side) const
{
    Document document = m_document;
    document.position = readPosition(side);
    return document;
}

service::OpenRequest Explorer::openRequest(Side side) const
{
    return {m_document.side(side).model.toStdString(), m_preferences.device, m_preferences.dtype,
            m_preferences.tf32};
}

OpenModels Explorer::openModels() const
{
    return {m_runs->model(Side::Left), m_runs->model(Side::Right)};
}

/// None while a model is loading.
std::optional<FigureRequest> Explorer::wantedFigure() const
{
    if (state(Side::Left).isLoading || state(Side::Right).isLoading)
        return std::nullopt;
    return figureRequest(m_document, openModels());
}

/// What the document asks for; the words of a head are those of the one looked at, in the pinned cell.
std::optional<service::AnalysisRequest> Explorer::wantedAnalysis(service::AnalysisKind kind, Side side) const
{
    std::optional<service::AnalysisRequest> request =
        analysisRequest(countedBy(side), kind, side, openModels());
    if (!request || kind != service::AnalysisKind::HeadWords)
        return request;
    const auto head = m_currentHead ? counterpart(m_activeSide, *m_currentHead, side) : std::nullopt;
    if (!head || !request->side.model->heads.contains(*head))
        return std::nullopt;
    request->heads = {*head};
    const CellSpan cell = pinned(side);
    if (cell.query)
        request->side.position = tokenOf(side, cell.query->last);
    if (const auto key = cell.key ? std::optional(tokenOf(side, cell.key->last)) : std::nullopt;
        key && *key <= request->side.position.value_or(*key))
        request->lens.key = key;
    return request;
}

bool Explorer::settle()
{
    bool isChanged = settleKept();
    for (const Side side : kSides) {
        const auto model = m_runs->model(side);
        if (!model)
            continue;
        SideSetup& setup = m_document.side(side);
        const bool canRun = service::whyNoRun(*model).empty();
        isChanged |= std::erase_if(setup.ablations, [&](const auto& ablation) {
                         return !canRun || !model->heads.containsUnit(ablation.first);
                     }) > 0;
        if (!canRun)
            isChanged |= std::exchange(setup.gate, {}) != engine::GateChoice();
    }
    if (m_document.set.source.isEmpty())
        isChanged |= std::exchange(m_document.set, {}) != SetChoice();
    if (const auto kind = mapKindOf(m_document.tiles); kind && !whyNotPossible(*kind).isEmpty()) {
        m_document.tiles = TileValue::Weights;
        isChanged = true;
    }
    if (const std::optional<TokenLimits> limits = tokenLimits()) {
        isChanged |= release(m_document.key, limits->keys);
        isChanged |= release(m_document.query, limits->queries);
        isChanged |= release(m_document.keyTo, m_document.key ? limits->keys : 0);
        isChanged |= release(m_document.queryTo, m_document.query ? limits->queries : 0);
        isChanged |= release(m_document.position, limits->tokens);
    }
    return isChanged;
}

/// Kept runs follow their models to the other side and are forgotten with them.
bool Explorer::settleKept()
{
    const auto kept = m_kept;
    const auto fits = [&](Side from, Side to) {
        const auto& run = kept[indexOf(from)];
        return run && run->model == m_document.side(to).model.toStdString();
    };
    for (const Side side : kSides) {
        const Side other = otherSide(side);
        m_kept[indexOf(side)] = fits(side, side)                           ? kept[indexOf(side)]
                                : !fits(other, other) && fits(other, side) ? kept[indexOf(other)]
                                                                           : nullptr;
    }
    if (m_document.tiles != TileValue::SinceKept || m_kept[0] || m_kept[1])
        return false;
    m_document.tiles = TileValue::Weights;
    return true;
}

/// How many tokens stand for the prompt along each axis; none until every side that has a model ran the document's text. A
/// side with a problem does not count: it still shows another model, or the run of another text.
std::optional<Explorer::TokenLimits> Explorer::tokenLimits() const
{
    std::optional<TokenLimits> limits;
    for (const Side side : kSides) {
        const SideState& shown = state(side);
        if (m_document.side(side).model.isEmpty() || !shown.problem.isEmpty())
            continue;
        if (!isOfText(shown, m_document, side) || shown.run->request.model != m_runs->model(side))
            return std::nullopt;
        if (!limits || side == tokenSide())
            limits = {static_cast<int>(shown.run->tokens.size()),
                      static_cast<int>(shown.run->tokensOfKeys().size()),
                      static_cast<int>(shown.run->textTokens().size())};
    }
    return limits;
}

void Explorer::settleSelection()
{
    const auto exists = [&](HeadId head) {
        return std::ranges::any_of(m_runs->runs(),
                                   [&](const auto& run) { return !run || run->after.heads.contains(head); });
    };
    if (std::erase_if(m_selection, [&](HeadId head) { return !exists(head); }) > 0)
        Q_EMIT selectionChanged();
    if (m_currentHead && !exists(*m_currentHead))
        setCurrent(m_activeSide, std::nullopt);
}

}  // namespace hs::control
