#include "panels/analyses/bar_links.h"

#include "control/explorer/explorer.h"
#include "panels/analyses/head_bars.h"
#include "panels/analyses/token_words.h"

#include <algorithm>
#include <optional>

namespace hs::panels {
namespace {

const HeadBar* barAt(const HeadBars& bars, Side side, int rank)
{
    const auto index = static_cast<std::size_t>(rank);
    return rank >= 0 && index < bars.bars(side).size() ? &bars.bars(side)[index] : nullptr;
}

/// The first head; an MLP has no pattern that could be shown.
std::optional<HeadId> headOf(const HeadBar& bar)
{
    return bar.heads.empty() || bar.heads.front().isMlp() ? std::nullopt : std::optional(bar.heads.front());
}

void pointAt(control::Explorer& explorer, Side side, const HeadBar& bar)
{
    control::Hover hover;
    hover.side = side;
    if (const auto head = headOf(bar))
        hover.head = head;
    if (bar.cell) {
        hover.query = bar.cell->query;
        hover.key = bar.cell->key;
    }
    explorer.setHover(hover);
}

void select(control::Explorer& explorer, const HeadBar& bar, bool isAdded)
{
    std::set<HeadId> heads = isAdded ? explorer.selection() : std::set<HeadId>();
    const bool isThere = std::all_of(bar.heads.begin(), bar.heads.end(),
                                     [&heads](HeadId head) { return heads.contains(head); });
    for (const HeadId head : bar.heads) {
        if (isThere)
            heads.erase(head);
        else
            heads.insert(head);
    }
    explorer.select(std::move(heads));
}

void pick(control::Explorer& explorer, Side side, const HeadBar& bar, Qt::KeyboardModifiers modifiers)
{
    if (const auto head = headOf(bar))
        explorer.setCurrent(side, head);
    select(explorer, bar, modifiers.testFlag(Qt::ControlModifier) || modifiers.testFlag(Qt::ShiftModifier));
    if (bar.cell)
        pinTokens(explorer, side, *bar.cell);
}

}  // namespace

void linkBars(HeadBars& bars, control::Explorer& explorer)
{
    QObject::connect(&bars, &HeadBars::hovered, &bars, [&bars, &explorer](Side side, int rank) {
        if (const HeadBar* const bar = barAt(bars, side, rank))
            pointAt(explorer, side, *bar);
    });
    QObject::connect(&bars, &HeadBars::hoverLeft, &bars, [&explorer] { explorer.setHover({}); });
    QObject::connect(&bars, &HeadBars::picked, &bars,
                     [&bars, &explorer](Side side, int rank, Qt::KeyboardModifiers modifiers) {
                         if (const HeadBar* const bar = barAt(bars, side, rank))
                             pick(explorer, side, HeadBar(*bar), modifiers);
                     });
    const auto mark = [&bars, &explorer] { bars.setMarked(explorer.selection()); };
    QObject::connect(&explorer, &control::Explorer::selectionChanged, &bars, mark);
    mark();
}

}  // namespace hs::panels
