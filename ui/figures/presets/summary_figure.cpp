#include "figures/presets/summary_figure.h"

#include "figures/parts/sheet.h"
#include "figures/presets/figures_with_bars.h"
#include "figures/presets/head_matrix.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::figures {
namespace {

constexpr double kTallestSummary = 330;     // points
constexpr double kLargestSummaryCell = 20;  // points
constexpr double kLeastCellBeside = 9;      // with the table beside matrices
constexpr double kLeastHeightBeside = 0.7;  // of the table's height, for matrices beside it
constexpr double kMostHeightBeside = 1.6;   // of the same, for stacked matrices
constexpr double kLeastCell = 4;            // with matrices beside each other
constexpr double kWidestBesideStack = 2;    // of the least width, for a table beside stacked matrices
constexpr double kWidestBeside = 1.25;      // of the least width, for a table beside matrices

/// The form's limits, unless values such as entropy or distance are larger than any weight; of values that may count
/// against something, both ways from 0.
ValueColours coloursOf(const SummaryFigure& figure, const Form& form)
{
    double lowest = 0, highest = 0;
    for (const SummaryPanel& panel : figure.panels)
        for (const std::vector<double>* const values : {&panel.values, &panel.mlps})
            for (const double value : *values)
                if (std::isfinite(value)) {
                    lowest = std::min(lowest, value);
                    highest = std::max(highest, value);
                }
    if (lowest < 0)
        return ValueColours::bothWays(form, std::max(-lowest, highest));
    return {form, form.lowest, form.highest <= 1 && highest > 1 ? highest : form.highest};
}

/// How the parts are arranged.
struct Arrangement {
    double width = 0;  // shared by the matrices
    double cellSide = 0;
    bool isStacked = false;
    bool isTableBeside = false;
};

class SummaryLayout {
public:
    SummaryLayout(const SummaryFigure& figure, const Form& form, Sheet& sheet)
        : m_figure(figure), m_form(form), m_sheet(sheet), m_colours(coloursOf(figure, form)),
          m_table(figure, form), m_arrangement(arranged())
    {
    }

    void draw()
    {
        const QRectF matrices = drawMatrices();
        if (m_table.isEmpty() || m_figure.panels.empty())
            return;
        const QPointF origin = m_sheet.origin();
        if (m_arrangement.isTableBeside) {
            const double left = matrices.right() + tableGap();
            const double room = origin.x() + m_sheet.width() - left;
            m_table.draw(m_sheet.drawing(), {left, origin.y()},
                         std::min(room, (m_arrangement.isStacked ? kWidestBesideStack : kWidestBeside) *
                                            m_table.widthFor(1)));
        } else {
            const double width = std::max(matrices.width(), m_table.widthFor(2));
            m_table.draw(m_sheet.drawing(), {origin.x(), matrices.bottom() + 1.5 * m_form.fontSize},
                         std::min(width, m_sheet.width()));
        }
    }

private:
    double tableGap() const { return 1.4 * m_sheet.gap(); }

    QRectF drawBar(Drawing& drawing, QPointF at) const
    {
        return m_colours.drawBar(drawing, at, tr("%1, %2").arg(m_figure.valueName, scaleName(m_form.scale)),
                                 m_form);
    }

    double barLeft() const
    {
        return m_figure.panels.empty() ? 0 : HeadMatrix(m_figure.panels.front(), m_form, 0).origin().x();
    }

    double barWidth() const
    {
        Drawing measure(m_form.fontFamily);
        return m_form.hasColourBar ? barLeft() + drawBar(measure, {}).width() : 0;
    }

    /// The width of matrices with cells of this side, beside each other or on top of each other.
    double widthOf(double cellSide, bool isStacked) const
    {
        double width = 0;
        for (const SummaryPanel& panel : m_figure.panels) {
            const double own = HeadMatrix(panel, m_form, cellSide).size().width();
            width = isStacked ? std::max(width, own) : width + own + (width > 0 ? m_sheet.gap() : 0);
        }
        return width;
    }

    /// The height of the tallest matrix.
    double heightOf(double cellSide) const
    {
        double height = 0;
        for (const SummaryPanel& panel : m_figure.panels)
            height = std::max(height, HeadMatrix(panel, m_form, cellSide).size().height());
        return height;
    }

    double cellSideFor(double width, bool isStacked) const
    {
        const double labels = widthOf(0, isStacked);
        const double cells = widthOf(1, isStacked) - labels;
        double most = kLargestSummaryCell;
        for (const SummaryPanel& panel : m_figure.panels)
            most = std::min(most, std::max(kLeastCell, kTallestSummary / std::max(1, panel.heads.layers)));
        return std::clamp((width - labels) / std::max(1.0, cells), 1.0, most);
    }

