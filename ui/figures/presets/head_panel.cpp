#include "figures/presets/head_panel.h"

#include "figures/parts/cell_image.h"
#include "figures/parts/sheet.h"
#include "figures/parts/value_colours.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace hs::figures {
namespace {

constexpr int kMostCells = 512;          // per side
constexpr double kLinePitch = 1.12;      // of the text size, between labels
constexpr double kWidestLabel = 7.5;     // of the text size
constexpr int kMostLetters = 15;         // of a token, from its start and from its end
constexpr double kPanelCapitals = 0.72;  // of the text size
constexpr double kLabelGap = 0.45;       // of the label's size, between a label and the map
constexpr double kNameHeight = 1.5;      // of the small text size

TextStyle labelStyle(double size)
{
    return {size, QFont::Normal, render::FigureStyle::kInk, {}};
}

TextStyle nameStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

/// The smallest of 1, 2, 5, 10, 20, ... that is at least `least`.
int roundCount(double least)
{
    for (int power = 1;; power *= 10)
        for (const int factor : {1, 2, 5})
            if (factor * power >= least)
                return factor * power;
}

/// Few enough letters to measure cheaply, but more than will fit.
QString shortened(const QString& token)
{
    if (token.size() <= 2 * kMostLetters)
        return token;
    QString start = token.left(kMostLetters);
    QString end = token.right(kMostLetters);
    if (start.back().isHighSurrogate())
        start.chop(1);
    if (end.front().isLowSurrogate())
        end.remove(0, 1);
    return start + QStringLiteral("…") + end;
}

/// The largest weight of each query.
std::vector<double> peaksOf(const float* pattern, int length)
{
    std::vector<double> peaks;
    for (int query = 0; query < length; ++query) {
        const float* const row = pattern + static_cast<std::size_t>(query) * static_cast<std::size_t>(length);
        peaks.push_back(*std::max_element(row, row + query + 1));
    }
    return peaks;
}

}  // namespace

QImage mapImage(const float* pattern, int length, const Form& form)
{
    const int side = std::min(length, kMostCells);
    const std::vector<double> peaks = peaksOf(pattern, length);
    const double peak = form.isPerHead ? *std::max_element(peaks.begin(), peaks.end()) : 0;
    const ValueColours colours = peak > 0 ? ValueColours(form, 0, peak) : ValueColours(form);
    QImage image = colours.levels(side, side);
    for (int query = 0; query < length; ++query) {
        const float* const row = pattern + static_cast<std::size_t>(query) * static_cast<std::size_t>(length);
        uchar* const line =
            image.scanLine(static_cast<int>(static_cast<std::int64_t>(query) * side / length));
        for (int key = 0; key <= query; ++key) {
            if (std::isnan(row[key]))
                continue;
            uchar& level = line[static_cast<std::int64_t>(key) * side / length];
            level = std::max(level, static_cast<uchar>(colours.levelOf(row[key])));
        }
    }
    return image;
}

TokenLabels::TokenLabels(const std::vector<QString>& tokens, const Form& form, double mapSide)
{
    const double cellSide = mapSide / static_cast<double>(std::max<std::size_t>(1, tokens.size()));
    size = std::clamp(cellSide / kLinePitch, Form::kLeastText, form.smallSize());
    every = roundCount(kLinePitch * size / cellSide * (1 - 1e-9));
    const Drawing measure(form.fontFamily);
    const TextStyle style = labelStyle(size);
    double widest = 0;
    for (std::size_t position = 0; position < tokens.size(); position += static_cast<std::size_t>(every)) {
        const QString token = shortened(tokens[position]);
        const QString text = every > 1 ? QStringLiteral("%1 %2").arg(position).arg(token) : token;
        texts << measure.elided(text, style, kWidestLabel * form.fontSize);
        widest = std::max(widest, measure.widthOf(texts.back(), style));
    }
    depth = widest + kLabelGap * size + kNameHeight * form.smallSize();
}

HeadPanel::HeadPanel(const HeadFigurePanel& panel, int length, const TokenLabels& labels, const Form& form,
                     double mapSide)
    : m_panel(panel), m_length(length), m_labels(labels), m_form(form), m_mapSide(mapSide)
{
    Drawing measure(form.fontFamily);
    const double heading = drawHeading(measure, {}, panel.title, label(), 1e6, form);
    m_origin = {labels.depth, heading};
    m_size = {labels.depth + mapSide, heading + mapSide + labels.depth};
}

const float* HeadPanel::pattern() const
{
    const auto side = static_cast<std::size_t>(m_length);
    return m_panel.maps.get() + static_cast<std::size_t>(m_panel.head.head) * side * side;
}

QString HeadPanel::label() const
{
    return QString::fromStdString(toString(m_panel.head));
}

