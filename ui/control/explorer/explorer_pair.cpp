// How what is on one side is found on the other, whose tokens and heads may be different.
#include "control/document/shown_heads.h"
#include "control/explorer/explorer.h"

namespace hs::control {
namespace {

std::optional<int> lastOf(const std::optional<text::TokenSpan>& span)
{
    return span ? std::optional(span->last) : std::nullopt;
}

}  // namespace

Side Explorer::tokenSide(const Document& document) const
{
    const Side first = document.arrangement == Arrangement::RightOnly ? Side::Right : Side::Left;
    return state(first).run || !state(otherSide(first)).run ? first : otherSide(first);
}

bool Explorer::hasSameText() const
{
    const auto& [left, right] = m_matched;
    return left && right && left->request.prompt == right->request.prompt &&
           left->request.tokenIds == right->request.tokenIds;
}

void Explorer::matchTokens()
{
    const SideRuns::Runs runs = m_runs->runs();
    if (runs == m_matched)
        return;
    m_matched = runs;
    m_matches = {};
    if (!hasSameText())
        return;
    for (const Side side : kSides)
        m_matches[indexOf(side)] =
            text::TokenMatch(runs[indexOf(side)]->tokens, runs[indexOf(otherSide(side))]->tokens);
}

std::optional<text::TokenSpan> Explorer::matching(Side from, int position, Side to) const
{
    return from == to ? std::optional<text::TokenSpan>(position) : m_matches[indexOf(from)].of(position);
}

CellSpan Explorer::pinned(Side side) const
{
    const auto span = [&](std::optional<int> position) {
        return position ? matching(tokenSide(), *position, side) : std::nullopt;
    };
    return {span(m_document.query), span(m_document.key)};
}

CellSpan Explorer::hovered(Side side) const
{
    const auto span = [&](std::optional<int> position) {
        return position ? matching(m_hover.side, *position, side) : std::nullopt;
    };
    return {span(m_hover.query), span(m_hover.key)};
}

std::optional<int> Explorer::asPin(Side side, std::optional<int> position) const
{
    return position ? lastOf(matching(side, *position, tokenSide())) : std::nullopt;
}

void Explorer::recount(Document& document, Side from, Side to) const
{
    if (!hasSameText())
        return;
    for (std::optional<int>* position : {&document.key, &document.query, &document.position})
        if (*position)
            *position = lastOf(matching(from, **position, to));
}

std::optional<HeadId> Explorer::counterpart(Side from, HeadId head, Side to) const
{
    const HeadShape here = shapeOf(state(from));
    const HeadShape there = shapeOf(state(to));
    if (there.total() == 0)
        return std::nullopt;
    return from == to || here.hasSameHeads(there) ? head : atSameDepth(head, here, there);
}

bool Explorer::hasSameHeads() const
{
    const HeadShape left = shapeOf(state(Side::Left));
    const HeadShape right = shapeOf(state(Side::Right));
    return left.total() == 0 || right.total() == 0 || left.hasSameHeads(right);
}

bool Explorer::hasSameTokens() const
{
    const auto& left = state(Side::Left).run;
    const auto& right = state(Side::Right).run;
    return left && right && left->tokens == right->tokens;
}

QString Explorer::differenceProblem() const
{
    const auto& left = state(Side::Left).run;
    const auto& right = state(Side::Right).run;
    if (!left || !right)
        return tr("A difference needs two models: open the other one.");
    if (!hasSameHeads() || !hasSameTokens())
        return tr("The two sides have different heads or tokens: there is no difference to show. "
                  "Choose models of the same shape, or switch the difference off.");
    return {};
}

std::set<HeadId> Explorer::selection(Side side) const
{
    return hasSameHeads() || side == m_selectionSide ? m_selection : std::set<HeadId>();
}

}  // namespace hs::control
