#include "figures/parts/sheet.h"

#include "render/colour_bar.h"
#include "render/translate.h"

#include <algorithm>

namespace hs::figures {
namespace {

constexpr double kLineHeight = 1.3;       // of the text size
constexpr double kColourBarWidth = 10;    // in small text sizes
constexpr double kColourBarHeight = 0.9;  // in small text sizes

/// Breaks a text at spaces into lines of at most `width`.
QStringList wrapped(const Drawing& drawing, const QString& text, const TextStyle& style, double width)
{
    QStringList lines;
    for (const QString& paragraph : text.split(QLatin1Char('\n'))) {
        QString line;
        for (const QString& word : paragraph.split(QLatin1Char(' '))) {
            const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
            if (line.isEmpty() || drawing.widthOf(longer, style) <= width) {
                line = longer;
                continue;
            }
            lines << line;
            line = word;
        }
        lines << line;
    }
    for (QString& line : lines)
        line = drawing.elided(line, style, width);
    return lines;
}

QRectF boundsOf(const Drawing::Item& item)
{
    if (const auto* const shape = std::get_if<DrawnShape>(&item)) {
        const double reach = shape->stroke ? shape->stroke->width / 2 : 0;
        return shape->path.boundingRect().adjusted(-reach, -reach, reach, reach);
    }
    if (const auto* const cells = std::get_if<DrawnCells>(&item))
        return cells->place;
    return std::get<DrawnText>(item).bounds();
}

}  // namespace

Sheet::Sheet(const Form& form) : m_form(form), m_drawing(form.fontFamily) {}

QRectF Sheet::contentBounds() const
{
    QRectF bounds(origin(), QSizeF(0, 0));
    for (const Drawing::Item& item : m_drawing.items())
        bounds |= boundsOf(item);
    return bounds;
}

Drawing Sheet::finish(const QString& standardCaption, bool hasWeights)
{
    const QRectF content = contentBounds();
    const double right = std::min(std::max(content.right(), kMargin + width() / 2), kMargin + width());
    const bool hasBar = hasWeights && m_form.hasColourBar;
    const QString caption = captionOf(standardCaption, hasWeights, m_form);
    double bottom = content.bottom();
    const double top = bottom + 1.2 * m_form.smallSize();
    double captionWidth = right - kMargin;
    if (hasBar) {
        const QRectF bar = drawColourBar(right, top);
        bottom = bar.bottom();
        captionWidth = bar.left() - kMargin - 1.5 * m_form.fontSize;
    }
    if (!caption.isEmpty())
        drawCaption(caption, top, captionWidth, bottom);
    // Frames extend into the margin by half a line.
    const double page = std::max(pointsOf(m_form.width), content.right());
    m_drawing.setSize({std::min(std::max(content.right(), right) + kMargin, page), bottom + kMargin});
    return std::move(m_drawing);
}

void Sheet::drawCaption(const QString& caption, double top, double width, double& bottom)
{
    const TextStyle style = small();
    double baseline = top + 0.8 * style.size;
    for (const QString& line : wrapped(m_drawing, caption, style, width)) {
        m_drawing.text({kMargin, baseline}, line, style);
        bottom = std::max(bottom, baseline + 0.25 * style.size);
        baseline += kLineHeight * style.size;
    }
}

QRectF Sheet::drawColourBar(double right, double top)
{
    const TextStyle style = small();
    const double ends = 0.6 * style.size;  // half of a number below the bar's end
    const QRectF bar(right - ends - kColourBarWidth * style.size, top, kColourBarWidth * style.size,
                     kColourBarHeight * style.size);
    QImage colours(256, 1, QImage::Format_Indexed8);
    const render::ColourMap map = render::ColourMap::named(m_form.colourMap);
    QList<QRgb> table;
    for (int level = 0; level < 256; ++level) {
        table << map.at(level);
        colours.scanLine(0)[level] = static_cast<uchar>(level);
    }
    colours.setColorTable(table);
    m_drawing.cells(bar, colours);
    m_drawing.rect(bar, Stroke{render::FigureStyle::kFrame, m_form.lineWidth, false});
    const double baseline = bar.bottom() + 1.1 * style.size;
    double previousRight = -1e9;
    for (const render::ColourTick tick : render::colourTicks(m_form.scale, false)) {
        const double value = m_form.lowest + tick.value * (m_form.highest - m_form.lowest);
        const QString number = QString::number(value, 'g', 2);
        const double x = bar.left() + bar.width() * tick.place;
        const double half = m_drawing.widthOf(number, style) / 2;
        if (x - half < previousRight + 0.4 * style.size)
            continue;
        m_drawing.text({x, baseline}, number, style, Align::Centre);
        previousRight = x + half;
    }
    const double nameBaseline = baseline + kLineHeight * style.size;
    const QString name = colourBarName(m_form);
    const double nameWidth = m_drawing.widthOf(name, style);
    const double nameLeft = std::min(bar.left(), right - nameWidth);
    m_drawing.text({nameLeft, nameBaseline}, name, style);
    return {QPointF(nameLeft, top), QPointF(right, nameBaseline + 0.25 * style.size)};
}

double drawHeading(Drawing& drawing, QPointF at, const QString& title, const QString& caption, double width,
                   const Form& form)
{
    const TextStyle large{form.titleSize(), QFont::DemiBold, render::FigureStyle::kInk, {}};
    const TextStyle quiet{form.fontSize, QFont::Normal, render::FigureStyle::kQuietInk, {}};
    double height = 0;
    const auto line = [&](const QString& text, const TextStyle& style) {
        if (text.isEmpty())
            return;
        drawing.text(at + QPointF(0, height + 0.8 * style.size), drawing.elided(text, style, width), style);
        height += kLineHeight * style.size;
    };
    line(title, large);
    line(caption, quiet);
    return height > 0 ? height + 0.35 * form.fontSize : 0;
}

QString captionOf(const QString& standardCaption, bool hasWeights, const Form& form)
{
    if (!form.hasCaption || !form.caption.isEmpty())
        return form.hasCaption ? form.caption : QString();
    return hasWeights ? standardCaption + QStringLiteral(" ") + describeColours(form) : standardCaption;
}

QString colourBarName(const Form& form)
{
    return form.isPerHead ? tr("share of head's peak, %1").arg(scaleName(form.scale))
                          : tr("attention, %1").arg(scaleName(form.scale));
}

QString scaleName(render::Scale scale)
{
    switch (scale) {
    case render::Scale::Linear: return tr("linear scale");
    case render::Scale::SquareRoot: return tr("√ scale");
    case render::Scale::Logarithmic: return tr("log scale");
    }
    return {};
}

QString describeColours(const Form& form)
{
    const QString scale = form.isPerHead ? tr("%1, each head up to its own peak.").arg(scaleName(form.scale))
                                         : tr("%1, %2–%3, shared by all heads.")
                                               .arg(scaleName(form.scale))
                                               .arg(form.lowest)
                                               .arg(form.highest);
    return tr("Colours: %1").arg(scale);
}

}  // namespace hs::figures
