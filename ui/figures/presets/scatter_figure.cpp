#include "figures/presets/scatter_figure.h"

#include "figures/parts/fitting.h"
#include "figures/parts/sheet.h"
#include "figures/presets/scatter_matrix.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kLargestPlot = 64;      // points
constexpr double kTallestMatrix = 340;   // points
constexpr double kLeastPlotBeside = 12;  // points, for matrices beside each other on a narrow page
constexpr double kWidePage = 400;        // points

/// The width of the panels beside each other, or on top of each other.
double widthOf(const ScatterFigure& figure, const Form& form, double plotSide, bool isStacked, double gap)
{
    double width = 0;
    for (const ScatterPanel& panel : figure.panels) {
        const double own = ScatterMatrix(panel, form, plotSide).size().width();
        width = isStacked ? std::max(width, own) : width + own + (width > 0 ? gap : 0);
    }
    return width;
}

double fittingPlot(const ScatterFigure& figure, const Form& form, const Sheet& sheet, bool isStacked)
{
    double most = kLargestPlot;
    for (const ScatterPanel& panel : figure.panels)
        most = std::min(most,
                        kTallestMatrix / static_cast<double>(std::max<std::size_t>(1, panel.heads.size())));
    const auto fits = [&](double side) {
        return widthOf(figure, form, side, isStacked, sheet.gap()) <= sheet.width();
    };
    return largestFitting(most, fits);
}

}  // namespace

Drawing draw(const ScatterFigure& figure, const Form& form)
{
    Sheet sheet(form);
    if (figure.panels.empty())
        sheet.drawing().text(sheet.origin() + QPointF(0, form.fontSize), tr("No head to show"),
                             sheet.quiet());
    double side = fittingPlot(figure, form, sheet, false);
    const bool isStacked = figure.panels.size() > 1 && sheet.width() < kWidePage && side < kLeastPlotBeside;
    if (isStacked)
        side = fittingPlot(figure, form, sheet, true);
    const double spare = sheet.width() - widthOf(figure, form, side, isStacked, sheet.gap());
    QPointF at = sheet.origin();
    for (const ScatterPanel& panel : figure.panels) {
        const ScatterMatrix matrix(panel, form, side);
        const double own = matrix.size().width();
        const double most = isStacked
                                ? sheet.width()
                                : own + std::max(0.0, spare) / static_cast<double>(figure.panels.size());
        const double width = std::clamp(matrix.headingWidth(), own, std::max(own, most));
        matrix.draw(sheet.drawing(), at, width);
        at += isStacked ? QPointF(0, matrix.size().height() + sheet.gap()) : QPointF(width + sheet.gap(), 0);
    }
    return sheet.finish(figure.caption, false);
}

DataTable table(const ScatterFigure& figure)
{
    DataTable result{
        {{"panel", {}}, {"layer", {}}, {"head", {}}, {"query", {}}, {"key", {}}, {"weight", {}}}};
    const auto append = [&](std::initializer_list<double> row) {
        std::size_t column = 0;
        for (const double value : row)
            result.columns[column++].values.push_back(value);
    };
    for (std::size_t panel = 0; panel < figure.panels.size(); ++panel) {
        const ScatterPanel& own = figure.panels[panel];
        for (std::size_t index = 0; index < std::min(own.heads.size(), own.weights.size()); ++index) {
            int query = 0, key = 0;
            for (const float weight : own.weights[index]) {
                append({static_cast<double>(panel), static_cast<double>(own.heads[index].layer),
                        static_cast<double>(own.heads[index].head), static_cast<double>(query),
                        static_cast<double>(key), weight});
                const bool isRowDone = key + 1 == own.pattern.keysOf(query);
                key = isRowDone ? 0 : key + 1;
                query += isRowDone;
            }
        }
    }
    return result;
}

}  // namespace hs::figures
