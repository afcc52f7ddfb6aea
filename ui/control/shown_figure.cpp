#include "control/shown_figure.h"

#include "control/explorer.h"
#include "control/shown_heads.h"

namespace hs {

GridFigure shownFigure(const Explorer& explorer)
{
    const Document& document = explorer.document();
    GridFigure figure;
    for (const Side side : kSides) {
        const SideState& state = explorer.state(side);
        if (!state.run || !state.model || !isShown(document.arrangement, side))
            continue;
        GridPanel panel;
        panel.title = state.model->title;
        panel.result = state.run->after;
        panel.heads = explorer.shownHeads(side);
        panel.columns = columnsShown(document.side(side).grid, static_cast<int>(panel.heads.size()));
        for (const auto& [head, kind] : state.run->request.ablations)
            panel.ablated.insert(head);
        panel.caption = describeRun(panel);
        figure.panels.push_back(std::move(panel));
    }
    figure.flow = document.arrangement == Arrangement::Stacked ? GridFigure::Flow::Stacked
                                                               : GridFigure::Flow::SideBySide;
    figure.colourMap = document.look.colourMap;
    figure.scale = document.look.scale;
    figure.labelCorner = document.look.labelCorner;
    return figure;
}

}  // namespace hs
