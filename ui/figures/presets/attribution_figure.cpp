#include "figures/presets/attribution_figure.h"

#include "figures/parts/head_rows.h"
#include "figures/parts/sheet.h"
#include "figures/presets/attribution_strip.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace hs::figures {
namespace {

constexpr double kBesideFrom = 55;  // in text sizes: the least width for sides beside each other
constexpr double kFirstShares[] = {0.25, 0.3, 0.34, 0.38, 0.42};  // of the width, tried in turn
constexpr double kLargeRoom = 130;                                // height of the last side's tiles, points
constexpr double kSmallRoom = 130;  // the same for the first side, if it is above
constexpr double kNoShare = std::numeric_limits<double>::quiet_NaN();

/// Each carrying head's part of the whole, negative if it counts against the target.
std::vector<double> headShares(const AttributionSide& side)
{
    double sum = 0;
    for (const double contribution : side.contributions)
        sum += std::abs(contribution);
    std::vector<double> shares;
    for (const double contribution : side.contributions)
        shares.push_back(sum > 0 ? contribution / sum * side.share : 0);
    return shares;
}

/// ", 7.2× fewer" of the last of two sides, compared with the first; empty if it has no fewer.
QString fewerWords(const AttributionFigure& figure, const AttributionSide& side)
{
    const auto before = static_cast<double>(figure.sides.front().carrying.heads.size());
    const auto after = static_cast<double>(side.carrying.heads.size());
    return figure.sides.size() > 1 && &side == &figure.sides.back() && after > 0 && before > after
               ? tr(", %1× fewer").arg(before / after, 0, 'f', 1)
               : QString();
}

QString countLine(const AttributionFigure& figure, const AttributionSide& side, const Form& form,
                  double width)
{
    const auto heads = static_cast<int>(side.carrying.heads.size());
    const QString share = percentText(side.share);
    const QString counts = side.candidates == 1 && heads == 1 ? tr("1 head carries %1").arg(share)
                           : heads == 1
                               ? tr("1 of %1 heads carries %2").arg(side.candidates).arg(share)
                               : tr("%1 of %2 heads carry %3").arg(heads).arg(side.candidates).arg(share);
    if (figure.sources.empty())
        return counts;
    const QString whole = tr("%1 of the effect of key %2 on query %3")
                              .arg(counts)
                              .arg(figure.sources.front().position + 1)
                              .arg(figure.position + 1);
    const auto fits = [&](const QString& text) {
        return render::textWidth(text, form.fontSize, QFont::Normal, form.fontFamily) <= width;
    };
    const QString fewer = fewerWords(figure, side);
    for (const QString& line : {whole + fewer, counts + fewer, whole})
        if (fits(line))
            return line;
    return counts;
}

/// One side with its heading. The last side's heads are large, with their shares below.
class SideDrawing {
public:
    SideDrawing(const AttributionFigure& figure, const AttributionSide& side, const Form& form, QSizeF room,
                bool isLast)
        : m_form(form), m_width(room.width()), m_title(side.carrying.title),
          m_counts(countLine(figure, side, form, room.width())),
          m_rows(panelOf(side, isLast), form, bodyRoom(room),
                 isLast ? HeadRows::Axes::Arrows : HeadRows::Axes::None)
    {
    }

    double height() const { return headingHeight() + m_rows.size().height(); }

    void draw(Drawing& drawing, QPointF at) const
    {
        drawHeading(drawing, at, m_title, m_counts, m_width, m_form);
        m_rows.draw(drawing, at + QPointF(0, headingHeight()));
    }

private:
    static TilePanel panelOf(const AttributionSide& side, bool hasShares)
    {
        TilePanel panel = side.carrying;
        panel.below.clear();
        if (hasShares)
            for (const double share : headShares(side))
                panel.below.push_back(percentText(share));
        return panel;
    }

    QSizeF bodyRoom(QSizeF room) const { return {room.width(), room.height() - headingHeight()}; }

    double headingHeight() const
    {
        Drawing measure(m_form.fontFamily);
        return drawHeading(measure, {}, m_title, m_counts, m_width, m_form);
    }

