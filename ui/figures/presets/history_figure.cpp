#include "figures/presets/history_figure.h"

#include "figures/parts/free_labels.h"
#include "figures/parts/plot_axes.h"
#include "figures/parts/sheet.h"
#include "render/spread_apart.h"
#include "render/step_axis.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::figures {
namespace {

constexpr double kHistoryHeight = 0.62;     // of the width
constexpr double kMostHistoryHeight = 220;  // points
constexpr double kJumpRadius = 2.6;         // in line widths
constexpr double kNamesWidth = 4.2;         // of the small text size, beside the plot
constexpr double kNameLine = 1.15;          // likewise, from name to name
constexpr double kPalerByRank = 0.06;
constexpr double kPalestLine = 0.6;
constexpr double kHistoryRoom = 0.05;  // of the values' range, above and below

/// The axes, the lines, and the names of their heads.
class HistoryPlot {
public:
    HistoryPlot(const HistoryFigure& figure, const Form& form, const QRectF& place)
        : m_figure(figure), m_form(form), m_steps(stepsOf(figure)),
          m_axes(place.marginsRemoved(PlotAxes::margins(stepRange(), valueRange(), names(), form))
                     .adjusted(0, 0, -kNamesWidth * form.smallSize(), 0),
                 stepRange(), valueRange()),
          m_labels(m_axes.place())
    {
    }

    void draw(Drawing& drawing)
    {
        m_axes.draw(drawing, m_form, names());
        for (const HistoryLine& line : m_figure.lines)
            drawLine(drawing, line);
        drawNames(drawing);
        drawTitles(drawing);
    }

private:
    /// A model's colour; its first lines stand out from the later ones.
    QRgb inkOf(const HistoryLine& line) const
    {
        const QColor own(line.panel == 0 ? render::FigureStyle::kAccent : render::FigureStyle::kSecondAccent);
        const auto rank = std::count_if(m_figure.lines.data(), &line, [&](const HistoryLine& before) {
            return before.panel == line.panel;
        });
        const double share = std::max(kPalestLine, 1 - kPalerByRank * static_cast<double>(rank));
        const auto paler = [share](int value) { return static_cast<int>(255 + share * (value - 255)); };
        return qRgb(paler(own.red()), paler(own.green()), paler(own.blue()));
    }

    static render::StepAxis stepsOf(const HistoryFigure& figure)
    {
        std::vector<std::int64_t> steps;
        for (const HistoryModel& model : figure.models)
            steps.insert(steps.end(), model.steps.begin(), model.steps.end());
        return render::StepAxis(steps);
    }

    AxisNames names() const { return {tr("step of the training"), m_figure.metric}; }

    AxisRange stepRange() const { return {m_steps.lowest(), m_steps.highest(), m_steps.isLogarithmic()}; }

    AxisRange valueRange() const
    {
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (const HistoryLine& line : m_figure.lines)
            for (const double value : line.values)
                if (std::isfinite(value)) {
                    least = std::min(least, value);
                    most = std::max(most, value);
                }
        if (!(least < most))
            return {std::isfinite(least) ? least - 0.5 : 0, std::isfinite(least) ? least + 0.5 : 1, false};
        const double room = kHistoryRoom * (most - least);
        return {least - room, most + room, false};
    }

    std::optional<QPointF> placeOf(const HistoryLine& line, std::size_t point) const
    {
        const std::int64_t step = m_figure.models[static_cast<std::size_t>(line.panel)].steps[point];
        if (!std::isfinite(line.values[point]))
            return std::nullopt;
        return m_axes.at(m_steps.at(step), line.values[point]);
    }

    void drawLine(Drawing& drawing, const HistoryLine& line)
    {
        QPainterPath path;
        std::optional<QPointF> before;
        for (std::size_t point = 0; point < line.values.size(); ++point) {
            const auto at = placeOf(line, point);
            if (at && before) {
                path.moveTo(*before);
                path.lineTo(*at);
                m_labels.keepOff(*before, *at);
            }
            before = at;
        }
        drawing.shape(path, Stroke{inkOf(line), 1.4 * m_form.lineWidth, false});
        const auto jump = line.jump ? placeOf(line, *line.jump) : std::nullopt;
        if (!jump)
            return;
        const double radius = kJumpRadius * m_form.lineWidth;
        QPainterPath dot;
        dot.addEllipse(*jump, radius, radius);
        drawing.shape(dot, {}, inkOf(line));
        m_labels.keepOff(*jump - QPointF(radius, radius), *jump + QPointF(radius, radius));
    }

