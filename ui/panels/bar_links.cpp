#include "panels/bar_links.h"

#include "control/explorer.h"
#include "panels/head_bars.h"
#include "render/translate.h"

#include <algorithm>

namespace hs {
namespace {

const HeadBar* barAt(const HeadBars& bars, Side side, int rank)
{
    const auto index = static_cast<std::size_t>(rank);
    return rank >= 0 && index < bars.bars(side).size() ? &bars.bars(side)[index] : nullptr;
}

void pointAt(Explorer& explorer, Side side, const HeadBar& bar)
{
    Hover hover;
    hover.side = side;
    if (!bar.heads.empty())
        hover.head = bar.heads.front();
    if (bar.cell) {
        hover.query = bar.cell->query;
        hover.key = bar.cell->key;
    }
    explorer.setHover(hover);
}

void select(Explorer& explorer, const HeadBar& bar, bool isAdded)
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

void pick(Explorer& explorer, Side side, const HeadBar& bar, Qt::KeyboardModifiers modifiers)
{
    select(explorer, bar, modifiers.testFlag(Qt::ControlModifier) || modifiers.testFlag(Qt::ShiftModifier));
    if (!bar.heads.empty())
        explorer.setCurrent(side, bar.heads.front());
    if (bar.cell)
        explorer.edit(tr("Pin cell"), [&bar](Document& document) {
            document.query = bar.cell->query;
            document.key = bar.cell->key;
        });
}

}  // namespace

void linkBars(HeadBars& bars, Explorer& explorer)
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
    QObject::connect(&explorer, &Explorer::selectionChanged, &bars, mark);
    mark();
}

}  // namespace hs
