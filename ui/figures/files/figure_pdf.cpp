#include "figures/files/figure_pdf.h"

#include "base/failure.h"
#include "figures/files/cell_pixels.h"
#include "figures/files/figure_svg.h"
#include "figures/files/pdf_bytes.h"
#include "figures/files/pdf_fonts.h"
#include "figures/files/pdf_stamp.h"
#include "figures/parts/drawing_painter.h"

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

#include <cmath>

namespace hs::figures {
namespace {

/// Paints one pixel in place of each picture of cells, since Qt would write those with three bytes per
/// pixel. The pixel's colour is the picture's number, by which its object is found again.
class PlaceholderPainter : public DrawingPainter {
public:
    using DrawingPainter::DrawingPainter;

    const std::vector<QImage>& pictures() const { return m_pictures; }

protected:
    void paintCells(const DrawnCells& cells) override
    {
        QImage pixel(1, 1, QImage::Format_RGB32);
        pixel.setPixel(0, 0, 0xff000000u | static_cast<QRgb>(m_pictures.size()));
        painter().drawImage(cells.place, pixel);
        m_pictures.push_back(cells.cells);
    }

private:
    std::vector<QImage> m_pictures;
};

/// The picture that a one-pixel image is a placeholder for.
std::optional<std::size_t> placeholder(QPDFObjectHandle image)
{
    QPDFObjectHandle dictionary = image.getDict();
    for (const char* const side : {"/Width", "/Height"})
        if (dictionary.getKey(side).getIntValue() != 1)
            return std::nullopt;
    const std::shared_ptr<Buffer> colour = image.getStreamData();
    if (colour->getSize() != 3)
        return std::nullopt;
    const unsigned char* const bytes = colour->getBuffer();
    return qRgb(bytes[0], bytes[1], bytes[2]) & 0xffffff;
}

/// Replaces placeholders with their pictures; pictures with equal palettes share one palette object.
void insertPictures(const QPDFObjectHandle& page, const std::vector<QImage>& pictures)
{
    std::map<std::size_t, QPDFObjectHandle> places;
    for (const auto& [name, image] : QPDFPageObjectHelper(page).getImages())
        if (const std::optional<std::size_t> index = placeholder(image); index && *index < pictures.size())
            places.emplace(*index, image);
    if (places.size() != pictures.size())
        fail(ErrorCode::Internal, "pictures are missing");

    const auto flate = QPDFObjectHandle::newName("/FlateDecode");
    const std::vector<CellPixels> packed = pixelsOf(pictures);
    std::map<QByteArray, QPDFObjectHandle> palettes;
    for (auto& [index, image] : places) {
        const CellPixels& pixels = packed[index];
        const auto [palette, isNew] = palettes.try_emplace(pixels.palette);
        if (isNew) {
            palette->second = image.getQPDF().newStream();
            palette->second.replaceStreamData(qCompress(pixels.palette).sliced(4).toStdString(), flate,
                                              QPDFObjectHandle::newNull());
        }
        const auto width = QPDFObjectHandle::newInteger(pixels.width);
        image.replaceDict(QPDFObjectHandle::newDictionary({
            {"/Type", "/XObject"_qpdf},
            {"/Subtype", "/Image"_qpdf},
            {"/Width", width},
            {"/Height", QPDFObjectHandle::newInteger(pixels.height)},
            {"/BitsPerComponent", "8"_qpdf},
            {"/ColorSpace",
             QPDFObjectHandle::newArray({"/Indexed"_qpdf, "/DeviceRGB"_qpdf,
                                         QPDFObjectHandle::newInteger(pixels.palette.size() / 3 - 1),
                                         palette->second})},
        }));
        image.replaceStreamData(
            pixels.deflated.toStdString(), flate,
            QPDFObjectHandle::newDictionary({{"/Predictor", "15"_qpdf}, {"/Columns", width}}));
    }
}

/// Qt takes whole points; the page is cropped to its size afterwards.
QSize wholePoints(QSizeF size)
{
    const auto whole = [](double length) { return std::max(1, static_cast<int>(std::ceil(length))); };
    return {whole(size.width()), whole(size.height())};
}

/// Crops the page to the size of a drawing in its upper left corner.
void cutPage(QPDFObjectHandle page, QSizeF size)
{
    const double height = wholePoints(size).height();
    const auto box = QPDFObjectHandle::newArray(
        QPDFObjectHandle::Rectangle(0, height - size.height(), size.width(), height));
    for (const char* const name : {"/MediaBox", "/TrimBox"})
        page.replaceKey(name, box);
}

}  // namespace

QByteArray figurePdf(const Drawing& drawing, const Stamp& stamp)
{
    const QSizeF size(std::max(1.0, drawing.size().width()), std::max(1.0, drawing.size().height()));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    pdf.setResolution(72);
    pdf.setPageSize(QPageSize(QSizeF(wholePoints(size)), QPageSize::Point, QString(), QPageSize::ExactMatch));
    pdf.setPageMargins(QMarginsF());
    QPainter painter(&pdf);
    PlaceholderPainter placeholders(painter);
    placeholders.paint(drawing);
    painter.end();
    try {
        QPDF file;
        file.setSuppressWarnings(true);
        file.processMemoryFile("Qt's PDF", buffer.data().constData(),
                               static_cast<std::size_t>(buffer.size()));
        const QPDFObjectHandle page = file.getAllPages().at(0);
        insertPictures(page, placeholders.pictures());
        cutPage(page, size);
        mendFonts(file);
        stampPdf(file, stamp);
        return pdfBytes(file);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& exception) {
        fail(
            ErrorCode::Internal,
            "This version of Qt writes PDF files in a way that HeadScope does not know; export an .svg file.",
            exception.what());
    }
}

QByteArray recipeInPdf(QByteArrayView file)
{
    // An XMP packet is stored uncompressed, for programs that cannot read the rest.
    const qsizetype start = file.indexOf("<x:xmpmeta");
    const qsizetype end = file.indexOf("</x:xmpmeta>", start);
    return start < 0 || end < 0 ? QByteArray() : recipeInSvg(file.sliced(start, end - start));
}

}  // namespace hs::figures
