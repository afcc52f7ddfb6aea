#include "figures/figure_pdf.h"

#include "figures/pdf_objects.h"
#include "figures/xml_text.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/figures/figure_sample.h"

#include <set>

using namespace hs;

namespace {

QString path(const std::filesystem::path& file)
{
    return QString::fromStdString(file.string());
}

/// The sample as a file that goes with the test.
struct SampleFile {
    test::TempDir folder;
    Drawing drawing = test::sampleDrawing();
    std::filesystem::path file = folder / "sample.pdf";

    SampleFile() { REQUIRE(writeFigure(drawing, file, test::sampleStamp(), {}).ok()); }
};

}  // namespace

TEST_CASE("a PDF has no errors that qpdf finds")
{
    const SampleFile sample;
    test::outputOf(QStringLiteral("qpdf"), {QStringLiteral("--check"), path(sample.file)});
}

TEST_CASE("each cell of a rasterised PDF has the colour of its weight")
{
    const SampleFile sample;
    const std::filesystem::path picture = sample.folder / "page";
    for (const char* const dots : {"150", "437"}) {
        test::outputOf(QStringLiteral("pdftoppm"),
                       {QStringLiteral("-singlefile"), QStringLiteral("-png"), QStringLiteral("-r"),
                        QLatin1String(dots), path(sample.file), path(picture)});
        const QImage page(path(picture) + QStringLiteral(".png"));
        REQUIRE_FALSE(page.isNull());
        CHECK(test::wrongCells(sample.drawing, page, 1).join(QLatin1Char('\n')).toStdString() == "");
    }
}

TEST_CASE("every label of a PDF is text, in embedded fonts, with spaces where there are some")
{
    const SampleFile sample;
    const auto text = test::outputOf(QStringLiteral("pdftotext"), {path(sample.file), QStringLiteral("-")});
    for (int layer = 0; layer < 3; ++layer)
        for (int head = 0; head < 4; ++head)
            CHECK(text.count("L" + QByteArray::number(layer) + "H" + QByteArray::number(head)) == 2);
    CHECK(text.contains("Rows are queries"));
    CHECK(text.contains("halo"));
    CHECK(text.contains("upwards"));
    CHECK_FALSE(text.contains('\t'));
    const auto fonts = test::outputOf(QStringLiteral("pdffonts"), {path(sample.file)});
    for (const QByteArray& line : fonts.trimmed().split('\n').sliced(2)) {
        INFO(line.toStdString());
        CHECK(line.contains(" yes yes yes "));  // embedded, a subset, with Unicode
        CHECK_FALSE(line.contains("Type 3"));
    }
}

TEST_CASE("a PDF has the size of its drawing, and says nothing of when it was written")
{
    const SampleFile sample;
    const QByteArray bytes = figurePdf(sample.drawing, test::sampleStamp());
    CHECK_FALSE(bytes.contains("Date"));
    const PdfObjects objects = PdfObjects::parse(bytes);
    const PdfObject pages = objects.resolved(objects.at(objects.root()).entry("/Pages"));
    const QByteArray kids = pages.entry("/Kids");
    const auto box = pdfElements(objects.at(pdfReferences(kids).front()).entry("/MediaBox"));
    REQUIRE(box.size() == 4);
    CHECK(box[2].toDouble() - box[0].toDouble() == Approx(sample.drawing.size().width()).margin(0.001));
    CHECK(box[3].toDouble() - box[1].toDouble() == Approx(sample.drawing.size().height()).margin(0.001));
}

TEST_CASE("a PDF names title and caption in its properties and in XMP, and has the recipe attached")
{
    const SampleFile sample;
    const QByteArray bytes = figurePdf(sample.drawing, test::sampleStamp());
    CHECK(bytes.contains("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">head-grid: &quot;a&quot; &amp; "
                         "&lt;b&gt;</rdf:li>"));
    CHECK(bytes.contains("<xmp:CreatorTool>HeadScope " HS_VERSION "</xmp:CreatorTool>"));
    CHECK(bytes.contains("<headscope:recipe>" + xmlText(QString::fromStdString(test::sampleStamp().recipe)) +
                         "</headscope:recipe>"));
    const auto info = test::outputOf(QStringLiteral("pdfinfo"), {path(sample.file)});
    CHECK(info.contains("head-grid: \"a\" & <b>"));
    CHECK(info.contains("Größe, 中文 & <tags>"));
    const auto attached =
        test::outputOf(QStringLiteral("pdfdetach"), {QStringLiteral("-list"), path(sample.file)});
    CHECK(attached.contains("headscope-figure.json"));
}

TEST_CASE("pictures of the same colours share one palette")
{
    const PdfObjects objects = PdfObjects::parse(figurePdf(test::sampleDrawing(), {}));
    std::set<int> palettes;
    int pictures = 0;
    for (const auto& [number, object] : objects.all())
        if (object.entry("/Subtype") == "/Image") {
            ++pictures;
            palettes.insert(pdfReferences(object.entry("/ColorSpace")).front());
        }
    CHECK(pictures >= 2 * 11);
    CHECK(palettes.size() == 2);  // of the tiles and of the colour bar
}
