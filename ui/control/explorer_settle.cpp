#include "control/explorer_private.h"

#include <algorithm>

namespace hs {
namespace {

/// Whether a run is the one of the document's text.
bool isOfText(const SideState& state, const Document& document)
{
    return state.run && !state.isStale && !state.isLoading &&
           state.run->request.prompt == document.prompt.toStdString() &&
           state.run->request.tokenIds == document.tokenIds.toStdString() &&
           state.run->request.hasBos == document.hasBos;
}

bool release(std::optional<int>& position, int limit)
{
    if (!position || (*position >= 0 && *position < limit))
        return false;
    position.reset();
    return true;
}

}  // namespace

bool Explorer::Private::settle()
{
    Document& document = m_owner.m_document;
    bool isChanged = false;
    for (const Side side : kSides) {
        if (!hasWantedModel(side))
            continue;
        const HeadShape heads = m_orders[indexOf(side)].model->heads;
        isChanged |= std::erase_if(document.side(side).ablations,
                                   [&](const auto& ablation) { return !heads.contains(ablation.first); }) > 0;
    }
    if (const std::optional<int> limit = tokenLimit())
        for (std::optional<int>* position : {&document.key, &document.query, &document.position})
            isChanged |= release(*position, *limit);
    return isChanged;
}

/// Tokens of the longer side; none until both sides that have a model ran the document's text. A side with
/// a problem does not count: another model, or the run of another text, is still on show.
std::optional<int> Explorer::Private::tokenLimit() const
{
    std::optional<int> limit;
    for (const Side side : kSides) {
        const SideState& state = m_owner.state(side);
        if (m_owner.m_document.side(side).model.isEmpty() || !state.problem.isEmpty())
            continue;
        const bool isCurrent = hasWantedModel(side) && isOfText(state, m_owner.m_document) &&
                               state.run->request.model == m_orders[indexOf(side)].model;
        if (!isCurrent)
            return std::nullopt;
        limit = std::max(limit.value_or(0), static_cast<int>(state.run->tokens.size()));
    }
    return limit;
}

void Explorer::Private::settleSelection()
{
    const auto exists = [&](HeadId head) {
        return std::ranges::any_of(m_owner.m_states, [&](const SideState& state) {
            return !state.run || state.run->after.heads.contains(head);
        });
    };
    if (std::erase_if(m_owner.m_selection, [&](HeadId head) { return !exists(head); }) > 0)
        Q_EMIT m_owner.selectionChanged();
    if (m_owner.m_currentHead && !exists(*m_owner.m_currentHead))
        m_owner.setCurrent(m_owner.m_activeSide, std::nullopt);
}

}  // namespace hs
