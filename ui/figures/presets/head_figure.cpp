#include "figures/presets/head_figure.h"

#include "figures/parts/fitting.h"
#include "figures/parts/sheet.h"
#include "figures/presets/head_panel.h"
#include "render/translate.h"

#include <algorithm>

namespace hs::figures {
namespace {

constexpr double kLargestCell = 24;      // points
constexpr double kLargestMap = 340;      // points
constexpr double kLeastMapBeside = 110;  // points, for maps beside each other

/// The longer side of the largest map at which panels fit beside each other, or on top of each other.
double fittingMap(const HeadFigure& figure, const Form& form, const Sheet& sheet, bool isStacked)
{
    const double beside = isStacked ? 1 : static_cast<double>(std::max<std::size_t>(1, figure.panels.size()));
    const double most = (sheet.width() - (beside - 1) * sheet.gap()) / beside;
    const auto fits = [&](double side) {
        const QSizeF map = mapSize(figure.pattern(), side);
        return TokenLabels(figure.tokens, form, map.height()).depth + map.width() <= most;
    };
    const int length = std::max({1, figure.pattern().queries, figure.pattern().keys});
    return largestFitting(std::min(kLargestMap, kLargestCell * length), fits);
}

}  // namespace

Drawing draw(const HeadFigure& figure, const Form& form)
{
    Sheet sheet(form);
    if (figure.panels.empty())
        sheet.drawing().text(sheet.origin() + QPointF(0, form.fontSize), tr("No head to show"),
                             sheet.quiet());
    double side = fittingMap(figure, form, sheet, false);
    const double stackedSide = fittingMap(figure, form, sheet, true);
    const bool isStacked = figure.panels.size() > 1 && side < std::min(kLeastMapBeside, stackedSide);
    if (isStacked)
        side = stackedSide;
    const QSizeF map = mapSize(figure.pattern(), side);
    const TokenLabels queries(figure.tokens, form, map.height());
    const TokenLabels keys(figure.tokensOfKeys(), form, map.width());
    const auto count = static_cast<double>(figure.panels.size());
    const double column = isStacked ? sheet.width() : (sheet.width() - (count - 1) * sheet.gap()) / count;
    bool hasMap = false;
    QPointF at = sheet.origin();
    for (const HeadFigurePanel& panel : figure.panels) {
        const HeadPanel own(panel, figure.pattern(), queries, keys, form, map);
        const double least = own.size().width();
        const double width = std::clamp(own.headingWidth(), least, std::max(least, column));
        own.draw(sheet.drawing(), at, width);
        hasMap = hasMap || own.hasMap();
        at += isStacked ? QPointF(0, own.size().height() + sheet.gap()) : QPointF(width + sheet.gap(), 0);
    }
    return sheet.finish(figure.caption, hasMap);
}

DataTable table(const HeadFigure& figure)
{
    DataTable result{
        {{"panel", {}}, {"layer", {}}, {"head", {}}, {"query", {}}, {"key", {}}, {"weight", {}}}};
    const auto append = [&](std::initializer_list<double> row) {
        std::size_t column = 0;
        for (const double value : row)
            result.columns[column++].values.push_back(value);
    };
    const stats::PatternShape shape = figure.pattern();
    for (std::size_t panel = 0; panel < figure.panels.size(); ++panel) {
        const HeadFigurePanel& own = figure.panels[panel];
        if (!own.maps)
            continue;
        const float* const pattern =
            own.maps.get() + static_cast<std::size_t>(own.head.head) * shape.mapSize();
        for (int query = 0; query < shape.queries; ++query)
            for (int key = 0; key < shape.keysOf(query); ++key)
                append({static_cast<double>(panel), static_cast<double>(own.head.layer),
                        static_cast<double>(own.head.head), static_cast<double>(query),
                        static_cast<double>(key), pattern[shape.indexOf(query, key)]});
    }
    return result;
}

}  // namespace hs::figures
