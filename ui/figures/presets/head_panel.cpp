#include "figures/presets/head_panel.h"

#include "figures/parts/cell_image.h"
#include "figures/parts/sheet.h"
#include "figures/parts/value_colours.h"
#include "render/cell_places.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace hs::figures {
namespace {

constexpr int kMostCells = 512;          // per side
constexpr double kLongestMap = 3;        // times as high as wide, or as wide as high
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
std::vector<double> peaksOf(const float* pattern, const stats::PatternShape& shape)
{
    std::vector<double> peaks;
    for (int query = 0; query < shape.queries; ++query) {
        const float* const row = pattern + shape.indexOf(query, 0);
        peaks.push_back(*std::max_element(row, row + shape.keysOf(query)));
    }
    return peaks;
}

}  // namespace

QSizeF mapSize(const stats::PatternShape& pattern, double side)
{
    const double shape = static_cast<double>(std::max(1, pattern.queries)) / std::max(1, pattern.keys);
    return {side / std::clamp(shape, 1.0, kLongestMap), side * std::clamp(shape, 1 / kLongestMap, 1.0)};
}

QImage mapImage(const float* pattern, const stats::PatternShape& shape, const Form& form)
{
    const int rows = std::min(shape.queries, kMostCells);
    const int columns = std::min(shape.keys, kMostCells);
    const std::vector<double> peaks = peaksOf(pattern, shape);
    const double peak = form.isPerHead ? *std::max_element(peaks.begin(), peaks.end()) : 0;
    const ValueColours colours = peak > 0 ? ValueColours(form, 0, peak) : ValueColours(form);
    QImage image = colours.levels(columns, rows);
    for (int query = 0; query < shape.queries; ++query) {
        const float* const row = pattern + shape.indexOf(query, 0);
        uchar* const line =
            image.scanLine(static_cast<int>(static_cast<std::int64_t>(query) * rows / shape.queries));
        for (int key = 0; key < shape.keysOf(query); ++key) {
            if (std::isnan(row[key]))
                continue;
            uchar& level = line[static_cast<std::int64_t>(key) * columns / shape.keys];
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

HeadPanel::HeadPanel(const HeadFigurePanel& panel, const stats::PatternShape& shape,
                     const TokenLabels& queries, const TokenLabels& keys, const Form& form, QSizeF map)
    : m_panel(panel), m_shape(shape), m_queries(queries), m_keys(keys), m_form(form), m_map(map)
{
    Drawing measure(form.fontFamily);
    const double heading = drawHeading(measure, {}, panel.title, label(), 1e6, form);
    m_origin = {queries.depth, heading};
    m_size = {queries.depth + map.width(), heading + map.height() + keys.depth};
}

const float* HeadPanel::pattern() const
{
    return m_panel.maps.get() + static_cast<std::size_t>(m_panel.head.head) * m_shape.mapSize();
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
    const std::vector<double> peaks = peaksOf(pattern(), m_shape);
    const double mean = std::accumulate(peaks.begin(), peaks.end(), 0.0) / m_shape.queries;
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
    return m_shape.mapSize() == 0 ? tr("No token to show") : tr("This model has no such head");
}

void HeadPanel::draw(Drawing& drawing, QPointF at, double width) const
{
    drawHeading(drawing, at, m_panel.title, caption(), std::max(m_size.width(), width), m_form);
    const QRectF map(at + m_origin, m_map);
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
    if (drawing.widthOf(text, style) > 0.9 * m_map.width()) {
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
        drawing.cells(map, mapImage(pattern(), m_shape, m_form));
    for (const QRectF& cells : m_panel.edited)
        drawHatching(drawing, render::placeIn(map, cells), render::Hatching::Rising, m_form.lineWidth);
    drawing.rect(inside, Stroke{render::FigureStyle::kFrame, m_form.lineWidth, false});
    if (const int length = std::max(m_shape.queries, m_shape.keys); length > kMostCells && !m_panel.isAblated)
        drawing.note(tr("%1 tokens are drawn as %2 cells a side, each as strong as the largest weight in it.")
                         .arg(length)
                         .arg(kMostCells));
}

void HeadPanel::drawLabels(Drawing& drawing, const QRectF& map) const
{
    const auto along = [](const TokenLabels& labels, double cell, auto place) {
        const TextStyle style = labelStyle(labels.size);
        for (qsizetype index = 0; index < labels.texts.size(); ++index)
            place(labels.texts[index],
                  (static_cast<double>(index * labels.every) + 0.5) * cell + kPanelCapitals / 2 * style.size,
                  style);
    };
    along(m_queries, m_map.height() / m_shape.queries,
          [&](const QString& text, double middle, const TextStyle& style) {
              drawing.text({map.left() - kLabelGap * style.size, map.top() + middle}, text, style,
                           Align::Right);
          });
    along(m_keys, m_map.width() / m_shape.keys,
          [&](const QString& text, double middle, const TextStyle& style) {
              drawing.textUpwards({map.left() + middle, map.bottom() + kLabelGap * style.size}, text, style,
                                  Align::Right);
          });
    if (const int every = std::max(m_queries.every, m_keys.every); every > 1)
        drawing.note(
            tr("One in %1 tokens is labelled, with its position in front; a wider figure or a shorter "
               "prompt labels more of them.")
                .arg(every));
}

void HeadPanel::drawNames(Drawing& drawing, const QRectF& map) const
{
    const TextStyle style = nameStyle(m_form);
    const auto fitting = [&](const QString& name, const QString& shorter, double room) {
        return drawing.elided(drawing.widthOf(name, style) <= room ? name : shorter, style, room);
    };
    drawing.textUpwards({map.left() - m_origin.x() + 0.8 * style.size, map.center().y()},
                        fitting(tr("query (attends)"), tr("query"), m_map.height()), style, Align::Centre);
    drawing.text({map.center().x(), map.bottom() + m_keys.depth - 0.25 * style.size},
                 fitting(tr("key (attended to)"), tr("key"), m_map.width()), style, Align::Centre);
}

}  // namespace hs::figures
