#include "figures/figure_pdf.h"

#include "base/failure.h"
#include "figures/cell_pixels.h"
#include "figures/drawing_painter.h"
#include "figures/inflate.h"
#include "figures/pdf_fonts.h"
#include "figures/pdf_stamp.h"

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <cmath>

namespace hs {
namespace {

/// Paints a pixel in place of each picture of cells. Qt would write these with three bytes a pixel;
/// the pixel's colour is the picture's number, by which its object is found again.
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

/// The picture that an object stands in for.
std::optional<std::size_t> placeholder(const PdfObject& object)
{
    const bool isPixel = object.stream && object.entry("/Subtype") == "/Image" &&
                         object.entry("/Width") == "1" && object.entry("/Height") == "1" &&
                         object.entry("/ColorSpace") == "/DeviceRGB";
    if (!isPixel)
        return std::nullopt;
    const QByteArray colour = inflated(*object.stream);
    if (colour.size() != 3)
        return std::nullopt;
    return static_cast<std::size_t>(qRgb(uchar(colour[0]), uchar(colour[1]), uchar(colour[2])) & 0xffffff);
}

/// Puts pictures in place of their placeholders, with one object for all that share a palette.
class PictureInsertion {
public:
    PictureInsertion(PdfObjects& objects, const std::vector<QImage>& pictures)
        : m_objects(objects), m_pictures(pictures)
    {
    }

    void run()
    {
        std::map<std::size_t, int> numbers;
        for (const auto& [number, object] : m_objects.all())
            if (const std::optional<std::size_t> index = placeholder(object);
                index && *index < m_pictures.size())
                numbers.emplace(*index, number);
        if (numbers.size() != m_pictures.size())
            fail(ErrorCode::Internal, "pictures are missing");
        const std::vector<CellPixels> packed = pixelsOf(m_pictures);
        for (const auto& [index, number] : numbers)
            m_objects.at(number) = picture(packed[index]);
    }

private:
    PdfObject picture(const CellPixels& pixels)
    {
        const QByteArray width = QByteArray::number(pixels.width);
        const QByteArray lastColour = QByteArray::number(pixels.palette.size() / 3 - 1);
        return {"<< /Type /XObject /Subtype /Image /Width " + width + " /Height " +
                    QByteArray::number(pixels.height) +
                    " /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB " + lastColour + ' ' +
                    QByteArray::number(paletteObject(pixels.palette)) +
                    " 0 R] /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns " + width + " >> >>",
                pixels.deflated};
    }

    int paletteObject(const QByteArray& palette)
    {
        int& number = m_palettes[palette];
        if (number == 0)
            number = m_objects.add({"<< /Filter /FlateDecode >>", qCompress(palette).sliced(4)});
        return number;
    }

    PdfObjects& m_objects;
    const std::vector<QImage>& m_pictures;
    std::map<QByteArray, int> m_palettes;
};

/// Qt takes whole points; the page is cut to its size afterwards.
QSize wholePoints(QSizeF size)
{
    const auto whole = [](double length) { return std::max(1, static_cast<int>(std::ceil(length))); };
    return {whole(size.width()), whole(size.height())};
}

/// The page's lower left and upper right corner, of a drawing in its upper left corner.
void cutPage(PdfObjects& objects, QSizeF size)
{
    const int height = wholePoints(size).height();
    const auto length = [](double points) { return QByteArray::number(points, 'f', 3); };
    const QByteArray box = "[0 " + length(height - size.height()) + ' ' + length(size.width()) + ' ' +
                           QByteArray::number(height) + ']';
    const std::vector<int> pages =
        pdfReferences(objects.resolved(objects.at(objects.root()).entry("/Pages")).entry("/Kids"));
    if (pages.size() != 1)
        fail(ErrorCode::Internal, "not one page");
    PdfObject& page = objects.at(pages.front());
    for (const char* const name : {"/MediaBox", "/TrimBox"})
        page.setEntry(name, box);
}

}  // namespace

QByteArray figurePdf(const Drawing& drawing, const FigureStamp& stamp)
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
        PdfObjects objects = PdfObjects::parse(buffer.data());
        PictureInsertion(objects, placeholders.pictures()).run();
        cutPage(objects, size);
        mendFonts(objects);
        stampPdf(objects, stamp);
        return objects.write();
    } catch (const Failure& failure) {
        fail(
            ErrorCode::Internal,
            "This version of Qt writes PDF files in a way that HeadScope does not know; export an .svg file.",
            failure.error().message + ' ' + failure.error().detail);
    }
}

QByteArray recipeInPdf(QByteArrayView file)
{
    return attachedRecipe(PdfObjects::parse(file));
}

}  // namespace hs
