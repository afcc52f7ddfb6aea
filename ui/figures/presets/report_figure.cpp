#include "figures/presets/report_figure.h"

#include "figures/parts/free_labels.h"
#include "figures/parts/plot_axes.h"
#include "figures/parts/sheet.h"
#include "figures/presets/figures_with_bars.h"
#include "figures/presets/head_matrix.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kTallestReport = 210;  // points, of its cells
constexpr double kLargestReportCell = 15;
constexpr double kMatricesShare = 0.58;  // of the width, at most
constexpr double kLengthsHeight = 170;   // points
constexpr double kReportDot = 1.6;

QRgb inkOfModel(std::size_t panel)
{
    return panel == 0 ? render::FigureStyle::kAccent : render::FigureStyle::kSecondAccent;
}

/// Active edges by length: both axes logarithmic, the sparse model's values beside its points.
class LengthPlot {
public:
    LengthPlot(const std::vector<ReportCurve>& curves, const Form& form, const QRectF& place)
        : m_curves(curves), m_form(form),
          m_axes(place.marginsRemoved(PlotAxes::margins(lengths(), shares(), names(), form)), lengths(),
                 shares()),
          m_labels(m_axes.place())
    {
    }

    void draw(Drawing& drawing)
    {
        m_axes.draw(drawing, m_form, names());
        for (const ReportCurve& curve : m_curves)
            drawCurve(drawing, curve);
        for (const ReportCurve& curve : m_curves)
            drawValues(drawing, curve);
    }

private:
    static AxisNames names() { return {tr("tokens"), tr("active edges")}; }

    AxisRange lengths() const
    {
        double least = 1e9, most = 1;
        for (const ReportCurve& curve : m_curves)
            for (const QPointF& point : curve.points) {
                least = std::min(least, point.x());
                most = std::max(most, point.x());
            }
        return {0.8 * least, 1.35 * most, true};
    }

    AxisRange shares() const
    {
        double least = 1;
        for (const ReportCurve& curve : m_curves)
            for (const QPointF& point : curve.points)
                if (point.y() > 0)
                    least = std::min(least, point.y());
        return {std::pow(10, std::floor(std::log10(0.7 * least))), 1.3, true};
    }

    void drawCurve(Drawing& drawing, const ReportCurve& curve)
    {
        QPainterPath line;
        for (const QPointF& point : curve.points) {
            if (!(point.y() > 0))
                continue;
            const QPointF at = m_axes.at(point.x(), point.y());
            if (line.elementCount() == 0)
                line.moveTo(at);
            else {
                m_labels.keepOff(line.currentPosition(), at);
                line.lineTo(at);
            }
            QPainterPath dot;
            dot.addEllipse(at, kReportDot, kReportDot);
            drawing.shape(dot, {}, inkOfModel(curve.panel));
        }
        if (curve.points.size() > 1)
            drawing.shape(line, Stroke{inkOfModel(curve.panel), 2 * m_form.lineWidth, curve.isDashed});
    }

    void drawValues(Drawing& drawing, const ReportCurve& curve)
    {
        if (curve.panel == 0)
            return;
        const TextStyle style{m_form.smallSize(), QFont::Normal, inkOfModel(curve.panel), {}};
        for (const QPointF& point : curve.points) {
            if (!(point.y() > 0))
                continue;
            const QPointF at = m_axes.at(point.x(), point.y());
            const QString text = figureText(point.y(), true);
            if (!m_labels.draw(drawing, text, style, placesAround(at, style.size, curve.isDashed)))
                drawing.note(tr("There was no room for “%1” in the plot; a wider figure has it.").arg(text));
        }
    }

    /// Nearest first; one way of beginning above its points, the other below.
    static std::vector<FreeLabels::Place> placesAround(QPointF at, double size, bool isBelow)
    {
        std::vector<FreeLabels::Place> places;
        for (int step = 0; step < 6; ++step)
            for (const bool isDown : {isBelow, !isBelow}) {
                const double y = isDown ? 1.4 + 0.6 * step : -0.7 - 0.6 * step;
                for (const auto& [x, align] : {std::pair(0.0, Align::Centre), std::pair(0.6, Align::Left),
                                               std::pair(-0.6, Align::Right)})
                    places.push_back({at + QPointF(x, y) * size, align});
            }
        return places;
    }

    const std::vector<ReportCurve>& m_curves;
    const Form& m_form;
    PlotAxes m_axes;
    FreeLabels m_labels;
};

class ReportLayout {
public:
    ReportLayout(const ReportFigure& figure, const Form& form, Sheet& sheet)
        : m_figure(figure), m_form(form), m_sheet(sheet), m_drawing(sheet.drawing()), m_y(sheet.origin().y())
    {
    }

