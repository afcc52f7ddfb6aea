#include "render/figure_style.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QTransform>

#include <algorithm>

namespace hs::render {
namespace {

/// Whether letters can be set one by one; combining marks and scripts from Hebrew on cannot.
bool isPlain(const QString& text)
{
    constexpr char16_t kFirstMark = 0x0300;
    constexpr char16_t kGreek = 0x0370;
    constexpr char16_t kHebrew = 0x0590;
    constexpr char16_t kPunctuation = 0x2010;
    constexpr char16_t kBoxes = 0x2600;
    return std::all_of(text.begin(), text.end(), [](QChar letter) {
        const char16_t code = letter.unicode();
        return code < kFirstMark || (code >= kGreek && code < kHebrew) ||
               (code >= kPunctuation && code < kBoxes);
    });
}

QFont typeface(const QString& text, QFont::Weight weight, const QString& family)
{
    QFont font;
    font.setFamilies(figureFamilies(family));
    font.setWeight(weight);
    // Hinted glyphs have whole-pixel advances, and would set a line differently at each zoom.
    font.setHintingPreference(QFont::PreferNoHinting);
    // Inter would draw the token "->" as an arrow and the x of "2x3" as a times sign.
    if (isPlain(text))
        font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

// Text is measured and outlined at a size where rounding to pixels does not show.
constexpr int kReferencePixels = 100;

QFont referenceFont(const QString& text, QFont::Weight weight, const QString& family)
{
    QFont font = typeface(text, weight, family);
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

QFont figureFont(const QPaintDevice* device, const QString& text, double size, QFont::Weight weight,
                 const QString& family)
{
    QFont font = typeface(text, weight, family);
    // Point sizes may be fractions, pixel sizes may not.
    font.setPointSizeF(size * 72.0 / device->logicalDpiY());
    return font;
}

double textWidth(const QString& text, double size, QFont::Weight weight, const QString& family)
{
    return QFontMetricsF(referenceFont(text, weight, family)).horizontalAdvance(text) * size /
           kReferencePixels;
}

QPainterPath textOutline(QPointF baseline, const QString& text, double size, QFont::Weight weight,
                         const QString& family)
{
    QPainterPath outline;
    outline.setFillRule(Qt::WindingFill);  // joined letters overlap
    outline.addText(QPointF(), referenceFont(text, weight, family), text);
    const double scale = size / kReferencePixels;
    return QTransform::fromScale(scale, scale).map(outline).translated(baseline);
}

}  // namespace hs::render
