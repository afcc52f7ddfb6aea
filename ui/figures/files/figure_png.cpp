#include "figures/files/figure_png.h"

#include "base/failure.h"
#include "base/system_memory.h"
#include "figures/files/png_chunks.h"
#include "figures/parts/drawing_painter.h"

#include <QPainter>
#include <QtEndian>

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kMostPixels = 30000;         // per side; the raster engine's limit is 32,767
constexpr std::uint64_t kBytesPerPixel = 12;  // for the picture, its lines and their packed form
constexpr int kPackingEffort = 3;
constexpr char kSameAsAbove = 2;
constexpr const char* kRecipeKeyword = "headscope";

QSize pixelSize(const Drawing& drawing, double scale)
{
    const QSizeF size = drawing.size() * scale;
    if (!(scale > 0) || !(size.width() <= kMostPixels) || !(size.height() <= kMostPixels))
        fail(ErrorCode::TooLarge, "The picture would be larger than 30,000 pixels a side; ask for fewer dots "
                                  "per inch, a narrower figure, or an .svg or .pdf file.");
    // Coordinates are sums of fractions: a tiny excess over a whole pixel must not add another one.
    const auto whole = [](double length) { return std::max(1, static_cast<int>(std::ceil(length - 1e-6))); };
    return {whole(size.width()), whole(size.height())};
}

[[noreturn]] void refuseForMemory()
{
    fail(ErrorCode::TooLarge,
         "There is not enough memory for the picture; ask for fewer dots per inch, or an "
         ".svg or .pdf file.");
}

/// Lines of bytes in PNG form, packed. Figures are areas of even colour: a line is stored as it is, or
/// as equal to the one above, which packs better than predicting gradients.
QByteArray deflatedLines(const QImage& image)
{
    const qsizetype bytes = static_cast<qsizetype>(image.width()) * image.depth() / 8;
    QByteArray lines((1 + bytes) * image.height(), '\0');
    char* line = lines.data();
    for (int y = 0; y < image.height(); ++y, line += 1 + bytes) {
        const uchar* const source = image.constScanLine(y);
        const bool isSame = y > 0 && std::equal(source, source + bytes, image.constScanLine(y - 1));
        if (isSame)
            *line = kSameAsAbove;
        else
            std::copy_n(source, bytes, line + 1);
    }
    return qCompress(lines, kPackingEffort).sliced(4);
}

QByteArray resolutionChunk(int dotsPerMetre)
{
    QByteArray content(9, '\1');  // its last byte is the unit, the metre
    qToBigEndian(static_cast<quint32>(dotsPerMetre), content.data());
    qToBigEndian(static_cast<quint32>(dotsPerMetre), content.data() + 4);
    return pngChunk("pHYs", content);
}

}  // namespace

QImage figureImage(const Drawing& drawing, const PixelOptions& options)
{
    const double scale = options.dotsPerInch / kPointsPerInch;
    const QSize size = pixelSize(drawing, scale);
    const auto bytes =
        static_cast<std::uint64_t>(size.width()) * static_cast<std::uint64_t>(size.height()) * kBytesPerPixel;
    if (bytes > availableMemory().value_or(bytes))
        refuseForMemory();
    QImage image(size, options.isTransparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    if (image.isNull())
        refuseForMemory();
    image.fill(options.isTransparent ? QColor(Qt::transparent)
                                     : QColor::fromRgb(render::FigureStyle::kPaper));
    {
        QPainter painter(&image);
        painter.scale(scale, scale);
        DrawingPainter(painter).paint(drawing);
    }
    const int dotsPerMetre = static_cast<int>(std::lround(options.dotsPerInch / 0.0254));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    return image;
}

QByteArray figurePng(const Drawing& drawing, const Stamp& stamp, const PixelOptions& options)
{
    const QImage image =
        figureImage(drawing, options)
            .convertToFormat(options.isTransparent ? QImage::Format_RGBA8888 : QImage::Format_RGB888);
    QByteArray chunks = resolutionChunk(image.dotsPerMeterX());
    const auto add = [&chunks](const char* keyword, const QByteArray& text) {
        if (!text.isEmpty())
            chunks += pngText(keyword, text);
    };
    add("Title", stamp.title.toUtf8());
    add("Description", stamp.description.toUtf8());
    add("Software", "HeadScope " HS_VERSION);
    add(kRecipeKeyword, QByteArray::fromStdString(stamp.recipe));
    return pngFile(image.size(), options.isTransparent ? PngColours::Rgba : PngColours::Rgb, chunks,
                   deflatedLines(image));
}

QByteArray recipeInPng(QByteArrayView file)
{
    return pngTextIn(file, kRecipeKeyword);
}

}  // namespace hs::figures