    const Form& m_form;
    double m_width;
    QString m_title;
    QString m_counts;
    HeadRows m_rows;
};

/// The first side on the left, as narrow as possible without being higher than what is beside it. The
/// strip is below the last side, or below both if it needs their width.
void drawBeside(Sheet& sheet, const AttributionFigure& figure, const Form& form)
{
    const AttributionStrip wideStrip(figure, form, sheet.width());
    const double between = 1.2 * sheet.gap();
    for (const double share : kFirstShares) {
        const double firstWidth = share * sheet.width();
        const double lastWidth = sheet.width() - firstWidth - sheet.gap();
        const AttributionStrip narrowStrip(figure, form, lastWidth);
        const bool isBelowBoth = narrowStrip.leftOut() > wideStrip.leftOut();
        const SideDrawing last(figure, figure.sides.back(), form, QSizeF(lastWidth, kLargeRoom), true);
        const double height = last.height() + (isBelowBoth ? 0 : between + narrowStrip.height());
        const SideDrawing first(figure, figure.sides.front(), form, QSizeF(firstWidth, height), false);
        if (first.height() > height && share != *std::rbegin(kFirstShares))
            continue;
        const QPointF right = sheet.origin() + QPointF(firstWidth + sheet.gap(), 0);
        const double bottom = std::max(height, first.height());
        first.draw(sheet.drawing(), sheet.origin());
        last.draw(sheet.drawing(), right);
        if (isBelowBoth)
            wideStrip.draw(sheet.drawing(), sheet.origin() + QPointF(0, bottom + between));
        else
            narrowStrip.draw(sheet.drawing(), right + QPointF(0, bottom - narrowStrip.height()));
        return;
    }
}

void drawStacked(Sheet& sheet, const AttributionFigure& figure, const Form& form)
{
    QPointF at = sheet.origin();
    for (const AttributionSide& side : figure.sides) {
        const bool isLast = &side == &figure.sides.back();
        const SideDrawing drawn(figure, side, form, QSizeF(sheet.width(), isLast ? kLargeRoom : kSmallRoom),
                                isLast);
        drawn.draw(sheet.drawing(), at);
        at.ry() += drawn.height() + 1.2 * sheet.gap();
    }
    AttributionStrip(figure, form, sheet.width()).draw(sheet.drawing(), at);
}

}  // namespace

Drawing draw(const AttributionFigure& figure, const Form& form)
{
    Sheet sheet(form);
    if (figure.sides.size() > 1 && sheet.width() >= kBesideFrom * form.fontSize)
        drawBeside(sheet, figure, form);
    else
        drawStacked(sheet, figure, form);
    return sheet.finish(figure.caption, true);
}

DataTable table(const AttributionFigure& figure)
{
    DataTable result;
    for (const char* const name : {"panel", "layer", "head", "contribution", "share", "position",
                                   "first_layer", "last_layer", "heads"})
        result.columns.push_back({name, {}});
    const auto append = [&](std::initializer_list<double> row) {
        std::size_t column = 0;
        for (const double value : row)
            result.columns[column++].values.push_back(value);
    };
    for (std::size_t panel = 0; panel < figure.sides.size(); ++panel) {
        const AttributionSide& side = figure.sides[panel];
        const std::vector<double> shares = headShares(side);
        for (std::size_t index = 0; index < std::min(side.carrying.heads.size(), shares.size()); ++index) {
            const HeadId head = side.carrying.heads[index];
            append({static_cast<double>(panel), static_cast<double>(head.layer),
                    static_cast<double>(head.head), side.contributions[index], shares[index], kNoShare,
                    kNoShare, kNoShare, kNoShare});
        }
    }
    const double last = figure.sides.empty() ? 0 : static_cast<double>(figure.sides.size() - 1);
    for (const AttributionSource& source : figure.sources)
        append({last, kNoShare, kNoShare, kNoShare, source.share, static_cast<double>(source.position),
                static_cast<double>(source.firstLayer), static_cast<double>(source.lastLayer),
                static_cast<double>(source.heads)});
    return result;
}

}  // namespace hs::figures
