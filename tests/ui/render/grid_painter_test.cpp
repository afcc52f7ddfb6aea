#include "render/grid_painter.h"

#include "support/catch.h"
#include "ui/made_up_run.h"

#include <QImage>
#include <QPainter>

#include <array>
#include <map>

using namespace hs;

namespace {

/// A run in which each head's tile has one weight of its own.
RunResult evenTiles(HeadShape heads, int firstLevel)
{
    constexpr std::size_t kSide = 5;
    RunResult run;
    run.heads = heads;
    run.tileSide = kSide;
    run.stats.resize(static_cast<std::size_t>(heads.total()));
    for (int layer = 0; layer < heads.layers; ++layer) {
        const auto cells = static_cast<std::size_t>(heads.heads) * kSide * kSide;
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[cells]);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const int head = static_cast<int>(cell / (kSide * kSide));
            tiles[cell] = static_cast<std::uint8_t>(firstLevel + 3 * heads.indexOf({layer, head}));
        }
        run.tiles.push_back(tiles);
    }
    return run;
}

GridFigure twoEvenPanels()
{
    GridFigure figure;
    figure.colourMap = QStringLiteral("violet-yellow");
    figure.scale = Scale::Linear;
    for (const int firstLevel : {20, 140}) {
        GridPanel panel;
        panel.title = QStringLiteral("Panel");
        panel.result = evenTiles({5, 7, 7}, firstLevel);
        panel.heads = test::allHeads(panel.result);
        figure.panels.push_back(panel);
    }
    figure.panels[1].columns = 4;
    return figure;
}

QImage painted(const GridFigure& figure, const FigureLayout& layout, double pixelRatio = 1)
{
    QImage image((layout.size * pixelRatio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(FigureStyle::kPaper);
    QPainter painter(&image);
    GridPainter(painter, figure, FigureStyle::screen()).paint(layout);
    return image;
}

}  // namespace

TEST_CASE("each drawn tile pixel hits the tile that drew it")
{
    GridFigure figure = twoEvenPanels();
    figure.hasColourBar = false;
    figure.flow = GENERATE(GridFigure::Flow::SideBySide, GridFigure::Flow::Stacked);
    const double side = GENERATE(12, 17, 28);  // too small for labels, which would hide cells
    const int pixelRatio = GENERATE(1, 2);
    if (side * pixelRatio > 29)
        return;
    const FigureLayout layout = layoutFigure(figure, side, FigureStyle::screen());
    const QImage image = painted(figure, layout, pixelRatio);

    std::map<QRgb, TileAddress> drawnBy;
    const QList<QRgb> colours = ColourMap::named(figure.colourMap).table(figure.scale);
    for (int panel = 0; panel < 2; ++panel)
        for (int tile = 0; tile < 35; ++tile) {
            const GridPanel& drawn = figure.panels[static_cast<std::size_t>(panel)];
            drawnBy[colours[*drawn.result.tileOf(drawn.heads[static_cast<std::size_t>(tile)])]] = {panel,
                                                                                                   tile};
        }
    REQUIRE(drawnBy.size() == 70);

    std::map<QRgb, int> pixels;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const auto found = drawnBy.find(image.pixel(x, y));
            if (found == drawnBy.end())
                continue;
            ++pixels[found->first];
            REQUIRE(layout.tileAt(QPointF(x + 0.5, y + 0.5) / pixelRatio) == found->second);
        }
    REQUIRE(pixels.size() == 70);
    for (const auto& [colour, count] : pixels)
        REQUIRE(count == side * pixelRatio * side * pixelRatio);
}

TEST_CASE("an ablated head is drawn hatched, without its cells")
{
    GridFigure figure = twoEvenPanels();
    const FigureLayout layout = layoutFigure(figure, 30, FigureStyle::screen());
    figure.panels[0].ablated = {{2, 3}};
    const QImage image = painted(figure, layout);
    const HeadShape heads = figure.panels[0].result.heads;
    const QRect tile = layout.panels[0].tile(heads.indexOf({2, 3})).toRect();
    const QRgb cell =
        ColourMap::named(figure.colourMap).table(figure.scale)[*figure.panels[0].result.tileOf({2, 3})];
    int hatched = 0;
    for (int y = tile.top(); y <= tile.bottom(); ++y)
        for (int x = tile.left(); x <= tile.right(); ++x) {
            REQUIRE(image.pixel(x, y) != cell);
            hatched += image.pixel(x, y) != FigureStyle::kHatchGround;
        }
    CHECK(hatched > 30);
}

TEST_CASE("labels appear once tiles are large enough to read them")
{
    GridFigure figure = twoEvenPanels();
    const auto inkIn = [&](double side) {
        const FigureLayout layout = layoutFigure(figure, side, FigureStyle::screen());
        const QImage image = painted(figure, layout);
        const QRect tile = layout.panels[0].tile(0).toRect();
        int ink = 0;
        for (int y = tile.top(); y <= tile.bottom(); ++y)
            for (int x = tile.left(); x <= tile.right(); ++x)
                ink += qGray(image.pixel(x, y)) > 150;
        return ink;
    };
    CHECK(inkIn(20) == 0);
    CHECK(inkIn(60) > 20);
}

TEST_CASE("a fitted figure stays within its room and wastes less than one pixel a tile")
{
    const GridFigure figure = twoEvenPanels();
    const FigureStyle style = FigureStyle::screen();
    for (const QSizeF room : {QSizeF(1280, 760), QSizeF(900, 400), QSizeF(400, 2000)}) {
        const FigureLayout layout = fitFigure(figure, room, style);
        CHECK(layout.size.width() <= room.width());
        CHECK(layout.size.height() <= room.height());
        const QSizeF next = layoutFigure(figure, layout.tileSide + 1, style).size;
        CHECK((next.width() > room.width() || next.height() > room.height()));
    }
}

TEST_CASE("a label on paper lies in the corner that was chosen")
{
    GridFigure figure = twoEvenPanels();
    figure.panels.resize(1);
    figure.panels[0].heads = {{0, 0}};
    figure.hasColourBar = false;
    const FigureLayout layout = layoutFigure(figure, 100, FigureStyle::screen());
    const QRect tile = layout.panels[0].tile(0).toRect();
    for (const LabelCorner corner :
         {LabelCorner::TopRight, LabelCorner::TopLeft, LabelCorner::BottomRight, LabelCorner::BottomLeft}) {
        figure.labelCorner = corner;
        const QImage image = painted(figure, layout).copy(tile);
        std::array<int, 4> light{};  // in LabelCorner's order
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                light[(x < 50 ? 1U : 0U) + (y < 50 ? 0U : 2U)] += qGray(image.pixel(x, y)) > 150;
        for (std::size_t place = 0; place < 4; ++place)
            CHECK((light[place] > 20) == (place == static_cast<std::size_t>(corner)));
    }
}
