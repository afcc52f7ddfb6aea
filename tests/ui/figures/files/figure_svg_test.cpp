#include "figures/files/figure_svg.h"

#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/figures/figure_sample.h"

#include <QXmlStreamReader>

using namespace hs;

namespace {

/// Texts of all <text> elements, in order; fails the test if the file is not well-formed.
QStringList textsIn(const QByteArray& svg)
{
    QStringList texts;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
            texts << reader.readElementText();
    INFO(reader.errorString().toStdString());
    REQUIRE_FALSE(reader.hasError());
    return texts;
}

}  // namespace

TEST_CASE("an SVG is well-formed and keeps every text of the drawing")
{
    const figures::Drawing drawing = test::sampleDrawing();
    QStringList expected;
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const text = std::get_if<figures::DrawnText>(&item))
            expected << text->text;
    CHECK((textsIn(figures::figureSvg(drawing, test::sampleStamp(), false)) == expected));
}

TEST_CASE("characters that XML cannot hold do not break an SVG")
{
    figures::Drawing drawing;
    drawing.setSize({50, 20});
    const QString odd = QString::fromUtf16(u"a\u0001\u0000b\ufffe") + QChar(0xd800) + QStringLiteral(" c ");
    drawing.text({2, 10}, odd, {});
    figures::Stamp stamp{odd, odd, "{\"a\": \"\xef\xbf\xbe\"}"};
    const QByteArray svg = figures::figureSvg(drawing, stamp, false);
    CHECK(textsIn(svg).size() == 1);
    CHECK(svg.contains("xml:space=\"preserve\""));
    CHECK(figures::recipeInSvg(svg) == "{\"a\": \"\\ufffe\"}");
}

TEST_CASE("an SVG has its size in points and a ground only where asked for")
{
    figures::Drawing drawing;
    drawing.setSize({85.25, 40});
    const QByteArray svg = figures::figureSvg(drawing, {}, false);
    CHECK(svg.contains("width=\"85.25pt\" height=\"40pt\" viewBox=\"0 0 85.25 40\""));
    CHECK(svg.contains("<rect width=\"85.25\" height=\"40\" fill=\"#ffffff\"/>"));
    CHECK_FALSE(figures::figureSvg(drawing, {}, true).contains("<rect"));
}

TEST_CASE("each cell of an SVG that rsvg-convert draws has the colour of its weight")
{
    const test::TempDir folder;
    const figures::Drawing drawing = test::sampleDrawing();
    REQUIRE(figures::writeFigure(drawing, folder / "sample.svg", test::sampleStamp(), {}).ok());
    const QString picture = QString::fromStdString((folder / "sample.png").string());
    test::outputOf(QStringLiteral("rsvg-convert"),
                   {QStringLiteral("--dpi-x"), QStringLiteral("220"), QStringLiteral("--dpi-y"),
                    QStringLiteral("220"), QStringLiteral("-o"), picture,
                    QString::fromStdString((folder / "sample.svg").string())});
    CHECK(test::wrongCells(drawing, QImage(picture), 1).join(QLatin1Char('\n')).toStdString() == "");
}
