#include "figures/presets/attribution_strip.h"

#include "render/translate.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr std::size_t kMostSources = 5;
constexpr double kWidestTitle = 9;  // all in text sizes
constexpr double kBoxPadding = 0.7;
constexpr double kBoxGap = 0.9;
constexpr double kConnector = 1.5;
constexpr double kRise = 2.4;       // of the arrow over the boxes
constexpr double kTargetGap = 1.8;  // between strip and target

TextStyle titleStyle(const Form& form)
{
    return {form.fontSize, QFont::DemiBold, render::FigureStyle::kInk, {}};
}

TextStyle lineStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

TextStyle arrowStyle(const Form& form)
{
    return {form.fontSize, QFont::DemiBold, render::FigureStyle::kMark, {}};
}

QString layerSpan(const AttributionSource& source)
{
    if (source.isEmbedding)
        return tr("embedding");
    return source.firstLayer == source.lastLayer
               ? tr("layer %1").arg(source.firstLayer)
               : tr("layers %1–%2").arg(source.firstLayer).arg(source.lastLayer);
}

}  // namespace

QString percentText(double share)
{
    if (share > 0 && share < 0.005)
        return QStringLiteral("<1 %");
    return QStringLiteral("%1 %").arg(std::lround(100 * share)).replace(QLatin1Char('-'), QChar(0x2212));
}

AttributionStrip::AttributionStrip(const AttributionFigure& figure, const Form& form, double width)
    : m_figure(figure), m_form(form), m_width(width)
{
    m_targetLine = tr("output, %1").arg(percentText(figure.probability));
    m_targetWidth = std::max(boxWidth(figure.target, m_targetLine),
                             chipWidth(figure.target, form, kWidestTitle * form.fontSize));
    chooseSources();
    for (const Box& box : m_boxes)
        m_kinds[box.source.position] = box.kind;
    m_kinds[figure.position] = ChipKind::Marked;
    const double stripWidth = width - m_targetWidth - kTargetGap * form.fontSize;
    m_strip.emplace(figure.tokens, m_kinds, form, stripWidth);
    std::erase_if(m_boxes, [this](const Box& box) { return !m_strip->chip(box.source.position); });
    m_targetLeft = std::min(width - m_targetWidth, m_strip->size().width() + 4 * kTargetGap * form.fontSize);
    placeBoxes();

    const std::size_t heads = figure.sides.empty() ? 0 : figure.sides.back().carrying.heads.size();
    m_hasArrow = !m_boxes.empty() && m_boxes.front().kind == ChipKind::Marked && heads > 0;
    if (m_hasArrow) {
        const QString share = percentText(figure.sides.back().share);
        m_arrowText =
            heads == 1 ? tr("%1 by this head").arg(share) : tr("%1 by these %2 heads").arg(share).arg(heads);
    }
}

double AttributionStrip::boxWidth(const QString& title, const QString& line) const
{
    const Drawing measure(m_form.fontFamily);
    const double titleWidth =
        std::min(measure.widthOf(title, titleStyle(m_form)), kWidestTitle * m_form.fontSize);
    return std::max(titleWidth, measure.widthOf(line, lineStyle(m_form))) + 2 * kBoxPadding * m_form.fontSize;
}

void AttributionStrip::chooseSources()
{
    const double room = m_width - m_targetWidth - kBoxGap * m_form.fontSize;
    double taken = 0;
    for (const AttributionSource& source : m_figure.sources) {
        if (source.position < 0 || source.position >= static_cast<int>(m_figure.tokens.size()))
            continue;
        const QString& token = m_figure.tokens[static_cast<std::size_t>(source.position)];
        Box box{source, source.name.isEmpty() ? token : source.name,
                QStringLiteral("%1, %2").arg(layerSpan(source), percentText(source.share))};
        box.width = boxWidth(box.title, box.layers);
        box.kind =
            m_boxes.empty() || source.position == m_figure.arrowTo ? ChipKind::Marked : ChipKind::Source;
        taken += box.width + kBoxGap * m_form.fontSize;
        if (taken > room || m_boxes.size() == kMostSources)
            break;
        m_boxes.push_back(box);
    }
}

void AttributionStrip::placeBoxes()
{
    std::vector<Box*> inOrder;
    for (Box& box : m_boxes)
        inOrder.push_back(&box);
    std::sort(inOrder.begin(), inOrder.end(),
              [](const Box* one, const Box* other) { return one->source.position < other->source.position; });
    const double gap = kBoxGap * m_form.fontSize;
    double left = 0;
    for (Box* const box : inOrder) {
        box->left = std::max(left, m_strip->chip(box->source.position)->center().x() - box->width / 2);
        left = box->left + box->width + gap;
    }
    double right = m_targetLeft - gap;
    for (auto box = inOrder.rbegin(); box != inOrder.rend(); ++box) {
        (*box)->left = std::min((*box)->left, right - (*box)->width);
        right = (*box)->left - gap;
    }
}

