#include "render/figure_style.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QTransform>

namespace hs {
namespace {

QFont typeface(QFont::Weight weight, const QString& family)
{
    QFont font;
    font.setFamilies(figureFamilies(family));
    font.setWeight(weight);
    // Hinted glyphs have whole-pixel advances, and would set a line differently at each zoom.
    font.setHintingPreference(QFont::PreferNoHinting);
    // Inter would draw the token "->" as an arrow and the x of "2x3" as a times sign.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

// Measured and outlined at a size where rounding to pixels does not show.
constexpr int kReferencePixels = 100;

QFont referenceFont(QFont::Weight weight, const QString& family)
{
    QFont font = typeface(weight, family);
    font.setPixelSize(kReferencePixels);
    return font;
}

}  // namespace

QStringList figureFamilies(const QString& family)
{
    QStringList families = {QStringLiteral("Inter"), QStringLiteral("DejaVu Sans")};
    if (!family.isEmpty())
        families.prepend(family);
    return families;
}

QFont figureFont(const QPaintDevice* device, double size, QFont::Weight weight, const QString& family)
{
    QFont font = typeface(weight, family);
    // Point sizes may be fractions, pixel sizes may not.
    font.setPointSizeF(size * 72.0 / device->logicalDpiY());
    return font;
}

double textWidth(const QString& text, double size, QFont::Weight weight, const QString& family)
{
    return QFontMetricsF(referenceFont(weight, family)).horizontalAdvance(text) * size / kReferencePixels;
}

QPainterPath textOutline(QPointF baseline, const QString& text, double size, QFont::Weight weight,
                         const QString& family)
{
    QPainterPath outline;
    outline.addText(QPointF(), referenceFont(weight, family), text);
    const double scale = size / kReferencePixels;
    return QTransform::fromScale(scale, scale).map(outline).translated(baseline);
}

}  // namespace hs