QString HeadPanel::caption() const
{
    if (!hasMap())
        return label();
    if (m_panel.isAblated)
        return (m_panel.isPatched ? tr("%1 · patched") : tr("%1 · ablated")).arg(label());
    const std::vector<double> peaks = peaksOf(pattern(), m_length);
    const double mean = std::accumulate(peaks.begin(), peaks.end(), 0.0) / m_length;
    return tr("%1 · mean peak %2").arg(label(), QString::number(mean, 'g', 2));
}

double HeadPanel::headingWidth() const
{
    const auto widthOf = [&](const QString& text) {
        return render::textWidth(text, m_form.fontSize, QFont::Normal, m_form.fontFamily);
    };
    return std::max({render::textWidth(m_panel.title, m_form.titleSize(), QFont::DemiBold, m_form.fontFamily),
                     widthOf(caption()), hasMap() ? 0 : widthOf(missingText())});
}

QString HeadPanel::missingText() const
{
    return m_length == 0 ? tr("No token to show") : tr("This model has no such head");
}

void HeadPanel::draw(Drawing& drawing, QPointF at, double width) const
{
    drawHeading(drawing, at, m_panel.title, caption(), std::max(m_size.width(), width), m_form);
    const QRectF map(at + m_origin, QSizeF(m_mapSide, m_mapSide));
    if (!hasMap()) {
        drawMissing(drawing, map, at.x(), std::max(m_size.width(), width));
        return;
    }
    drawMap(drawing, map);
    drawLabels(drawing, map);
    drawNames(drawing, map);
}

void HeadPanel::drawMissing(Drawing& drawing, const QRectF& map, double left, double width) const
{
    const TextStyle style{m_form.fontSize, QFont::Normal, render::FigureStyle::kQuietInk, {}};
    const QString text = missingText();
    if (drawing.widthOf(text, style) > 0.9 * m_mapSide) {
        drawing.text({left, map.top() + m_form.fontSize}, drawing.elided(text, style, width), style);
        return;
    }
    const double reach = m_form.lineWidth / 2;
    drawing.rect(map.adjusted(reach, reach, -reach, -reach),
                 Stroke{render::FigureStyle::kFrame, m_form.lineWidth, false});
    drawing.text(map.center() + QPointF(0, kPanelCapitals / 2 * style.size), text, style, Align::Centre);
}

void HeadPanel::drawMap(Drawing& drawing, const QRectF& map) const
{
    const double reach = m_form.lineWidth / 2;
    const QRectF inside = map.adjusted(reach, reach, -reach, -reach);
    if (m_panel.isAblated)
        drawHatching(drawing, inside,
                     m_panel.isPatched ? render::Hatching::Falling : render::Hatching::Rising,
                     m_form.lineWidth);
    else
        drawing.cells(map, mapImage(pattern(), m_length, m_form));
    drawing.rect(inside, Stroke{render::FigureStyle::kFrame, m_form.lineWidth, false});
    if (m_length > kMostCells && !m_panel.isAblated)
        drawing.note(tr("%1 tokens are drawn as %2 cells a side, each as strong as the largest weight in it.")
                         .arg(m_length)
                         .arg(kMostCells));
}

void HeadPanel::drawLabels(Drawing& drawing, const QRectF& map) const
{
    const TextStyle style = labelStyle(m_labels.size);
    const double cell = m_mapSide / m_length;
    const double gap = kLabelGap * style.size;
    for (qsizetype index = 0; index < m_labels.texts.size(); ++index) {
        const double middle =
            (static_cast<double>(index * m_labels.every) + 0.5) * cell + kPanelCapitals / 2 * style.size;
        drawing.text({map.left() - gap, map.top() + middle}, m_labels.texts[index], style, Align::Right);
        drawing.textUpwards({map.left() + middle, map.bottom() + gap}, m_labels.texts[index], style,
                            Align::Right);
    }
    if (m_labels.every > 1)
        drawing.note(
            tr("One in %1 tokens is labelled, with its position in front; a wider figure or a shorter "
               "prompt labels more of them.")
                .arg(m_labels.every));
}

void HeadPanel::drawNames(Drawing& drawing, const QRectF& map) const
{
    const TextStyle style = nameStyle(m_form);
    const auto fitting = [&](const QString& name, const QString& shorter) {
        return drawing.elided(drawing.widthOf(name, style) <= m_mapSide ? name : shorter, style, m_mapSide);
    };
    drawing.textUpwards({map.left() - m_origin.x() + 0.8 * style.size, map.center().y()},
                        fitting(tr("query (attends)"), tr("query")), style, Align::Centre);
    drawing.text({map.center().x(), map.bottom() + m_origin.x() - 0.25 * style.size},
                 fitting(tr("key (attended to)"), tr("key")), style, Align::Centre);
}

}  // namespace hs::figures
