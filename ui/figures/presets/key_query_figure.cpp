#include "figures/presets/key_query_figure.h"

#include "figures/parts/head_rows.h"
#include "figures/parts/page.h"
#include "figures/parts/sheet.h"
#include "render/translate.h"

#include <algorithm>
#include <set>

namespace hs::figures {
namespace {

constexpr double kRowsBesideFrom = 55;    // in text sizes: the least width for sides beside each other
constexpr double kLargestSmallTile = 30;  // points
constexpr double kRowRoom = 150;          // height of the large tiles, points
constexpr double kAlikeShare = 0.55;
constexpr std::size_t kMostLarge = 40;
constexpr double kWidestToken = 12;  // text sizes

/// “large”, shortened.
QString quoted(const QString& token, const Form& form)
{
    const Drawing measure(form.fontFamily);
    const TextStyle style{form.fontSize, QFont::Normal, render::FigureStyle::kInk, {}};
    return QStringLiteral("“%1”").arg(measure.elided(token, style, kWidestToken * form.fontSize));
}

QString countLine(const KeyQueryFigure& figure, const KeyQuerySide& side, const Form& form, double width)
{
    const Drawing measure(form.fontFamily);
    const TextStyle style{form.fontSize, QFont::Normal, render::FigureStyle::kInk, {}};
    const QString counts = tr("%1 of %2 heads map").arg(side.mapping.size()).arg(side.all.heads.size());
    const int key = figure.cell.key + 1;
    const int query = figure.cell.query + 1;
    const QString whole = tr("%1 key %2 %3 to query %4 %5")
                              .arg(counts)
                              .arg(key)
                              .arg(quoted(figure.key, form))
                              .arg(query)
                              .arg(quoted(figure.query, form));
    if (measure.widthOf(whole, style) <= width)
        return whole;
    return tr("%1 key %2 to query %3").arg(counts).arg(key).arg(query);
}

/// All tiles of a side with the cell marked and the count as the caption.
TilePanel smallPanel(const KeyQueryFigure& figure, const KeyQuerySide& side, const Form& form, double width)
{
    TilePanel panel = side.all;
    panel.caption = countLine(figure, side, form, width);
    panel.mark = figure.cell;
    panel.below.clear();
    return panel;
}

TilePanel largePanel(const KeyQueryFigure& figure, const KeyQuerySide& side)
{
    TilePanel panel = side.all;
    panel.mark = figure.cell;
    panel.heads = side.mapping;
    if (panel.heads.size() > kMostLarge)
        panel.heads.resize(kMostLarge);
    panel.below.clear();
    for (std::size_t index = 0; index < std::min(panel.heads.size(), side.weights.size()); ++index)
        panel.below.push_back(QString::number(side.weights[index], 'f', 2));
    return panel;
}

/// Draws the mapping heads, large; returns their height.
double drawMapping(Sheet& sheet, QPointF at, const KeyQueryFigure& figure, const KeyQuerySide& side,
                   const Form& form, double width, double largestSide)
{
    if (side.mapping.empty()) {
        const QString none = tr("No head gives this cell a weight above %1.").arg(figure.threshold);
        sheet.drawing().text(at + QPointF(0, form.fontSize),
                             sheet.drawing().elided(none, sheet.quiet(), width), sheet.quiet());
        return 1.3 * form.fontSize;
    }
    const HeadRows rows(largePanel(figure, side), form, QSizeF(width, kRowRoom), HeadRows::Axes::Arrows,
                        largestSide);
    rows.draw(sheet.drawing(), at);
    if (side.mapping.size() > kMostLarge)
        sheet.drawing().note(
            tr("%1: the %2 strongest of %3 heads that map the key to the query are drawn large.")
                .arg(side.all.title)
                .arg(kMostLarge)
                .arg(side.mapping.size()));
    return rows.size().height();
}

/// The side of the large tiles, shared by both figure sides if theirs differ little.
double commonLargeSide(const KeyQueryFigure& figure, const Form& form, double width)
{
    double least = HeadRows::kLargestSide, most = 0;
    for (const KeyQuerySide& side : figure.sides) {
        if (side.mapping.empty())
            continue;
        const double own = HeadRows(largePanel(figure, side), form, QSizeF(width, kRowRoom)).tileSide();
        least = std::min(least, own);
        most = std::max(most, own);
    }
    return least >= kAlikeShare * most ? least : most;
}

std::vector<TilePanel> allPanels(const KeyQueryFigure& figure)
{
    std::vector<TilePanel> panels;
    for (const KeyQuerySide& side : figure.sides)
        panels.push_back(side.all);
    return panels;
}

}  // namespace

Drawing draw(const KeyQueryFigure& figure, const Form& form)
{
    Sheet sheet(form);
    const auto count = static_cast<double>(figure.sides.size());
    const bool isBeside = count > 1 && sheet.width() >= kRowsBesideFrom * form.fontSize;
    const double width = isBeside ? (sheet.width() - (count - 1) * sheet.gap()) / count : sheet.width();

    std::vector<TilePanel> panels;
    for (const KeyQuerySide& side : figure.sides)
        panels.push_back(smallPanel(figure, side, form, width));
    const double tileSide = fittingTileSide(panels, true, form, width, kLargestSmallTile);
    const double largeSide = commonLargeSide(figure, form, width);
    double tallest = 0;
    for (const TilePanel& panel : panels)
        tallest = std::max(tallest, TilePanelLayout(panel, form, tileSide).size().height());

    QPointF at = sheet.origin();
    for (std::size_t index = 0; index < panels.size(); ++index) {
        const TilePanelLayout layout(panels[index], form, tileSide);
        layout.draw(sheet.drawing(), at, width);
        const double top = (isBeside ? tallest : layout.size().height()) + 1.2 * form.fontSize;
        const double height =
            drawMapping(sheet, at + QPointF(0, top), figure, figure.sides[index], form, width, largeSide);
        if (isBeside)
            at.rx() += width + sheet.gap();
        else
            at.ry() += top + height + sheet.gap();
    }
    Drawing drawing = sheet.finish(figure.caption, true);
    drawing.setPage(std::make_shared<const Page>(
        Page{allPanels(figure), /*isStacked=*/false, captionOf(figure.caption, true, form), form}));
    return drawing;
}

DataTable table(const KeyQueryFigure& figure)
{
    DataTable result = table(allPanels(figure));
    DataColumn maps{"maps", {}};
    for (std::size_t row = 0; row < result.columns[0].values.size(); ++row) {
        const auto valueOf = [&](std::size_t column) {
            return static_cast<int>(result.columns[column].values[row]);
        };
        const std::vector<HeadId>& mapping = figure.sides[static_cast<std::size_t>(valueOf(0))].mapping;
        const HeadId head{valueOf(1), valueOf(2)};
        maps.values.push_back(std::find(mapping.begin(), mapping.end(), head) != mapping.end() ? 1 : 0);
    }
    result.columns.push_back(std::move(maps));
    return result;
}

}  // namespace hs::figures
