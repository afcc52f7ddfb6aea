#include "figures/presets/scatter_matrix.h"

#include "figures/parts/sheet.h"
#include "figures/parts/value_colours.h"
#include "figures/presets/scatter_plots.h"
#include "render/translate.h"
#include "stats/correlation.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kLabelInset = 0.4;   // of the label's size
constexpr double kLabelShare = 0.22;  // of the plot's side, for a label's size
constexpr double kCapitals = 0.72;    // of the text size

TextStyle smallStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

/// The largest size, up to `wanted`, at which a text of `width` at size 1 fits; 0 if none is legible.
double fittingSize(double room, double width, double wanted)
{
    const double size = width > 0 ? std::min(room / width, wanted) : 0;
    return size >= Form::kLeastText ? size : 0;
}

}  // namespace

QString correlationText(double correlation)
{
    if (std::isnan(correlation))
        return QStringLiteral("–");
    QString number = QString::number(std::abs(correlation), 'f', 2);
    if (correlation < 0 && number != QLatin1String("0.00"))
        number.prepend(QStringLiteral("−"));
    return number;
}

ScatterMatrix::ScatterMatrix(const ScatterPanel& panel, const Form& form, double plotSide)
    : m_panel(panel), m_form(form), m_map(render::ColourMap::named(form.colourMap)), m_side(plotSide),
      m_gap(std::clamp(0.12 * plotSide, 0.5, 6.0))
{
    Drawing measure(form.fontFamily);
    const TextStyle small = smallStyle(form);
    double widest = 0;
    for (int index = 0; index < count(); ++index)
        widest = std::max(widest, render::textWidth(labelOf(index), 1, QFont::DemiBold, form.fontFamily));
    m_labelSize = fittingSize(plotSide, widest + 2 * kLabelInset,
                              std::clamp(kLabelShare * plotSide, Form::kLeastText, form.fontSize));
    m_numberSize = fittingSize(0.92 * plotSide,
                               render::textWidth(QStringLiteral("−0.88"), 1, QFont::Normal, form.fontFamily),
                               form.fontSize);
    const double heading = drawHeading(measure, {}, panel.title, caption(true), 1e6, form);
    if (count() == 0) {
        m_size = {headingWidth(), heading + 1.3 * form.fontSize};
        return;
    }
    const double outer = m_labelSize > 0 ? 0 : widest * small.size + 0.5 * small.size;
    const double numbers = 1.1 * small.size;
    const double name = 1.4 * small.size;
    m_origin = {name + numbers + outer, heading + outer};
    const double plots = count() * step() - m_gap;
    m_size = {m_origin.x() + plots, m_origin.y() + plots + numbers + name};
}

QString ScatterMatrix::caption(bool isShort) const
{
    if (count() == 0)
        return {};
    const auto cells = static_cast<qlonglong>(weightsOf(0).size());
    const QString heads = count() == 1 ? tr("1 head") : tr("%1 heads").arg(count());
    const QString over = cells == 1 ? tr("1 causal cell")
                                    : (m_panel.pattern.isCausal ? tr("%1 causal cells") : tr("%1 cells"))
                                          .arg(QLocale(QLocale::English).toString(cells));
    return isShort || count() == 1 ? QStringLiteral("%1 · %2").arg(heads, over)
                                   : tr("%1 · %2 · r above the diagonal").arg(heads, over);
}

double ScatterMatrix::headingWidth() const
{
    const QString line = count() == 0 ? tr("No head to show") : caption(false);
    return std::max(render::textWidth(m_panel.title, m_form.titleSize(), QFont::DemiBold, m_form.fontFamily),
                    render::textWidth(line, m_form.fontSize, QFont::Normal, m_form.fontFamily));
}

QString ScatterMatrix::labelOf(int index) const
{
    return QString::fromStdString(toString(m_panel.heads[static_cast<std::size_t>(index)]));
}

std::span<const float> ScatterMatrix::weightsOf(int index) const
{
    const auto place = static_cast<std::size_t>(index);
    return place < m_panel.weights.size() ? std::span<const float>(m_panel.weights[place])
                                          : std::span<const float>();
}

void ScatterMatrix::draw(Drawing& drawing, QPointF at, double headingWidth) const
{
    const double width = std::max(m_size.width(), headingWidth);
    const bool isShort =
        render::textWidth(caption(false), m_form.fontSize, QFont::Normal, m_form.fontFamily) > width;
    const double heading = drawHeading(drawing, at, m_panel.title, caption(isShort), width, m_form);
    if (count() == 0) {
        drawing.text(at + QPointF(0, heading + m_form.fontSize), tr("No head to show"),
                     {m_form.fontSize, QFont::Normal, render::FigureStyle::kQuietInk, {}});
        return;
    }
    const double side = count() * step() - m_gap;
    const QRectF plots(at + m_origin, QSizeF(side, side));
    std::vector<std::span<const float>> weights;
    for (int index = 0; index < count(); ++index)
        weights.push_back(weightsOf(index));
    const std::vector<double> ofPairs = stats::correlations(weights);
    auto next = ofPairs.cbegin();
    for (int row = 0; row < count(); ++row)
        for (int column = 0; column < count(); ++column)
            drawPair(drawing, QRectF(plots.topLeft() + QPointF(column, row) * step(), QSizeF(m_side, m_side)),
                     row, column, *next++);
    drawAxes(drawing, plots);
    if (!(m_labelSize > 0))
        drawOuterLabels(drawing, plots);
    if (!(m_numberSize > 0) && count() > 1)
        drawing.note(tr("Plots of %1 mm are too small for numbers of %2 pt, so correlations are shown by "
                        "their tint alone; a wider figure or fewer heads brings the numbers back.")
                         .arg(m_side * 25.4 / 72, 0, 'f', 1)
                         .arg(Form::kLeastText));
}

