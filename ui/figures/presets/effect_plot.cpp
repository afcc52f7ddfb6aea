#include "figures/presets/effect_plot.h"

#include "render/translate.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kLogarithmicFrom = 30;  // times the fewest units kept
constexpr double kMostDots = 40;         // curves with more points have no dots
constexpr double kDotRadius = 2;         // in line widths

QRgb inkOfCurve(std::size_t curve)
{
    return curve == 0 ? render::FigureStyle::kAccent : render::FigureStyle::kSecondAccent;
}

/// "4.5", "16.1", "230".
QString factorText(double factor)
{
    return factor >= 100 ? QString::number(factor, 'f', 0)
                         : QString::number(factor, 'g', factor < 10 ? 2 : 3);
}

AxisNames namesOf(const ExplainedEffectFigure& figure)
{
    return {tr("%1 kept").arg(figure.unit), tr("explained effect")};
}

}  // namespace

EffectPlot::EffectPlot(const ExplainedEffectFigure& figure, const Form& form, const QRectF& place)
    : m_figure(figure), m_form(form),
      m_axes(place.marginsRemoved(PlotAxes::margins(keptRange(), effectRange(), namesOf(figure), form)),
             keptRange(), effectRange()),
      m_labels(m_axes.place())
{
}

AxisRange EffectPlot::keptRange() const
{
    double least = 0, most = 0;
    for (const EffectCurve& curve : m_figure.curves)
        for (const analyses::CircuitPoint& point : curve.points) {
            most = std::max<double>(most, point.kept);
            if (point.kept > 0)
                least = least > 0 ? std::min<double>(least, point.kept) : point.kept;
        }
    if (!(least > 0))
        return {0, 1, false};
    if (most > kLogarithmicFrom * least)
        return {least * 0.85, most * 1.05, true};
    return {0, 1.04 * most, false};
}

AxisRange EffectPlot::effectRange() const
{
    double least = 0, most = std::max(1.0, m_figure.level);
    for (const EffectCurve& curve : m_figure.curves)
        for (const analyses::CircuitPoint& point : curve.points)
            if (std::isfinite(point.effect)) {
                least = std::min(least, point.effect);
                most = std::max(most, point.effect);
            }
    const double room = 0.04 * (most - least);
    return {least < 0 ? least - room : 0, most + room, false};
}

std::vector<QPointF> EffectPlot::placesOf(const EffectCurve& curve) const
{
    std::vector<QPointF> places;
    for (const analyses::CircuitPoint& point : curve.points)
        if (std::isfinite(point.effect) && (point.kept > 0 || !m_axes.xRange().isLogarithmic))
            places.push_back(m_axes.at(point.kept, point.effect));
    return places;
}

void EffectPlot::draw(Drawing& drawing)
{
    m_axes.draw(drawing, m_form, namesOf(m_figure));
    for (const EffectCurve& curve : m_figure.curves) {
        const std::vector<QPointF> places = placesOf(curve);
        for (std::size_t next = 1; next < places.size(); ++next)
            m_labels.keepOff(places[next - 1], places[next]);
        if (places.size() == 1)
            m_labels.keepOff(places[0], places[0]);
    }
    const double level = m_axes.at(m_axes.xRange().lowest, m_figure.level).y();
    m_labels.keepOff({m_axes.place().left(), level}, {m_axes.place().right(), level});
    drawDrops(drawing);
    drawLevel(drawing);
    drawFactor(drawing);
    drawCurves(drawing);
    drawTitles(drawing);
}