    void draw()
    {
        drawTop();
        drawRows(tr("On the text"), m_figure.text, m_figure.textRows);
        drawRows(tr("By task"), m_figure.tasks, m_figure.taskRows);
        drawRows(tr("Circuits"), m_figure.circuits, m_figure.circuitRows);
        for (const QString& task : m_figure.leftOut) {
            m_drawing.text({left(), m_y + m_form.fontSize},
                           m_drawing.elided(tr("Left out: %1").arg(task), m_sheet.small(), m_sheet.width()),
                           m_sheet.small());
            m_y += 1.4 * m_form.fontSize;
        }
    }

private:
    double left() const { return m_sheet.origin().x(); }

    double cellSide() const
    {
        double labels = 0, heads = 0, side = kLargestReportCell;
        for (const SummaryPanel& panel : m_figure.panels) {
            labels += HeadMatrix(panel, m_form, 0).size().width() + m_sheet.gap();
            heads += panel.heads.heads;
            side = std::min(side, kTallestReport / std::max(1, panel.heads.layers));
        }
        return std::max(1.0,
                        std::min(side, (kMatricesShare * m_sheet.width() - labels) / std::max(1.0, heads)));
    }

    /// Density of heads, and by length.
    void drawTop()
    {
        const double side = cellSide();
        double x = left(), bottom = m_y;
        const ValueColours colours(m_form, 0, 1);
        for (const SummaryPanel& panel : m_figure.panels) {
            const HeadMatrix matrix(panel, m_form, side);
            const double width = std::clamp(
                matrix.headingWidth(), matrix.size().width(),
                std::max(matrix.size().width(), kMatricesShare / 2 * m_sheet.width() - m_sheet.gap()));
            matrix.draw(m_drawing, {x, m_y}, colours, {}, width);
            x += width + m_sheet.gap();
            bottom = std::max(bottom, m_y + matrix.size().height());
        }
        if (m_form.hasColourBar && !m_figure.panels.empty()) {
            const double inset = HeadMatrix(m_figure.panels.front(), m_form, side).origin().x();
            bottom = colours
                         .drawBar(m_drawing, {left() + inset, bottom + m_form.fontSize}, tr("active edges"),
                                  m_form)
                         .bottom();
        }
        m_y = std::max(bottom, drawLengths(x, bottom)) + 1.5 * m_form.fontSize;
    }

    double drawLengths(double x, double bottom)
    {
        if (m_figure.curves.empty())
            return bottom;
        const double width = left() + m_sheet.width() - x;
        const double top =
            m_y + drawHeading(m_drawing, {x, m_y}, tr("Active edges by length"), {}, width, m_form);
        const double foot = top + std::max(kLengthsHeight, std::min(bottom - top, 1.1 * width) - keyHeight());
        LengthPlot(m_figure.curves, m_form, {x, top, width, foot - top}).draw(m_drawing);
        return drawKey(x, foot + 0.5 * m_form.fontSize);
    }

    double keyHeight() const { return 1.4 * m_form.fontSize * static_cast<double>(m_figure.curves.size()); }

    double drawKey(double x, double y)
    {
        for (const ReportCurve& curve : m_figure.curves) {
            const double middle = y + 0.5 * m_form.fontSize;
            m_drawing.line({x, middle}, {x + 2.5 * m_form.fontSize, middle},
                           Stroke{inkOfModel(curve.panel), 2 * m_form.lineWidth, curve.isDashed});
            const QString name = QStringLiteral("%1, %2").arg(m_figure.panels[curve.panel].title, curve.name);
            const double room = left() + m_sheet.width() - x - 3.2 * m_form.fontSize;
            m_drawing.text({x + 3.2 * m_form.fontSize, middle + 0.33 * m_form.smallSize()},
                           m_drawing.elided(name, m_sheet.small(), room), m_sheet.small());
            y += 1.4 * m_form.fontSize;
        }
        return y;
    }

    void drawRows(const QString& title, const QString& about, const std::vector<SummaryRow>& rows)
    {
        if (rows.empty())
            return;
        m_y += drawHeading(m_drawing, {left(), m_y}, title, about, m_sheet.width(), m_form);
        const SummaryFigure part{m_figure.panels, {}, rows, {}};
        m_y += FiguresWithBars(part, m_form).draw(m_drawing, {left(), m_y}, m_sheet.width(), !m_hasKey);
        m_hasKey = true;
        m_y += 0.6 * m_form.fontSize;
    }

    const ReportFigure& m_figure;
    const Form& m_form;
    Sheet& m_sheet;
    Drawing& m_drawing;
    double m_y;
    bool m_hasKey = false;  // to the colours of bars: once on the page
};

}  // namespace

Drawing draw(const ReportFigure& figure, const Form& form)
{
    Sheet sheet(form);
    ReportLayout(figure, form, sheet).draw();
    return sheet.finish(figure.caption, false);
}

}  // namespace hs::figures
