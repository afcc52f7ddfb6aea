#include "render/figure.h"

#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/made_up_run.h"

#include <QImage>

#include <fstream>
#include <iterator>

using namespace hs;

namespace {

GridFigure smallFigure()
{
    GridPanel panel;
    panel.title = QStringLiteral("Made up");
    panel.result = test::madeUpRun({3, 4, 4}, 9);
    panel.heads = test::allHeads(panel.result);
    panel.ablated = {{1, 2}};
    panel.caption = describeRun(panel);
    GridFigure figure;
    figure.panels = {panel, panel};
    figure.note = QStringLiteral("Rows are queries, columns are keys.");
    return figure;
}

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string filesIn(const std::filesystem::path& folder)
{
    std::string names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names += entry.path().filename().string() + "\n";
    return names;
}

}  // namespace

TEST_CASE("the same figure exported twice is the same bytes")
{
    const test::TempDir folder;
    const std::string suffix = GENERATE(as<std::string>(), ".png", ".svg", ".pdf");
    REQUIRE(writeFigure(smallFigure(), folder / ("first" + suffix)).ok());
    REQUIRE(writeFigure(smallFigure(), folder / ("second" + suffix)).ok());
    const std::string first = contentOf(folder / ("first" + suffix));
    CHECK(first.size() > 1000);
    CHECK(first == contentOf(folder / ("second" + suffix)));
}

TEST_CASE("a PDF does not tell when it was written")
{
    const test::TempDir folder;
    REQUIRE(writeFigure(smallFigure(), folder / "figure.pdf").ok());
    CHECK(contentOf(folder / "figure.pdf").find("/CreationDate (D:20000101000000") != std::string::npos);
}

TEST_CASE("vector figures keep their labels as text")
{
    const test::TempDir folder;
    REQUIRE(writeFigure(smallFigure(), folder / "figure.svg").ok());
    const std::string svg = contentOf(folder / "figure.svg");
    for (const char* text : {">L0H0</text>", ">L2H3</text>", ">Made up</text>", "1 ablated"})
        CHECK(svg.find(text) != std::string::npos);
}

TEST_CASE("a PNG has the size and resolution asked for")
{
    const test::TempDir folder;
    GridFigure figure = smallFigure();
    figure.dotsPerInch = 72;
    REQUIRE(writeFigure(figure, folder / "small.png").ok());
    figure.dotsPerInch = 144;
    REQUIRE(writeFigure(figure, folder / "LARGE.PNG").ok());
    const QImage small((folder / "small.png").c_str());
    const QImage large((folder / "LARGE.PNG").c_str());
    CHECK(large.size() == 2 * small.size());
    CHECK(large.dotsPerMeterX() == 5669);
}

TEST_CASE("a figure that cannot be written says why and leaves nothing behind")
{
    const test::TempDir folder;
    GridFigure figure = smallFigure();
    SECTION("unknown format")
    {
        const auto written = writeFigure(figure, folder / "figure.bmp");
        REQUIRE_FALSE(written.ok());
        CHECK(written.error().code == ErrorCode::BadRequest);
        CHECK(written.error().message.find(".pdf") != std::string::npos);
    }
    SECTION("no such folder")
    {
        const auto written = writeFigure(figure, folder / "missing" / "figure.png");
        REQUIRE_FALSE(written.ok());
        CHECK(written.error().code == ErrorCode::NotFound);
    }
    SECTION("a head outside the model")
    {
        figure.panels[0].heads.push_back({3, 0});
        const auto written = writeFigure(figure, folder / "figure.png");
        REQUIRE_FALSE(written.ok());
        CHECK(written.error().message.find("L3H0") != std::string::npos);
    }
    SECTION("a run without tiles")
    {
        figure.panels[1].result.tiles.clear();
        const auto written = writeFigure(figure, folder / "figure.png");
        REQUIRE_FALSE(written.ok());
        CHECK(written.error().message.find("no patterns") != std::string::npos);
    }
    SECTION("more pixels than a picture can have")
    {
        figure.dotsPerInch = GENERATE(1e6, 0.0, -1.0);
        CHECK(writeFigure(figure, folder / "figure.png").error().code == ErrorCode::TooLarge);
    }
    SECTION("tiles of no size")
    {
        figure.tileSide = GENERATE(0.0, -4.0, 1e9);
        CHECK(writeFigure(figure, folder / "figure.svg").error().code == ErrorCode::BadRequest);
    }
    CHECK(filesIn(folder.path()).empty());
}

TEST_CASE("a figure without panels is an empty page, not an error")
{
    const test::TempDir folder;
    CHECK(writeFigure(GridFigure(), folder / "empty.png").ok());
}

TEST_CASE("a run is described by heads shown, active edges, loss and ablations")
{
    GridPanel panel = smallFigure().panels[0];
    panel.heads.resize(5);
    panel.result.density = 0.00421;
    CHECK(describeRun(panel) ==
          QStringLiteral("5 of 12 heads · active edges 0.421 % · loss 1.21 · 1 ablated"));
    panel.ablated.clear();
    panel.result.loss.reset();
    panel.result.density = 1;
    CHECK(describeRun(panel) == QStringLiteral("5 of 12 heads · active edges 100 %"));
}