double AttributionStrip::boxHeight() const
{
    return 1.3 * m_form.fontSize + 1.2 * m_form.smallSize() + 0.7 * m_form.fontSize;
}

double AttributionStrip::chipTop() const
{
    return boxTop() + boxHeight() + kConnector * m_form.fontSize;
}

double AttributionStrip::height() const
{
    return chipTop() + m_strip->size().height();
}

QRectF AttributionStrip::placeOf(const Box& box) const
{
    return {box.left, boxTop(), box.width, boxHeight()};
}

QRectF AttributionStrip::targetPlace() const
{
    return {m_targetLeft, boxTop(), m_targetWidth, boxHeight()};
}

const AttributionStrip::Box* AttributionStrip::arrowEnd() const
{
    for (std::size_t index = 1; index < m_boxes.size(); ++index)
        if (m_boxes[index].source.position == m_figure.arrowTo)
            return &m_boxes[index];
    return nullptr;
}

ArchedArrow AttributionStrip::arrow() const
{
    const double clear = 1.5 * m_form.lineWidth;  // between its ends and the boxes
    const Box& source = m_boxes.front();
    const Box* const end = arrowEnd();
    return {{source.left + source.width / 2, -clear},
            {end ? end->left + end->width / 2 : m_targetLeft + m_targetWidth / 2, -clear},
            kRise * m_form.fontSize,
            m_arrowText,
            arrowStyle(m_form),
            m_form.fontFamily,
            3 * m_form.lineWidth};
}

void AttributionStrip::draw(Drawing& drawing, QPointF at) const
{
    m_strip->draw(drawing, at + QPointF(0, chipTop()));
    for (const Box& box : m_boxes) {
        const QRectF place = placeOf(box).translated(at);
        const QRectF chip = m_strip->chip(box.source.position)->translated(at + QPointF(0, chipTop()));
        const double x =
            std::clamp(chip.center().x(), place.left() + m_form.fontSize, place.right() - m_form.fontSize);
        drawing.line({x, place.bottom()}, {chip.center().x(), chip.top()},
                     Stroke{inkOf(box.kind), 1.5 * m_form.lineWidth, false});
        drawBox(drawing, place, box.title, box.layers, inkOf(box.kind));
    }
    const QRectF target = targetPlace().translated(at);
    const double chipSide = chipWidth(m_figure.target, m_form, kWidestTitle * m_form.fontSize);
    const QRectF chip(target.center().x() - chipSide / 2, at.y() + chipTop(), chipSide, chipHeight(m_form));
    drawing.line({chip.center().x(), target.bottom()}, {chip.center().x(), chip.top()},
                 Stroke{inkOf(ChipKind::Target), 1.5 * m_form.lineWidth, false});
    drawBox(drawing, target, m_figure.target, m_targetLine, inkOf(ChipKind::Target));
    drawChip(drawing, chip, m_figure.target, ChipKind::Target, m_form);
    drawing.text({chip.center().x(), chip.bottom() + 1.15 * m_form.smallSize()}, tr("output"),
                 lineStyle(m_form), Align::Centre);
    // What the arrow leads to makes the output.
    if (const Box* const end = arrowEnd(); end && end->source.position == m_figure.position)
        drawing.line({at.x() + end->left + end->width, target.center().y()},
                     {target.left(), target.center().y()},
                     Stroke{inkOf(ChipKind::Target), 1.5 * m_form.lineWidth, false});
    if (m_hasArrow) {
        ArchedArrow moved = arrow();
        moved.from += target.topLeft() - QPointF(m_targetLeft, 0);
        moved.tip += target.topLeft() - QPointF(m_targetLeft, 0);
        moved.draw(drawing, at.x() + m_width);
    }
    if (m_boxes.size() < m_figure.sources.size())
        drawing.note(tr("%1 of %2 sources are drawn, those that matter most; the others are in the data.")
                         .arg(m_boxes.size())
                         .arg(m_figure.sources.size()));
}

void AttributionStrip::drawBox(Drawing& drawing, const QRectF& place, const QString& title,
                               const QString& line, QRgb outline) const
{
    const double radius = 0.5 * m_form.fontSize;
    drawing.rect(place, Stroke{outline, 1.8 * m_form.lineWidth, false}, render::FigureStyle::kPaper, radius);
    const double room = place.width() - 2 * kBoxPadding * m_form.fontSize + 0.1;
    const double x = place.center().x();
    drawing.text({x, place.top() + 1.3 * m_form.fontSize}, drawing.elided(title, titleStyle(m_form), room),
                 titleStyle(m_form), Align::Centre);
    drawing.text({x, place.bottom() - 0.6 * m_form.fontSize}, drawing.elided(line, lineStyle(m_form), room),
                 lineStyle(m_form), Align::Centre);
}

}  // namespace hs::figures
