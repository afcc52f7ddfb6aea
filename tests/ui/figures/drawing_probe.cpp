#include "ui/figures/drawing_probe.h"

#include "figures/parts/drawing_painter.h"

#include <QPainter>

#include <cmath>

namespace hs::test {
namespace {

constexpr double kSlack = 0.3;  // points by which letters' boxes may touch

std::vector<figures::DrawnText> texts(const figures::Drawing& drawing)
{
    std::vector<figures::DrawnText> all;
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const text = std::get_if<figures::DrawnText>(&item))
            all.push_back(*text);
    return all;
}

QRectF placeOf(const figures::Drawing::Item& item)
{
    if (const auto* const shape = std::get_if<figures::DrawnShape>(&item))
        return shape->path.boundingRect();
    if (const auto* const cells = std::get_if<figures::DrawnCells>(&item))
        return cells->place;
    return std::get<figures::DrawnText>(item).bounds();
}

}  // namespace

figures::Form formOf(double width)
{
    figures::Form form;
    form.width = width;
    return form;
}

QImage imageOf(const figures::Drawing& drawing, double dotsPerInch)
{
    const double scale = dotsPerInch / 72;
    QImage image((drawing.size() * scale).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(scale, scale);
    figures::DrawingPainter(painter).paint(drawing);
    return image;
}

QStringList textsOf(const figures::Drawing& drawing)
{
    QStringList all;
    for (const figures::DrawnText& text : texts(drawing))
        all << text.text;
    return all;
}

QStringList flawsOf(const figures::Drawing& drawing)
{
    QStringList flaws;
    const QRectF page = QRectF(QPointF(), drawing.size()).adjusted(-kSlack, -kSlack, kSlack, kSlack);
    for (const figures::Drawing::Item& item : drawing.items()) {
        const QRectF place = placeOf(item);
        const auto* const text = std::get_if<figures::DrawnText>(&item);
        const bool isInside = place.left() >= page.left() && place.right() <= page.right() &&
                              place.top() >= page.top() && place.bottom() <= page.bottom();
        if (!isInside)
            flaws << QStringLiteral("leaves the page: %1").arg(text ? text->text : QStringLiteral("a shape"));
        if (text && text->style.size < figures::Form::kLeastText - 1e-6)
            flaws << QStringLiteral("too small: %1 at %2 pt").arg(text->text).arg(text->style.size);
    }
    const std::vector<figures::DrawnText> all = texts(drawing);
    for (std::size_t first = 0; first < all.size(); ++first) {
        const QRectF box = all[first].bounds().adjusted(kSlack, kSlack, -kSlack, -kSlack);
        for (std::size_t second = first + 1; second < all.size(); ++second)
            if (box.intersects(all[second].bounds().adjusted(kSlack, kSlack, -kSlack, -kSlack)))
                flaws << QStringLiteral("%1 lies on %2").arg(all[first].text, all[second].text);
    }
    return flaws;
}

void keepPicture(const figures::Drawing& drawing, const QString& name)
{
    const QString folder = qEnvironmentVariable("HS_PICTURES");
    if (!folder.isEmpty())
        imageOf(drawing).save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

}  // namespace hs::test
