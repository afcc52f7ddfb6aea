#include "figures/files/figure_pdf.h"

#include "base/json.h"
#include "figures/files/xml_text.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/figures/figure_sample.h"
#include "ui/figures/opened_pdf.h"

#include <qpdf/QPDFPageObjectHelper.hh>

#include <set>

using namespace hs;

namespace {

QString path(const std::filesystem::path& file)
{
    return QString::fromStdString(file.string());
}

/// The sample as a file that is removed with the test.
struct SampleFile {
    test::TempDir folder;
    figures::Drawing drawing = test::sampleDrawing();
    std::filesystem::path file = folder / "sample.pdf";

    SampleFile() { REQUIRE(figures::writeFigure(drawing, file, test::sampleStamp(), {}).ok()); }
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
    const QByteArray bytes = figures::figurePdf(sample.drawing, test::sampleStamp());
    CHECK_FALSE(bytes.contains("Date"));
    test::OpenedPdf file(bytes);
    REQUIRE(file.pdf.getAllPages().size() == 1);
    QPDFObjectHandle page = file.pdf.getAllPages().front();
    QPDFObjectHandle box = page.getKey("/MediaBox");
    REQUIRE(box.isRectangle());
    const QPDFObjectHandle::Rectangle corners = box.getArrayAsRectangle();
    CHECK(corners.urx - corners.llx == Approx(sample.drawing.size().width()).margin(0.001));
    CHECK(corners.ury - corners.lly == Approx(sample.drawing.size().height()).margin(0.001));
}

TEST_CASE("a PDF names title and caption in its properties and in XMP, and has the recipe attached")
{
    const SampleFile sample;
    const QByteArray bytes = figures::figurePdf(sample.drawing, test::sampleStamp());
    CHECK(bytes.contains("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">head-grid: &quot;a&quot; &amp; "
                         "&lt;b&gt;</rdf:li>"));
    CHECK(bytes.contains("<xmp:CreatorTool>HeadScope " HS_VERSION "</xmp:CreatorTool>"));
    CHECK(bytes.contains("<headscope:recipe>" +
                         figures::xmlText(QString::fromStdString(test::sampleStamp().recipe)) +
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
    test::OpenedPdf file(figures::figurePdf(test::sampleDrawing(), {}));
    std::set<int> palettes;
    int pictures = 0;
    for (auto& [name, image] : QPDFPageObjectHelper(file.pdf.getAllPages().at(0)).getImages()) {
        ++pictures;
        palettes.insert(image.getDict().getKey("/ColorSpace").getArrayItem(3).getObjectID());
    }
    CHECK(pictures >= 2 * 11);
    CHECK(palettes.size() == 2);  // for the tiles and for the colour bar
}

TEST_CASE("a PDF that another program packed and numbered anew gives its recipe back")
{
    const SampleFile sample;
    const std::filesystem::path packed = sample.folder / "packed.pdf";
    test::outputOf(QStringLiteral("qpdf"),
                   {QStringLiteral("--object-streams=generate"), QStringLiteral("--linearize"),
                    QStringLiteral("--recompress-flate"), path(sample.file), path(packed)});
    const Result<std::string> recipe = figures::readRecipe(packed);
    REQUIRE(recipe.ok());
    CHECK(*recipe == test::sampleStamp().recipe);
}

TEST_CASE("a PDF gives its recipe back whatever is damaged behind it")
{
    const QByteArray bytes = figures::figurePdf(test::sampleDrawing(), test::sampleStamp());
    const QByteArray last = "</x:xmpmeta>";
    const QByteArray cut = bytes.first(bytes.indexOf(last) + last.size());
    CHECK(figures::recipeInPdf(cut).toStdString() == test::sampleStamp().recipe);
    CHECK(figures::recipeInPdf(cut + QByteArray(100, '\xff')).toStdString() == test::sampleStamp().recipe);
    CHECK(figures::recipeInPdf(cut.chopped(1)).isEmpty());
}

TEST_CASE("a recipe with characters that XML cannot hold is the same JSON after a PDF")
{
    const Json recipe = {{"prompt", "a \x01 \xef\xbf\xbe \xf0\x9f\x98\x80 b\r\n"}};
    const QByteArray bytes = figures::figurePdf(test::sampleDrawing(), {{}, {}, recipe.dump()});
    CHECK(Json::parse(figures::recipeInPdf(bytes).toStdString()) == recipe);
}