void ScatterMatrix::drawPair(Drawing& drawing, const QRectF& place, int row, int column,
                             double correlation) const
{
    if (row == column) {
        drawHistogram(drawing, place, weightsOf(row), m_map);
        if (m_labelSize > 0)
            drawing.text(place.topRight() + QPointF(-kLabelInset, kLabelInset + kCapitals) * m_labelSize,
                         labelOf(row), {m_labelSize, QFont::DemiBold, inkOn(m_map.at(0)), {}}, Align::Right);
    } else if (row < column) {
        drawCorrelation(drawing, place, correlation);
    } else {
        drawScatter(drawing, place, weightsOf(column), weightsOf(row), m_map, m_form.lineWidth);
    }
    const double reach = m_form.lineWidth / 2;
    drawing.rect(place.adjusted(reach, reach, -reach, -reach),
                 Stroke{render::FigureStyle::kFrame, m_form.lineWidth, false});
}

void ScatterMatrix::drawCorrelation(Drawing& drawing, const QRectF& place, double correlation) const
{
    const QRgb ground =
        m_map.at(std::isnan(correlation) ? 0 : static_cast<int>(std::lround(255 * std::abs(correlation))));
    drawing.rect(place, {}, ground);
    if (m_numberSize > 0)
        drawing.text(place.center() + QPointF(0, kCapitals / 2 * m_numberSize), correlationText(correlation),
                     {m_numberSize, QFont::Normal, inkOn(ground), {}}, Align::Centre);
}

void ScatterMatrix::drawOuterLabels(Drawing& drawing, const QRectF& plots) const
{
    const TextStyle style = smallStyle(m_form);
    const int every = std::max(1, static_cast<int>(std::ceil(1.1 * style.size / step())));
    const double gap = 0.4 * style.size;
    for (int index = 0; index < count(); index += every) {
        const double middle = index * step() + m_side / 2;
        drawing.text({plots.left() - gap, plots.top() + middle + kCapitals / 2 * style.size}, labelOf(index),
                     style, Align::Right);
        drawing.textUpwards({plots.left() + middle + kCapitals / 2 * style.size, plots.top() - gap},
                            labelOf(index), style);
    }
    drawing.note(every > 1
                     ? tr("Every %1th head is labelled; a wider figure or fewer heads labels all.").arg(every)
                     : tr("Plots are too small for labels, so rows and columns are labelled instead."));
}

void ScatterMatrix::drawAxes(Drawing& drawing, const QRectF& plots) const
{
    const TextStyle style = smallStyle(m_form);
    const QString zero = QStringLiteral("0"), one = QStringLiteral("1");
    const double numbers = plots.bottom() + (0.3 + kCapitals) * style.size;
    const bool hasLabelsLeft = !(m_labelSize > 0);
    const double left = plots.left() - 0.3 * style.size;
    const bool hasRoom = m_side >= 2.6 * style.size;
    for (int index = 0; hasRoom && index < count(); ++index) {
        const double start = plots.left() + index * step();
        // Numbers of adjacent plots must not read as one.
        if (index == 0 || m_gap >= 0.6 * style.size) {
            drawing.text({start, numbers}, zero, style);
            drawing.text({start + m_side, numbers}, one, style, Align::Right);
        }
        if (hasLabelsLeft || index == 0)
            continue;
        const double top = plots.top() + index * step();
        drawing.text({left, top + m_side}, zero, style, Align::Right);
        drawing.text({left, top + kCapitals * style.size}, one, style, Align::Right);
    }
    const auto fitting = [&](const QString& name, const QString& shorter) {
        return drawing.elided(drawing.widthOf(name, style) <= plots.width() ? name : shorter, style,
                              plots.width());
    };
    const QString weight = tr("weight, 0–1");
    const bool isAlone = count() == 1;
    drawing.text({plots.center().x(), plots.bottom() + 2.25 * style.size},
                 fitting(isAlone ? weight : tr("weight of the column's head, 0–1"), weight), style,
                 Align::Centre);
    drawing.textUpwards({plots.left() - m_origin.x() + 0.8 * style.size, plots.center().y()},
                        isAlone ? fitting(tr("cells, log scale"), tr("cells"))
                                : fitting(tr("weight of the row's head, 0–1"), weight),
                        style, Align::Centre);
}

}  // namespace hs::figures
