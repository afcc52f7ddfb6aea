#include "figures/presets/explained_effect_figure.h"

#include "figures/parts/sheet.h"
#include "figures/presets/effect_plot.h"
#include "render/translate.h"

#include <algorithm>

namespace hs::figures {
namespace {

constexpr double kHeightShare = 0.7;    // of the width
constexpr double kLargestHeight = 200;  // points

}  // namespace

Drawing draw(const ExplainedEffectFigure& figure, const Form& form)
{
    Sheet sheet(form);
    const QRectF place(sheet.origin(),
                       QSizeF(sheet.width(), std::min(kHeightShare * sheet.width(), kLargestHeight)));
    EffectPlot(figure, form, place).draw(sheet.drawing());
    const bool isEmpty = std::all_of(figure.curves.begin(), figure.curves.end(),
                                     [](const EffectCurve& curve) { return curve.points.empty(); });
    if (isEmpty)
        sheet.drawing().text(place.center(), tr("No curve to show"), sheet.quiet(), Align::Centre);
    return sheet.finish(figure.caption, false);
}

DataTable table(const ExplainedEffectFigure& figure)
{
    DataTable result{{{"panel", {}}, {"kept", {}}, {"effect", {}}}};
    for (std::size_t panel = 0; panel < figure.curves.size(); ++panel)
        for (const analyses::CircuitPoint& point : figure.curves[panel].points) {
            result.columns[0].values.push_back(static_cast<double>(panel));
            result.columns[1].values.push_back(point.kept);
            result.columns[2].values.push_back(point.effect);
        }
    return result;
}

}  // namespace hs::figures