    /// Names stand beside the ends of their lines, and make way for one another.
    void drawNames(Drawing& drawing)
    {
        const double size = m_form.smallSize();
        std::vector<std::pair<double, const HistoryLine*>> ends;
        for (const HistoryLine& line : m_figure.lines)
            if (const auto end = endOf(line))
                ends.emplace_back(end->y(), &line);
        const QRectF& room = m_axes.place();
        render::spreadApart(ends, kNameLine * size, room.top(), room.bottom());
        for (const auto& [y, line] : ends) {
            const TextStyle style{size, QFont::Normal, inkOf(*line), {}};
            const double left = room.right() + 0.9 * size;
            const QPointF end(left - 0.2 * size, y);
            drawing.line(*endOf(*line), end,
                         Stroke{render::FigureStyle::kQuietInk, 0.5 * m_form.lineWidth, false});
            m_labels.keepOff(*endOf(*line), end);
            drawing.text({left, y + 0.36 * size}, QString::fromStdString(toString(line->head)), style);
        }
    }

    std::optional<QPointF> endOf(const HistoryLine& line) const
    {
        for (std::size_t point = line.values.size(); point-- > 0;)
            if (const auto at = placeOf(line, point))
                return at;
        return std::nullopt;
    }

    void drawTitles(Drawing& drawing)
    {
        const TextStyle usual{m_form.fontSize, QFont::DemiBold, render::FigureStyle::kInk, {}};
        for (std::size_t panel = 0; panel < m_figure.models.size(); ++panel) {
            TextStyle style = usual;
            style.ink = panel == 0 ? render::FigureStyle::kAccent : render::FigureStyle::kSecondAccent;
            std::vector<FreeLabels::Place> places;
            const QRectF& room = m_axes.place();
            for (double y = room.top() + style.size; y < room.bottom(); y += 0.7 * style.size) {
                places.push_back({{room.left() + style.size, y}, Align::Left});
                places.push_back({{room.right() - 0.3 * style.size, y}, Align::Right});
            }
            const QString title = drawing.elided(m_figure.models[panel].title, style, 0.45 * room.width());
            if (!m_labels.draw(drawing, title, style, places))
                drawing.note(tr("There was no room for the name of “%1” in the plot; a wider figure has it.")
                                 .arg(m_figure.models[panel].title));
        }
    }

    const HistoryFigure& m_figure;
    const Form& m_form;
    render::StepAxis m_steps;
    PlotAxes m_axes;
    FreeLabels m_labels;
};

}  // namespace

Drawing draw(const HistoryFigure& figure, const Form& form)
{
    Sheet sheet(form);
    const QRectF place(sheet.origin(),
                       QSizeF(sheet.width(), std::min(kHistoryHeight * sheet.width(), kMostHistoryHeight)));
    HistoryPlot(figure, form, place).draw(sheet.drawing());
    if (figure.lines.empty())
        sheet.drawing().text(place.center(),
                             figure.models.empty() ? tr("No steps of a training") : tr("No head changes"),
                             sheet.quiet(), Align::Centre);
    return sheet.finish(figure.caption, false);
}

DataTable table(const HistoryFigure& figure)
{
    DataTable result{{{"panel", {}}, {"layer", {}}, {"head", {}}, {"step", {}}, {"value", {}}}};
    for (const HistoryLine& line : figure.lines)
        for (std::size_t point = 0; point < line.values.size(); ++point) {
            std::size_t column = 0;
            for (const double value :
                 {static_cast<double>(line.panel), static_cast<double>(line.head.layer),
                  static_cast<double>(line.head.head),
                  static_cast<double>(figure.models[static_cast<std::size_t>(line.panel)].steps[point]),
                  line.values[point]})
                result.columns[column++].values.push_back(value);
        }
    return result;
}

}  // namespace hs::figures