    Arrangement arranged() const
    {
        const double width = m_sheet.width();
        const double besideTable = width - m_table.widthFor(1) - tableGap();
        const double besideSide = cellSideFor(besideTable, false);
        const double side = cellSideFor(width, false);
        const bool isLargeEnough = besideSide >= std::min(kLeastCellBeside, side) &&
                                   heightOf(besideSide) >= kLeastHeightBeside * m_table.tallestHeight();
        if (!m_table.isEmpty() && isLargeEnough && barWidth() <= besideTable)
            return {besideTable, besideSide, false, true};
        const double stackedSide = cellSideFor(besideTable, true);
        const double stackedHeight =
            heightOf(stackedSide) * static_cast<double>(m_figure.panels.size()) / m_table.tallestHeight();
        if (!m_table.isEmpty() && stackedSide >= kLeastCellBeside && stackedHeight >= kLeastHeightBeside &&
            stackedHeight <= kMostHeightBeside && barWidth() <= besideTable)
            return {besideTable, stackedSide, true, true};
        if (side >= kLeastCell || m_figure.panels.size() < 2)
            return {width, side, false, false};
        return {width, cellSideFor(width, true), true, false};
    }

    /// Headings may extend over the width that matrices leave.
    double widthOf(const HeadMatrix& matrix) const
    {
        const double own = matrix.size().width();
        if (m_arrangement.isStacked)
            return m_arrangement.isTableBeside
                       ? std::clamp(matrix.headingWidth(), own, std::max(own, m_arrangement.width))
                       : m_arrangement.width;
        const double spare = m_arrangement.width - widthOf(m_arrangement.cellSide, false);
        const double most = own + std::max(0.0, spare) / static_cast<double>(m_figure.panels.size());
        return std::clamp(matrix.headingWidth(), own, most);
    }

    QRectF drawMatrices()
    {
        const CellNumbers numbers = fittingNumbers(m_figure.panels, m_form, m_arrangement.cellSide);
        QPointF at = m_sheet.origin();
        QRectF covered(at, QSizeF(0, 0));
        for (const SummaryPanel& panel : m_figure.panels) {
            const HeadMatrix matrix(panel, m_form, m_arrangement.cellSide);
            const QSizeF size(widthOf(matrix), matrix.size().height());
            matrix.draw(m_sheet.drawing(), at, m_colours, numbers, size.width());
            covered |= QRectF(at, size);
            at += m_arrangement.isStacked ? QPointF(0, size.height() + m_sheet.gap())
                                          : QPointF(size.width() + m_sheet.gap(), 0);
        }
        if (m_form.hasColourBar && !m_figure.panels.empty())
            covered |= drawBar(m_sheet.drawing(),
                               {m_sheet.origin().x() + barLeft(), covered.bottom() + m_form.fontSize});
        return covered;
    }

    const SummaryFigure& m_figure;
    const Form& m_form;
    Sheet& m_sheet;
    ValueColours m_colours;
    FiguresWithBars m_table;
    Arrangement m_arrangement;
};

}  // namespace

Drawing draw(const SummaryFigure& figure, const Form& form)
{
    Sheet sheet(form);
    if (figure.panels.empty())
        sheet.drawing().text(sheet.origin() + QPointF(0, form.fontSize), tr("No head to show"),
                             sheet.quiet());
    SummaryLayout(figure, form, sheet).draw();
    return sheet.finish(figure.caption, false);
}

DataTable table(const SummaryFigure& figure)
{
    DataTable result{{{"panel", {}}, {"layer", {}}, {"head", {}}, {"value", {}}}};
    for (std::size_t panel = 0; panel < figure.panels.size(); ++panel) {
        const SummaryPanel& own = figure.panels[panel];
        for (const HeadId head : own.heads.all()) {
            result.columns[0].values.push_back(static_cast<double>(panel));
            result.columns[1].values.push_back(head.layer);
            result.columns[2].values.push_back(head.head);
            result.columns[3].values.push_back(own.values[static_cast<std::size_t>(own.heads.indexOf(head))]);
        }
        for (std::size_t layer = 0; layer < own.mlps.size(); ++layer) {
            result.columns[0].values.push_back(static_cast<double>(panel));
            result.columns[1].values.push_back(static_cast<double>(layer));
            result.columns[2].values.push_back(
                std::numeric_limits<double>::quiet_NaN());  // an MLP is no head
            result.columns[3].values.push_back(own.mlps[layer]);
        }
    }
    return result;
}

}  // namespace hs::figures