void EffectPlot::drawLevel(Drawing& drawing)
{
    const QRectF& place = m_axes.place();
    const double y = m_axes.at(m_axes.xRange().lowest, m_figure.level).y();
    drawing.line({place.left(), y}, {place.right(), y},
                 Stroke{render::FigureStyle::kQuietInk, m_form.lineWidth, true});
    const TextStyle style{m_form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
    const double below = y + 1.15 * style.size, above = y - 0.5 * style.size;
    const double left = place.left() + 0.5 * style.size, right = place.right() - 0.3 * style.size;
    m_labels.draw(drawing, tr("level %1").arg(m_figure.level), style,
                  {{{right, below}, Align::Right},
                   {{left, above}, Align::Left},
                   {{right, above}, Align::Right},
                   {{left, below}, Align::Left}});
}

void EffectPlot::drawCurves(Drawing& drawing)
{
    for (std::size_t index = 0; index < m_figure.curves.size(); ++index) {
        const std::vector<QPointF> places = placesOf(m_figure.curves[index]);
        if (places.empty())
            continue;
        QPainterPath line(places.front());
        QPainterPath dots;
        const double radius = kDotRadius * m_form.lineWidth;
        for (const QPointF& point : places) {
            line.lineTo(point);
            dots.addEllipse(point, radius, radius);
        }
        if (places.size() > 1)
            drawing.shape(line, Stroke{inkOfCurve(index), 2 * m_form.lineWidth, false});
        if (places.size() <= kMostDots)
            drawing.shape(dots, {}, inkOfCurve(index));
    }
}

void EffectPlot::drawDrops(Drawing& drawing)
{
    const double foot = m_axes.place().bottom();
    std::vector<std::size_t> inOrder;
    for (std::size_t index = 0; index < m_figure.curves.size(); ++index) {
        const std::optional<int>& smallest = m_figure.curves[index].smallest;
        if (smallest && (*smallest > 0 || !m_axes.xRange().isLogarithmic))
            inOrder.push_back(index);
    }
    std::sort(inOrder.begin(), inOrder.end(), [this](std::size_t one, std::size_t other) {
        return *m_figure.curves[one].smallest < *m_figure.curves[other].smallest;
    });
    for (const std::size_t index : inOrder) {
        const QPointF top = m_axes.at(*m_figure.curves[index].smallest, m_figure.level);
        drawing.line(top, {top.x(), foot}, Stroke{inkOfCurve(index), m_form.lineWidth, true});
        m_labels.keepOff(top, {top.x(), foot});
    }
    for (std::size_t rank = 0; rank < inOrder.size(); ++rank) {
        const int smallest = *m_figure.curves[inOrder[rank]].smallest;
        const double x = m_axes.at(smallest, m_figure.level).x();
        const TextStyle style{m_form.fontSize, QFont::DemiBold, inkOfCurve(inOrder[rank]), {}};
        const double aside = 0.4 * style.size;
        std::vector<FreeLabels::Place> candidates;
        for (int line = 0; line < 6; ++line) {
            const double y = foot - (0.5 + 1.4 * line) * style.size;
            const FreeLabels::Place left{{x - aside, y}, Align::Right}, right{{x + aside, y}, Align::Left};
            const bool isLeftFirst = rank + 1 < inOrder.size();
            candidates.push_back(isLeftFirst ? left : right);
            candidates.push_back(isLeftFirst ? right : left);
        }
        m_labels.draw(drawing, QString::number(smallest), style, candidates);
    }
}

void EffectPlot::drawFactor(Drawing& drawing)
{
    if (m_figure.curves.size() != 2 || !m_figure.curves[0].smallest || !m_figure.curves[1].smallest)
        return;
    const auto [fewer, more] = std::minmax(*m_figure.curves[0].smallest, *m_figure.curves[1].smallest);
    if (fewer <= 0 || fewer == more)
        return;
    const QString factor = factorText(static_cast<double>(more) / fewer);
    const QString text = tr("%1× fewer %2").arg(factor, m_figure.unit);
    const TextStyle usual{m_form.fontSize, QFont::DemiBold, render::FigureStyle::kInk, {}};
    TextStyle small = usual;
    small.size = m_form.smallSize();
    const bool isSet = drawFactor(drawing, text, usual, fewer, more) ||
                       drawFactor(drawing, text, small, fewer, more) ||
                       drawFactor(drawing, factor + QStringLiteral("×"), usual, fewer, more);
    if (!isSet)
        drawing.note(tr("There was no room for “%1” in the plot; a wider figure has it.").arg(text));
}

bool EffectPlot::drawFactor(Drawing& drawing, const QString& text, const TextStyle& style, int fewer,
                            int more)
{
    const QRectF& place = m_axes.place();
    const double left = m_axes.at(fewer, 0).x(), right = m_axes.at(more, 0).x();
    const double level = m_axes.at(fewer, m_figure.level).y();
    // The lowest place where the text is free, between the lines or otherwise beside them.
    for (double y = place.bottom() - 2.2 * m_form.fontSize; y > level + style.size; y -= 0.5 * style.size) {
        const double onLine = y + 0.36 * style.size;
        if (!m_labels.draw(drawing, text, style,
                           {{{(left + right) / 2, y - 0.5 * style.size}, Align::Centre},
                            {{right + 0.6 * style.size, onLine}, Align::Left},
                            {{left - 0.6 * style.size, onLine}, Align::Right}}))
            continue;
        const double head = std::min(0.8 * style.size, 0.6 * (right - left));
        const double rim = m_form.lineWidth;
        drawing.line({left + rim + 0.7 * head, y}, {right - rim, y},
                     Stroke{style.ink, 1.6 * m_form.lineWidth, false});
        drawing.arrowHead({left + rim, y}, {-1, 0}, head, style.ink);
        m_labels.keepOff({left, y}, {right, y});
        return true;
    }
    return false;
}

void EffectPlot::drawTitles(Drawing& drawing)
{
    for (std::size_t index = 0; index < m_figure.curves.size(); ++index) {
        const std::vector<QPointF> places = placesOf(m_figure.curves[index]);
        if (places.empty()) {
            drawing.note(tr("%1 has no points to draw.").arg(m_figure.curves[index].title));
            continue;
        }
        const TextStyle style{m_form.fontSize, QFont::DemiBold, inkOfCurve(index), {}};
        const QString title =
            drawing.elided(m_figure.curves[index].title, style, 0.45 * m_axes.place().width());
        std::vector<FreeLabels::Place> candidates;
        const double wanted = m_axes.at(m_axes.xRange().lowest, 0.55 * m_figure.level).y();
        std::vector<QPointF> anchors;
        for (std::size_t next = 1; next < places.size(); ++next)
            for (int step = 0; step < 4; ++step)
                anchors.push_back(places[next - 1] + (places[next] - places[next - 1]) * (step / 4.0));
        anchors.push_back(places.back());
        std::stable_sort(anchors.begin(), anchors.end(), [&](QPointF one, QPointF other) {
            return std::abs(one.y() - wanted) < std::abs(other.y() - wanted);
        });
        for (const QPointF& anchor : anchors)
            for (const double drop : {0.36, 1.2, -0.6, 2.4, -1.8}) {
                const double y = anchor.y() + drop * style.size;
                candidates.push_back({{anchor.x() - 0.7 * style.size, y}, Align::Right});
                candidates.push_back({{anchor.x() + 0.7 * style.size, y}, Align::Left});
            }
        if (!m_labels.draw(drawing, title, style, candidates))
            drawing.note(tr("There was no room for the name of “%1” in the plot; a wider figure has it.")
                             .arg(m_figure.curves[index].title));
    }
}

}  // namespace hs::figures
