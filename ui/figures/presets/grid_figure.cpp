#include "figures/presets/grid_figure.h"

#include "figures/parts/page.h"
#include "figures/parts/sheet.h"
#include "figures/parts/tile_panel_layout.h"

#include <algorithm>

namespace hs::figures {
namespace {

constexpr double kLargestTile = 113;  // points, 40 mm

void drawStacked(Sheet& sheet, const std::vector<TilePanelLayout>& layouts)
{
    QPointF at = sheet.origin();
    for (const TilePanelLayout& layout : layouts) {
        layout.draw(sheet.drawing(), at, sheet.width());
        at.ry() += layout.size().height() + sheet.gap();
    }
}

/// The tiles of all panels begin at the same height. Headings wider than their tiles move the next
/// panel away while there is room.
void drawBeside(Sheet& sheet, std::vector<TilePanelLayout>& layouts)
{
    double top = 0;
    double room = sheet.width() + sheet.gap();
    for (const TilePanelLayout& layout : layouts) {
        top = std::max(top, layout.gridTop());
        room -= layout.size().width() + sheet.gap();
    }
    QPointF at = sheet.origin();
    for (TilePanelLayout& layout : layouts) {
        layout.setGridTop(top);
        const double more =
            std::clamp(layout.headingWidth() - layout.size().width(), 0.0, std::max(room, 0.0));
        room -= more;
        layout.draw(sheet.drawing(), at, layout.size().width() + more);
        at.rx() += layout.size().width() + more + sheet.gap();
    }
}

}  // namespace

Drawing draw(const GridFigure& figure, const Form& form)
{
    Sheet sheet(form);
    const double side = fittingTileSide(figure.panels, figure.isStacked, form, sheet.width(), kLargestTile);
    std::vector<TilePanelLayout> layouts;
    for (const TilePanel& panel : figure.panels)
        layouts.emplace_back(panel, form, side);
    if (figure.isStacked)
        drawStacked(sheet, layouts);
    else
        drawBeside(sheet, layouts);
    Drawing drawing = sheet.finish(figure.caption, true);
    drawing.setPage(std::make_shared<const Page>(
        Page{figure.panels, figure.isStacked, captionOf(figure.caption, true, form), form}));
    return drawing;
}

DataTable table(const GridFigure& figure)
{
    return table(figure.panels);
}

}  // namespace hs::figures
