#include "panels/inspector/patch_picture.h"

#include "panels/widgets/panel_style.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr int kCaptionLines = 2;
constexpr double kVeil = 0.82;      // opacity of the largest weight
constexpr QRgb kHeat = 0xffd7301f;  // of any colour map: it has to stand out from a picture
constexpr int kPaleness = 100;      // of 255: how far the picture recedes behind the weights
constexpr QRgb kNoPicture = 0xff9a9a9a;

/// The picture without its colours.
QImage pictureOf(const maps::Picture& picture)
{
    if (picture.pixels.empty())
        return {};
    const QImage image(picture.pixels.data(), picture.width, picture.height, 3 * picture.width,
                       QImage::Format_RGB888);
    return image.convertToFormat(QImage::Format_Grayscale8);
}

QString weightWords(const QString& label, double weight)
{
    return QStringLiteral("%1 %2").arg(label, formatNumber(weight, 2));
}

}  // namespace

PatchPicture::PatchPicture(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setAccessibleName(tr("Weights over the picture"));
    setToolTip(
        tr("Where the marked query looks: red patches take its weight. A frame marks the query's own patch, "
           "a red one the key."));
}

void PatchPicture::setRow(std::shared_ptr<const maps::Block> block, int query, std::vector<double> row,
                          const AxisLabels& labels, std::optional<int> markedKey)
{
    if (block != m_block)
        m_picture = pictureOf(block->facts().picture);
    m_block = std::move(block);
    m_query = query;
    m_row = std::move(row);
    m_labels = labels;
    m_marked = markedKey;
    update();
}

QRectF PatchPicture::place() const
{
    const QSizeF room(width() - 2.0, height() - kCaptionLines * fontMetrics().lineSpacing() - 2.0);
    const QSizeF shape = m_picture.isNull() ? QSizeF(grid().columns, grid().rows) : QSizeF(m_picture.size());
    const QSizeF size = shape.scaled(room.expandedTo({1, 1}), Qt::KeepAspectRatio);
    return {QPointF(std::round((width() - size.width()) / 2), 1), size};
}

QRectF PatchPicture::patchRect(int key) const
{
    if (!m_block || !grid().contains(key))
        return {};
    const QRectF picture = place();
    const int patch = key - grid().first;
    const QSizeF size(picture.width() / grid().columns, picture.height() / grid().rows);
    return {picture.topLeft() +
                QPointF(patch % grid().columns * size.width(), patch / grid().columns * size.height()),
            size};
}

std::optional<int> PatchPicture::keyAt(QPointF point) const
{
    if (!m_block || !place().contains(point))
        return std::nullopt;
    const QPointF within = point - place().topLeft();
    const int column = static_cast<int>(within.x() / place().width() * grid().columns);
    const int row = static_cast<int>(within.y() / place().height() * grid().rows);
    return grid().first + std::clamp(row, 0, grid().rows - 1) * grid().columns +
           std::clamp(column, 0, grid().columns - 1);
}

QString PatchPicture::otherKeys() const
{
    QStringList parts;
    for (int key = 0; key < static_cast<int>(m_row.size()); ++key)
        if (const double weight = m_row[static_cast<std::size_t>(key)];
            !grid().contains(key) && !std::isnan(weight))
            parts << weightWords(m_labels.keys.value(key), weight);
    return parts.join(QStringLiteral(" · "));
}

void PatchPicture::paintEvent(QPaintEvent*)
{
    if (!m_block)
        return;
    QPainter painter(this);
    const QRectF picture = place();
    if (m_picture.isNull()) {
        painter.fillRect(picture, QColor::fromRgb(kNoPicture));
    } else {
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(picture, m_picture);
    }
    painter.fillRect(picture, QColor(255, 255, 255, kPaleness));
    double largest = 0;
    for (int key = grid().first; key < grid().first + grid().count(); ++key)
        largest = std::fmax(largest, m_row[static_cast<std::size_t>(key)]);
    QColor heat = QColor::fromRgb(kHeat);
    for (int key = grid().first; largest > 0 && key < grid().first + grid().count(); ++key) {
        const double weight = m_row[static_cast<std::size_t>(key)];
        heat.setAlphaF(static_cast<float>(std::isnan(weight) ? 0 : kVeil * weight / largest));
        painter.fillRect(patchRect(key), heat);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(picture);
    if (const auto& own = m_block->facts().queryPatches; own && own == grid() && own->contains(m_query)) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(patchRect(m_query));
    }
    if (m_marked) {
        painter.setPen(QPen(markColour(palette()), 2));
        painter.drawRect(patchRect(*m_marked));
    }
    painter.setPen(quietInk(palette()));
    const QString largestWords = tr("largest weight %1").arg(formatNumber(largest, 3));
    const QString others = otherKeys();
    painter.drawText(QRectF(0, picture.bottom() + 3, width(), height() - picture.bottom() - 3),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     others.isEmpty() ? largestWords : QStringLiteral("%1 · %2").arg(largestWords, others));
}

void PatchPicture::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<int> key = keyAt(event->position());
    if (key == m_hovered)
        return;
    m_hovered = key;
    if (key)
        Q_EMIT keyHovered(*key);
    else
        Q_EMIT hoverLeft();
}

void PatchPicture::leaveEvent(QEvent*)
{
    if (std::exchange(m_hovered, std::nullopt))
        Q_EMIT hoverLeft();
}

}  // namespace hs::panels
