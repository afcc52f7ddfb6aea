#include "figures/files/figure_file.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "base/mapped_file.h"
#include "figures/files/figure_html.h"
#include "figures/files/figure_pdf.h"
#include "figures/files/figure_png.h"
#include "figures/files/figure_svg.h"
#include "figures/files/png_chunks.h"
#include "render/translate.h"

namespace hs::figures {
namespace {

QByteArray recipeIn(QByteArrayView file)
{
    if (isPng(file))
        return recipeInPng(file);
    if (file.startsWith("%PDF-"))
        return recipeInPdf(file);
    return recipeInSvg(file);
}

}  // namespace

Format formatOf(const std::filesystem::path& file)
{
    const QString suffix = QString::fromStdString(file.extension().string()).toLower();
    if (suffix == QLatin1String(".pdf"))
        return Format::Pdf;
    if (suffix == QLatin1String(".svg"))
        return Format::Svg;
    if (suffix == QLatin1String(".png"))
        return Format::Png;
    if (suffix == QLatin1String(".html"))
        return Format::Html;
    fail(ErrorCode::BadRequest, "\"" + file.filename().string() +
                                    "\" names no picture format; end it in .pdf, .svg, .png or .html.");
}

QString formatFilters()
{
    return QStringLiteral("PDF (*.pdf);;SVG (*.svg);;PNG (*.png);;") + pageFilter();
}

QString pageFilter()
{
    return tr("Page for a browser (*.html)");
}

QByteArray figureBytes(const Drawing& drawing, Format format, const Stamp& stamp, const PixelOptions& options)
{
    switch (format) {
    case Format::Pdf: return figurePdf(drawing, stamp);
    case Format::Svg: return figureSvg(drawing, stamp, options.isTransparent);
    case Format::Png: return figurePng(drawing, stamp, options);
    case Format::Html: return figureHtml(drawing, stamp);
    }
    fail(ErrorCode::Internal, "There is no such picture format; choose PDF, SVG, PNG or HTML.");
}

Result<std::filesystem::path> writeFigure(const Drawing& drawing, const std::filesystem::path& file,
                                          const Stamp& stamp, const PixelOptions& options)
{
    return guarded([&] {
        const QByteArray bytes = figureBytes(drawing, formatOf(file), stamp, options);
        writeFile(file, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
        return file;
    });
}

Result<std::string> readRecipe(const std::filesystem::path& file)
{
    return guarded([&] {
        const MappedFile mapped = MappedFile::open(file);
        const std::string_view text = mapped.text();
        const QByteArray recipe = recipeIn(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
        if (recipe.isEmpty())
            fail(ErrorCode::BadFile,
                 "\"" + file.filename().string() +
                     "\" does not say how it was made; name a figure that HeadScope exported, "
                     "or a figure's .json file.");
        return recipe.toStdString();
    });
}

}  // namespace hs::figures
