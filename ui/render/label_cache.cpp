#include "render/label_cache.h"

#include "render/figure_style.h"
#include "render/tile_marks.h"

#include <QPainter>

#include <array>
#include <cmath>

namespace hs::render {
namespace {

constexpr qsizetype kMostLabels = 8192;
constexpr int kPhases = 4;  // positions of a letter between two pixels
constexpr QFont::Weight kWeight = QFont::DemiBold;

double advance(QChar letter, int size)
{
    static const QHash<QChar, double> advances = [] {
        QHash<QChar, double> all;
        for (const QChar each : QStringLiteral("LH0123456789"))
            all.insert(each, textWidth(each, 1, kWeight));
        return all;
    }();
    return advances.value(letter) * size;
}

QString textOf(HeadId head)
{
    return QString::fromStdString(toString(head));
}

quint64 labelKey(HeadId head, int size, bool isAblated)
{
    return (quint64(quint32(head.layer)) << 40) ^ (quint64(quint32(head.head)) << 16) ^
           (quint64(quint32(size)) << 1) ^ quint64(isAblated);
}

}  // namespace

double LabelCache::width(HeadId head, int size)
{
    double sum = 0;
    for (const QChar letter : textOf(head))
        sum += advance(letter, size);
    return sum;
}

const QImage& LabelCache::label(HeadId head, int size, bool isAblated, const LabelInks& inks)
{
    if (m_inks != inks || m_labels.size() > kMostLabels) {
        m_labels.clear();
        m_glyphs.clear();
        m_inks = inks;
    }
    QImage& image = m_labels[labelKey(head, size, isAblated)];
    if (image.isNull())
        image = draw(head, size, isAblated);
    return image;
}

const LabelCache::Glyph& LabelCache::glyph(QChar letter, int phase, int size, bool isAblated)
{
    const quint64 key = (quint64(letter.unicode()) << 32) ^ (quint64(quint32(size)) << 4) ^
                        (quint64(quint32(phase)) << 1) ^ quint64(isAblated);
    Glyph& glyph = m_glyphs[key];
    if (!glyph.ink.isNull())
        return glyph;
    const int pad = padding(size);
    const QSize room(static_cast<int>(std::ceil(advance(letter, size))) + 2 * pad + 1, baseline(size) + pad);
    const QPointF origin(pad + static_cast<double>(phase) / kPhases, baseline(size));
    const QPainterPath outline = textOutline(origin, QString(letter), size, kWeight);
    for (QImage* image : {&glyph.halo, &glyph.ink}) {
        *image = QImage(room, QImage::Format_ARGB32_Premultiplied);
        image->fill(Qt::transparent);
        QPainter painter(image);
        painter.setRenderHint(QPainter::Antialiasing);
        if (image == &glyph.halo)
            paintHalo(painter, outline, size, isAblated ? m_inks.ablatedHalo : m_inks.halo);
        else
            painter.fillPath(outline, QColor::fromRgb(isAblated ? m_inks.ablatedInk : m_inks.ink));
    }
    return glyph;
}

QImage LabelCache::draw(HeadId head, int size, bool isAblated)
{
    const QString text = textOf(head);
    const double length = width(head, size);
    const int pad = padding(size);
    QImage image(static_cast<int>(std::ceil(length)) + 2 * pad + 1, baseline(size) + pad,
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    for (const auto part : {&Glyph::halo, &Glyph::ink}) {
        double x = 0;
        for (const QChar letter : text) {
            const int quarter = static_cast<int>(std::lround(x * kPhases));
            const Glyph& drawn = glyph(letter, quarter % kPhases, size, isAblated);
            painter.drawImage(quarter / kPhases, 0, drawn.*part);
            x += advance(letter, size);
        }
    }
    if (isAblated) {
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF capitals = labelCapitals(QRectF(), LabelCorner::TopLeft, length, size);
        paintStrike(painter, QRectF(pad, baseline(size) - capitals.height(), length, capitals.height()),
                    std::max(10, size), m_inks.strike);
    }
    return image;
}

}  // namespace hs::render
