#include "figures/parts/drawing_painter.h"

#include "render/tile_image.h"

#include <QGlyphRun>
#include <QPaintEngine>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>
#include <set>

namespace hs::figures {
namespace {

bool isVectorDevice(const QPainter& painter)
{
    return painter.paintEngine()->type() == QPaintEngine::Pdf;
}

/// In whole device pixels, at least one.
QRect devicePixels(const QPainter& painter, const QRectF& place)
{
    const QRectF exact = painter.deviceTransform().mapRect(place);
    const QPoint corner(qRound(exact.left()), qRound(exact.top()));
    return {corner, QSize(std::max(1, qRound(exact.width())), std::max(1, qRound(exact.height())))};
}

QPen penOf(const Stroke& stroke)
{
    QPen pen(QColor::fromRgb(stroke.ink), stroke.width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    if (stroke.isDashed)
        pen.setDashPattern({std::begin(kDashes), std::end(kDashes)});
    return pen;
}

bool hasGlyph(const QFont& font, char32_t character)
{
    QTextLayout layout(QString::fromUcs4(&character, 1), font);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    for (const QGlyphRun& run : layout.glyphRuns())
        if (run.glyphIndexes().contains(0))
            return false;
    return true;
}

}  // namespace

DrawingPainter::DrawingPainter(QPainter& painter) : m_painter(painter), m_isVector(isVectorDevice(painter)) {}

void DrawingPainter::paint(const Drawing& drawing)
{
    m_painter.save();
    m_painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing |
                             QPainter::LosslessImageRendering);
    m_painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    for (const Drawing::Item& item : drawing.items()) {
        if (const auto* const shape = std::get_if<DrawnShape>(&item))
            paintShape(*shape);
        else if (const auto* const cells = std::get_if<DrawnCells>(&item))
            paintCells(*cells);
        else
            paintText(std::get<DrawnText>(item), drawing.fontFamily());
    }
    m_painter.restore();
}

void DrawingPainter::paintCells(const DrawnCells& cells)
{
    const QRect pixels = devicePixels(m_painter, cells.place);
    m_painter.save();
    m_painter.resetTransform();
    const double ratio = m_painter.device()->devicePixelRatio();
    m_painter.scale(1 / ratio, 1 / ratio);
    m_painter.drawImage(pixels.topLeft(), render::tileImage(cells.cells, pixels.size()));
    m_painter.restore();
}

void DrawingPainter::paintShape(const DrawnShape& shape)
{
    m_painter.setPen(shape.stroke ? penOf(*shape.stroke) : QPen(Qt::NoPen));
    m_painter.setBrush(shape.fill ? QBrush(QColor::fromRgb(*shape.fill)) : QBrush(Qt::NoBrush));
    m_painter.drawPath(shape.path);
}

void DrawingPainter::paintText(const DrawnText& text, const QString& family)
{
    const TextStyle& style = text.style;
    const bool isTurned = text.angle != 0;
    if (isTurned) {
        m_painter.save();
        m_painter.translate(text.baseline);
        m_painter.rotate(-text.angle);
    }
    const QPointF baseline = isTurned ? QPointF() : text.baseline;
    // The font rasteriser makes glyphs bolder than designed; outlines are not affected.
    const bool isOutlined = !m_isVector;
    QPainterPath outline;
    if (isOutlined || style.halo)
        outline = render::textOutline(baseline, text.text, style.size, style.weight, family);
    if (style.halo)
        m_painter.strokePath(outline, QPen(QColor::fromRgb(*style.halo), kHaloWidth * style.size,
                                           Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (isOutlined && !outline.isEmpty()) {
        m_painter.fillPath(outline, QColor::fromRgb(style.ink));
    } else {
        m_painter.setFont(
            render::figureFont(m_painter.device(), text.text, style.size, style.weight, family));
        m_painter.setPen(QColor::fromRgb(style.ink));
        m_painter.drawText(baseline, text.text);
    }
    if (isTurned)
        m_painter.restore();
}

QStringList missingGlyphs(const Drawing& drawing)
{
    std::set<char32_t> characters;
    for (const Drawing::Item& item : drawing.items())
        if (const auto* const text = std::get_if<DrawnText>(&item))
            for (const char32_t character : text->text.toStdU32String())
                characters.insert(character);
    QFont font;
    font.setFamilies(render::figureFamilies(drawing.fontFamily()));
    QStringList missing;
    for (const char32_t character : characters)
        if (QChar::category(character) != QChar::Other_Control && !hasGlyph(font, character))
            missing << QString::fromUcs4(&character, 1);
    return missing;
}

}  // namespace hs::figures
