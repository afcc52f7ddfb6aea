#include "figures/grid_figure.h"

#include "figures/sheet.h"

namespace hs {
namespace {

constexpr double kLargestTile = 113;  // points, 40 mm

}  // namespace

Drawing draw(const GridFigure& figure, const FigureForm& form)
{
    Sheet sheet(form);
    const double side = fittingTileSide(figure.panels, figure.isStacked, form, sheet.width(), kLargestTile);
    QPointF at = sheet.origin();
    for (const TilePanel& panel : figure.panels) {
        const TilePanelLayout layout(panel, form, side);
        layout.draw(sheet.drawing(), at);
        if (figure.isStacked)
            at.ry() += layout.size().height() + sheet.gap();
        else
            at.rx() += layout.size().width() + sheet.gap();
    }
    return sheet.finish(figure.caption, true);
}

DataTable table(const GridFigure& figure)
{
    return table(figure.panels);
}

}  // namespace hs
