#include "render/figure.h"

#include "base/failure.h"
#include "render/grid_painter.h"

#include <QBuffer>
#include <QFile>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QUuid>

#include <cmath>

namespace hs {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kMostPixels = 30000;  // a side; the raster engine ends at 32,767

QByteArray pngBytes(const GridFigure& figure, const FigureLayout& layout)
{
    const double scale = figure.dotsPerInch / kPointsPerInch;
    const QSizeF size = layout.size * scale;
    if (!(scale > 0) || size.width() > kMostPixels || size.height() > kMostPixels)
        fail(ErrorCode::TooLarge,
             "The picture would be larger than 30,000 pixels a side; ask for smaller tiles, "
             "fewer dots per inch, or an .svg or .pdf file.");
    QImage image(std::max(1, static_cast<int>(std::ceil(size.width()))),
                 std::max(1, static_cast<int>(std::ceil(size.height()))), QImage::Format_RGB32);
    if (image.isNull())
        fail(ErrorCode::TooLarge, "There is not enough memory for the picture; ask for fewer dots per inch.");
    image.fill(FigureStyle::kPaper);
    {
        QPainter painter(&image);
        painter.scale(scale, scale);
        GridPainter(painter, figure, FigureStyle::paper()).paint(layout);
    }
    const int dotsPerMetre = static_cast<int>(std::lround(figure.dotsPerInch / 0.0254));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        fail(ErrorCode::Internal, "The picture could not be packed as PNG; try an .svg file.");
    return buffer.data();
}

QByteArray svgBytes(const GridFigure& figure, const FigureLayout& layout)
{
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setResolution(static_cast<int>(kPointsPerInch));
    svg.setViewBox(QRectF(QPointF(), layout.size));
    svg.setSize(layout.size.toSize());
    svg.setTitle(QStringLiteral("Attention heads"));
    svg.setDescription(QStringLiteral("Drawn by HeadScope " HS_VERSION));
    QPainter painter(&svg);
    painter.fillRect(QRectF(QPointF(), layout.size), QColor::fromRgb(FigureStyle::kPaper));
    GridPainter(painter, figure, FigureStyle::paper()).paint(layout);
    painter.end();
    return buffer.data();
}

/// Qt stamps the time of writing into every PDF. Overwritten in place, since the file's cross
/// references count bytes.
void fixCreationDate(QByteArray& pdf)
{
    const QByteArray key = "/CreationDate (D:";
    const QByteArray date = "20000101000000";
    const qsizetype at = pdf.indexOf(key);
    if (at >= 0 && at + key.size() + date.size() <= pdf.size())
        pdf.replace(at + key.size(), date.size(), date);
}

QByteArray pdfBytes(const GridFigure& figure, const FigureLayout& layout)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    pdf.setResolution(static_cast<int>(kPointsPerInch));
    pdf.setPageSize(QPageSize(layout.size, QPageSize::Point, QString(), QPageSize::ExactMatch));
    pdf.setPageMargins(QMarginsF());
    pdf.setTitle(QStringLiteral("Attention heads"));
    pdf.setCreator(QStringLiteral("HeadScope " HS_VERSION));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    pdf.setDocumentId(QUuid::createUuidV5(QUuid(), QStringLiteral("HeadScope")));
#endif
    QPainter painter(&pdf);
    GridPainter(painter, figure, FigureStyle::paper()).paint(layout);
    painter.end();
    QByteArray bytes = buffer.data();
    fixCreationDate(bytes);
    return bytes;
}

void requireDrawable(const GridFigure& figure)
{
    if (!(figure.tileSide >= 1 && figure.tileSide <= 2000))
        fail(ErrorCode::BadRequest, "A tile can be 1 to 2,000 points wide; choose a side in that range.");
    for (const GridPanel& panel : figure.panels) {
        const RunResult& result = panel.result;
        if (result.tileSide < 1 || result.tiles.size() != static_cast<std::size_t>(result.heads.layers))
            fail(ErrorCode::BadRequest, "Panel \"" + panel.title.toStdString() +
                                            "\" has no patterns to draw; run the model with tiles first.");
        for (const HeadId head : panel.heads)
            if (!result.heads.contains(head))
                fail(ErrorCode::BadRequest, "Head " + toString(head) + " is not in the model of panel \"" +
                                                panel.title.toStdString() + "\"; leave it out.");
    }
}

QByteArray figureBytes(const GridFigure& figure, const std::filesystem::path& file)
{
    requireDrawable(figure);
    const FigureLayout layout = layoutFigure(figure, figure.tileSide, FigureStyle::paper());
    const QString suffix = QString::fromStdString(file.extension().string()).toLower();
    if (suffix == QLatin1String(".png"))
        return pngBytes(figure, layout);
    if (suffix == QLatin1String(".svg"))
        return svgBytes(figure, layout);
    if (suffix == QLatin1String(".pdf"))
        return pdfBytes(figure, layout);
    fail(ErrorCode::BadRequest,
         "\"" + file.filename().string() + "\" names no picture format; end it in .png, .svg or .pdf.");
}

}  // namespace

QString describeRun(const GridPanel& panel)
{
    const RunResult& result = panel.result;
    QStringList parts = {
        QStringLiteral("%1 of %2 heads").arg(panel.heads.size()).arg(result.heads.total()),
        QStringLiteral("active edges %1 %").arg(QString::number(100 * result.density, 'g', 3)),
    };
    if (result.loss)
        parts << QStringLiteral("loss %1").arg(*result.loss, 0, 'f', 2);
    if (!panel.ablated.empty())
        parts << QStringLiteral("%1 ablated").arg(panel.ablated.size());
    return parts.join(QStringLiteral(" · "));
}

Result<std::filesystem::path> writeFigure(const GridFigure& figure, const std::filesystem::path& file)
{
    return guarded([&] {
        const QByteArray bytes = figureBytes(figure, file);
        QSaveFile out(QFile::decodeName(file.c_str()));
        if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit())
            fail(ErrorCode::NotFound,
                 "\"" + file.string() + "\" cannot be written; choose a folder you may write to.",
                 out.errorString().toStdString());
        return file;
    });
}

}  // namespace hs
