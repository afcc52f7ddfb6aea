#include "panels/widgets/picture_file.h"

#include "panels/widgets/panel_style.h"

#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

namespace hs::panels {
namespace {

constexpr double kPictureScale = 3;
constexpr double kPixelsPerInch = 96;  // of the screen that sizes refer to

bool writePdf(const QString& file, QSize size, const Paint& paint)
{
    QPdfWriter writer(file);
    writer.setResolution(static_cast<int>(kPixelsPerInch));
    writer.setPageMargins({});
    const QSizeF inches = QSizeF(size) / kPixelsPerInch;
    writer.setPageSize(QPageSize(inches, QPageSize::Inch));
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    paint(painter, paperPalette());
    return painter.end();
}

bool writePng(const QString& file, QSize size, const Paint& paint)
{
    QImage image(size * kPictureScale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(kPictureScale);
    image.fill(paperPalette().color(QPalette::Base));
    QPainter painter(&image);
    paint(painter, paperPalette());
    painter.end();
    return image.save(file);
}

}  // namespace

Result<std::filesystem::path> writePicture(const std::filesystem::path& file, QSize size, const Paint& paint)
{
    const QString name = QString::fromStdString(file.string());
    const bool isPdf = name.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive);
    if (!isPdf && !name.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive))
        return Error{ErrorCode::BadRequest,
                     "\"" + file.filename().string() + "\" names no picture format; end it in .pdf or .png.",
                     {}};
    if (!(isPdf ? writePdf(name, size, paint) : writePng(name, size, paint)))
        return Error{ErrorCode::NotFound,
                     "The picture could not be written to " + file.string() + "; choose another folder.",
                     {}};
    return file;
}

}  // namespace hs::panels
