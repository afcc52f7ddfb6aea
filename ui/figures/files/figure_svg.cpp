#include "figures/files/figure_svg.h"

#include "figures/files/cell_pixels.h"
#include "figures/files/png_chunks.h"
#include "figures/files/xml_text.h"
#include "figures/parts/drawing_painter.h"

#include <QXmlStreamReader>

namespace hs::figures {
namespace {

constexpr QLatin1String kRecipeNamespace("urn:headscope:figure");
constexpr QLatin1String kRecipeName("recipe");

/// At most three decimals, without trailing zeros.
QByteArray number(double value)
{
    QByteArray text = QByteArray::number(value, 'f', 3);
    while (text.endsWith('0'))
        text.chop(1);
    if (text.endsWith('.'))
        text.chop(1);
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray attribute(const char* name, const QByteArray& value)
{
    return QByteArray(" ") + name + "=\"" + value + '"';
}

QByteArray colour(QRgb ink)
{
    return QColor::fromRgb(ink).name().toLatin1();
}

QByteArray pathData(const QPainterPath& path)
{
    QByteArray data;
    QPointF start;
    const auto add = [&data](char command, QPointF to) {
        data += command + number(to.x()) + ' ' + number(to.y());
    };
    for (int index = 0; index < path.elementCount(); ++index) {
        const QPainterPath::Element element = path.elementAt(index);
        switch (element.type) {
        case QPainterPath::MoveToElement:
            start = element;
            add('M', element);
            break;
        case QPainterPath::LineToElement: {
            const bool isLast = index + 1 == path.elementCount() || path.elementAt(index + 1).isMoveTo();
            if (isLast && QPointF(element) == start && index > 1)
                data += 'Z';
            else
                add('L', element);
            break;
        }
        case QPainterPath::CurveToElement: add('C', element); break;
        case QPainterPath::CurveToDataElement: add(' ', element); break;
        }
    }
    return data;
}

QByteArray strokeAttributes(const Stroke& stroke)
{
    QByteArray text =
        attribute("stroke", colour(stroke.ink)) + attribute("stroke-width", number(stroke.width));
    if (stroke.isDashed) {
        QByteArray lengths;
        for (const double length : kDashes)
            lengths += (lengths.isEmpty() ? "" : " ") + number(length * stroke.width);
        text += attribute("stroke-dasharray", lengths);
    }
    return text;
}

QByteArray element(const DrawnShape& shape, const QString&)
{
    QByteArray text = "<path" + attribute("d", pathData(shape.path));
    text += attribute("fill", shape.fill ? colour(*shape.fill) : QByteArray("none"));
    if (shape.fill && shape.path.fillRule() == Qt::OddEvenFill)
        text += attribute("fill-rule", "evenodd");
    if (shape.stroke)
        text += strokeAttributes(*shape.stroke);
    return text + "/>\n";
}

QByteArray pngOf(const QImage& cells)
{
    const CellPixels pixels = pixelsOf(withUsedColours(cells));
    return pngFile({pixels.width, pixels.height}, PngColours::Palette, pngChunk("PLTE", pixels.palette),
                   pixels.deflated);
}

QByteArray element(const DrawnCells& cells, const QString&)
{
    const QRectF& place = cells.place;
    // For programs that know the attribute's keyword but not the style's.
    return "<image" + attribute("x", number(place.x())) + attribute("y", number(place.y())) +
           attribute("width", number(place.width())) + attribute("height", number(place.height())) +
           attribute("preserveAspectRatio", "none") + attribute("image-rendering", "optimizeSpeed") +
           attribute("style", "image-rendering:pixelated") +
           attribute("xlink:href", "data:image/png;base64," + pngOf(cells.cells).toBase64()) + "/>\n";
}

QByteArray element(const DrawnText& text, const QString& family)
{
    const TextStyle& style = text.style;
    QByteArray turned;
    if (text.angle != 0)
        turned = attribute("transform", "rotate(" + number(-text.angle) + ' ' + number(text.baseline.x()) +
                                            ' ' + number(text.baseline.y()) + ')');
    QByteArray markup;
    if (style.halo) {
        const QPainterPath outline =
            render::textOutline(text.baseline, text.text, style.size, style.weight, family);
        markup += "<path" + attribute("d", pathData(outline)) + attribute("fill", "none") +
                  strokeAttributes({*style.halo, kHaloWidth * style.size, false}) +
                  attribute("stroke-linejoin", "round") + turned + "/>\n";
    }
    markup += "<text" + attribute("x", number(text.baseline.x())) +
              attribute("y", number(text.baseline.y())) + attribute("font-size", number(style.size)) +
              attribute("fill", colour(style.ink));
    if (style.weight != QFont::Normal)
        markup += attribute("font-weight", QByteArray::number(static_cast<int>(style.weight)));
    if (text.text != text.text.simplified())
        markup += attribute("xml:space", "preserve");
    return markup + turned + '>' + xmlText(text.text) + "</text>\n";
}

QByteArray fontFamilies(const QString& family)
{
    QStringList families;
    for (QString name : render::figureFamilies(family))
        families << QLatin1Char('\'') + name.remove(QLatin1Char('\'')) + QLatin1Char('\'');
    families << QStringLiteral("sans-serif");
    return xmlText(families.join(QStringLiteral(", ")));
}

}  // namespace

QByteArray figureSvg(const Drawing& drawing, const Stamp& stamp, bool isTransparent)
{
    const QByteArray width = number(drawing.size().width());
    const QByteArray height = number(drawing.size().height());
    QByteArray svg = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
    svg += attribute("width", width + "pt") + attribute("height", height + "pt") +
           attribute("viewBox", "0 0 " + width + ' ' + height) + ">\n";
    svg += "<title>" + xmlText(stamp.title) + "</title>\n";
    svg += "<desc>" + xmlText(stamp.description) + "</desc>\n";
    svg += "<metadata>" + recipeElement(stamp) + "</metadata>\n";
    svg += "<g" + attribute("font-family", fontFamilies(drawing.fontFamily())) + ">\n";
    if (!isTransparent)
        svg += "<rect" + attribute("width", width) + attribute("height", height) +
               attribute("fill", colour(render::FigureStyle::kPaper)) + "/>\n";
    for (const Drawing::Item& item : drawing.items())
        svg += std::visit([&](const auto& drawn) { return element(drawn, drawing.fontFamily()); }, item);
    return svg + "</g>\n</svg>\n";
}

QByteArray recipeElement(const Stamp& stamp)
{
    return "<recipe xmlns=\"" + QByteArray(kRecipeNamespace.data(), kRecipeNamespace.size()) +
           "\" program=\"HeadScope " HS_VERSION "\">" + xmlJson(stamp.recipe) + "</recipe>";
}

QByteArray recipeInSvg(QByteArrayView file)
{
    QXmlStreamReader reader(file.toByteArray());
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == kRecipeName &&
            reader.namespaceUri() == kRecipeNamespace)
            return reader.readElementText().toUtf8();
    return {};
}

}  // namespace hs::figures
