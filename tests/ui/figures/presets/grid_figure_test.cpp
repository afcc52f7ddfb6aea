#include "figures/presets/grid_figure.h"

#include "figures/parts/cell_image.h"
#include "figures/parts/tile_panel_layout.h"
#include "support/catch.h"
#include "ui/figures/drawing_probe.h"
#include "ui/made_up_run.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace hs;
using namespace hs::test;

namespace {

figures::TilePanel panelOf(HeadShape shape, int tokens, int columns = 0,
                           const QString& title = QStringLiteral("Dense"))
{
    figures::TilePanel panel;
    panel.title = title;
    panel.result = madeUpRun(shape, tokens);
    panel.heads = allHeads(panel.result);
    panel.flow =
        columns > 0 ? render::TileFlow{render::TileFlow::Kind::Wrapped, columns} : render::TileFlow{};
    panel.caption = figures::describeRun(panel);
    return panel;
}

figures::GridFigure pairOf(HeadShape shape, int tokens)
{
    figures::GridFigure figure;
    figure.panels = {panelOf(shape, tokens), panelOf(shape, tokens, 5, QStringLiteral("Sparse"))};
    figure.panels.back().heads.resize(std::min<std::size_t>(figure.panels.back().heads.size(), 7));
    figure.caption =
        QStringLiteral("Attention weights (rows: queries, columns: keys) on “one two three”, 3 tokens.");
    return figure;
}

figures::Form wide(double millimetres)
{
    figures::Form form;
    form.width = millimetres;
    return form;
}

std::vector<figures::DrawnCells> tilesOf(const figures::Drawing& drawing)
{
    std::vector<figures::DrawnCells> tiles;
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const cells = std::get_if<figures::DrawnCells>(&item))
            if (cells->cells.width() == cells->cells.height())
                tiles.push_back(*cells);
    return tiles;
}

}  // namespace

TEST_CASE("texts of a grid neither collide nor leave the page, at any width and shape")
{
    const double width = GENERATE(85.0, 120.0, 180.0, 400.0);
    const HeadShape shape =
        GENERATE(HeadShape{1, 1, 1}, HeadShape{4, 8, 8}, HeadShape{12, 12, 12}, HeadShape{32, 32, 32});
    figures::GridFigure figure = pairOf(shape, 12);
    figure.isStacked = GENERATE(false, true);
    CAPTURE(width, shape.layers, figure.isStacked);
    const figures::Drawing drawing = figures::draw(figure, wide(width));
    CHECK(flawsOf(drawing) == QStringList());
    CHECK(drawing.size().width() <= figures::pointsOf(width) + 0.01);
    keepPicture(drawing,
                QStringLiteral("grid-%1-%2%3").arg(width).arg(shape.layers).arg(figure.isStacked ? "s" : ""));
}

TEST_CASE("every head has its label inside of its tile where tiles are large enough")
{
    const figures::GridFigure figure = pairOf({4, 8, 8}, 12);
    const figures::Drawing drawing = figures::draw(figure, wide(180));
    const QStringList texts = textsOf(drawing);
    for (const figures::TilePanel& panel : figure.panels)
        for (const HeadId head : panel.heads)
            CHECK(texts.contains(QString::fromStdString(toString(head))));
    CHECK(drawing.notes().isEmpty());
    const std::vector<figures::DrawnCells> tiles = tilesOf(drawing);
    for (const figures::Drawing::Item& item : drawing.items()) {
        const auto* const text = std::get_if<figures::DrawnText>(&item);
        if (!text || !parseHead(text->text.toStdString()))
            continue;
        CHECK(std::any_of(tiles.begin(), tiles.end(), [&](const figures::DrawnCells& tile) {
            return tile.place.adjusted(-0.2, -0.2, 0.2, 0.2).contains(text->bounds());
        }));
    }
}

TEST_CASE("tiles too small for labels have their rows and columns labelled, and the figure says so")
{
    const figures::Drawing drawing = figures::draw(pairOf({32, 32, 32}, 12), wide(180));
    const QStringList texts = textsOf(drawing);
    CHECK_FALSE(texts.contains(QStringLiteral("L3H7")));
    CHECK(texts.contains(QStringLiteral("L3")));
    CHECK(texts.contains(QStringLiteral("H0")));
    REQUIRE(drawing.notes().size() >= 1);
    CHECK(drawing.notes().front().contains(QStringLiteral("labelled instead")));
}

TEST_CASE("a figure without heads, and one without panels, is a figure")
{
    figures::GridFigure figure = pairOf({2, 2, 2}, 5);
    figure.panels.back().heads.clear();
    const figures::Drawing drawing = figures::draw(figure, wide(85));
    CHECK(textsOf(drawing).contains(QStringLiteral("No head to show")));
    CHECK(flawsOf(drawing) == QStringList());
    CHECK(flawsOf(figures::draw(figures::GridFigure(), wide(85))) == QStringList());
}

TEST_CASE("a cell has the colour of its weight under every scale and limit")
{
    figures::Form form = wide(85);
    form.scale = GENERATE(render::Scale::Linear, render::Scale::SquareRoot, render::Scale::Logarithmic);
    form.lowest = GENERATE(0.0, 0.2);
    form.highest = GENERATE(0.6, 1.0);
    const figures::TilePanel panel = panelOf({1, 2, 2}, 9);
    const render::ColourMap map = render::ColourMap::named(form.colourMap);
    for (const HeadId head : panel.heads) {
        const QImage cells = figures::cellImage(panel.result, head, form);
        for (int query = 0; query < 9; ++query)
            for (int key = 0; key < 9; ++key) {
                const double weight = panel.result.tileOf(head)[query * 9 + key] / 255.0;
                const double place =
                    std::clamp((weight - form.lowest) / (form.highest - form.lowest), 0.0, 1.0);
                const QRgb expected =
                    map.at(static_cast<int>(std::lround(255 * render::scaled(place, form.scale))));
                REQUIRE(cells.pixel(key, query) == expected);
            }
    }
}

TEST_CASE("with a scale a head, each head's largest weight has the last colour")
{
    figures::Form form = wide(85);
    form.isPerHead = true;
    const figures::TilePanel panel = panelOf({2, 4, 4}, 9);
    const QRgb last = render::ColourMap::named(form.colourMap).at(255);
    for (const HeadId head : panel.heads) {
        const QImage cells = figures::cellImage(panel.result, head, form);
        bool isThere = false;
        for (int query = 0; query < 9; ++query)
            for (int key = 0; key < 9; ++key)
                isThere = isThere || cells.pixel(key, query) == last;
        CHECK(isThere);
    }
}

TEST_CASE("the marked cell is outlined where it lies, also when a cell stands for many tokens")
{
    figures::GridFigure figure;
    figure.panels = {panelOf({1, 1, 1}, 400)};
    figures::TilePanel& panel = figure.panels.front();
    panel.result = runOf({1, 1, 1}, std::vector<std::int64_t>(400, 1), 40,
                         [](HeadId head) { return madeUpMap(head, 400); });
    panel.mark = CellId{300, 100};
    const figures::Drawing drawing = figures::draw(figure, wide(85));
    const QRectF tile = tilesOf(drawing).at(0).place;
    int found = 0;
    for (const figures::Drawing::Item& item : drawing.items()) {
        const auto* const shape = std::get_if<figures::DrawnShape>(&item);
        if (!shape || !shape->stroke || shape->stroke->ink != render::FigureStyle::kMark)
            continue;
        ++found;
        const QPointF centre = shape->path.boundingRect().center();
        CHECK(std::abs((centre.x() - tile.left()) / tile.width() - 100.5 / 400) < 0.02);
        CHECK(std::abs((centre.y() - tile.top()) / tile.height() - 300.5 / 400) < 0.02);
    }
    CHECK(found == 1);
}

TEST_CASE("an ablated head shows no cells")
{
    figures::GridFigure figure;
    figure.panels = {panelOf({1, 2, 2}, 6)};
    figure.panels.front().ablated = {{0, 1}};
    const figures::Drawing ablated = figures::draw(figure, wide(85));
    CHECK(tilesOf(ablated).size() == 1);
    figure.panels.front().patched = {{0, 1}};
    const figures::Drawing patched = figures::draw(figure, wide(85));
    CHECK(tilesOf(patched).size() == 1);
    CHECK(imageOf(patched) != imageOf(ablated));
}

TEST_CASE("the numbers behind a grid are those of its tiles")
{
    const figures::GridFigure figure = pairOf({2, 3, 3}, 5);
    const figures::DataTable numbers = figures::table(figure);
    REQUIRE(numbers.columns.size() == 6);
    const auto column = [&](std::size_t index, std::size_t row) {
        return numbers.columns[index].values[row];
    };
    const std::size_t rows = numbers.columns.front().values.size();
    REQUIRE(rows == (6 + 6) * 15);
    for (std::size_t row = 0; row < rows; ++row) {
        const figures::TilePanel& panel = figure.panels[static_cast<std::size_t>(column(0, row))];
        const HeadId head{static_cast<int>(column(1, row)), static_cast<int>(column(2, row))};
        const int cell = static_cast<int>(column(3, row)) * 5 + static_cast<int>(column(4, row));
        REQUIRE(column(5, row) == panel.result.tileOf(head)[cell] / 255.0);
    }
}

TEST_CASE("a run's figures are described in words")
{
    figures::TilePanel panel = panelOf({2, 3, 3}, 5);
    panel.result.density = 0.00421;
    panel.result.loss = 1.204;
    panel.ablated = {{0, 1}, {1, 1}};
    CHECK(figures::describeRun(panel) ==
          QStringLiteral("6 of 6 heads · active edges 0.421 % · loss 1.20 · 2 ablated"));
    panel.patched = {{1, 1}};
    CHECK(figures::describeRun(panel).endsWith(QStringLiteral("1 ablated · 1 patched")));
    panel.edited[panel.heads.front()] = {};
    CHECK(figures::describeRun(panel).endsWith(QStringLiteral("1 patched · 1 with cells changed")));
    panel.result.loss.reset();
    panel.ablated.clear();
    panel.edited.clear();
    panel.patched.clear();
    CHECK(figures::describeRun(panel) == QStringLiteral("6 of 6 heads · active edges 0.421 %"));
}

TEST_CASE("a label moves to another corner rather than hide what little a head does")
{
    const int tokens = 20;
    figures::GridFigure figure;
    figure.panels = {panelOf({1, 2, 2}, tokens)};
    figure.panels.front().result =
        runOf({1, 2, 2}, std::vector<std::int64_t>(tokens, 1), tokens, [](HeadId head) {
            std::vector<float> map(tokens * tokens, 0);
            map[head.head == 0 ? 1 * tokens + 1 : 15 * tokens + 3] = 1;  // top left, bottom left
            return map;
        });
    figures::Form form = wide(85);
    form.labelCorner = render::LabelCorner::TopLeft;
    const figures::Drawing drawing = figures::draw(figure, form);
    const std::vector<figures::DrawnCells> tiles = tilesOf(drawing);
    REQUIRE(tiles.size() == 2);
    std::vector<double> offsets;
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const text = std::get_if<figures::DrawnText>(&item);
            text && parseHead(text->text.toStdString()))
            offsets.push_back(text->baseline.x() - tiles[offsets.size()].place.left());
    REQUIRE(offsets.size() == 2);
    CHECK(offsets[0] > tiles[0].place.width() / 2);
    CHECK(offsets[1] < tiles[1].place.width() / 2);
}

TEST_CASE("slim tiles of MLPs touch no other tile of their panel, and nothing leaves it")
{
    figures::TilePanel panel = panelOf({5, 6, 6}, 12);
    using Kind = render::TileFlow::Kind;
    panel.flow.kind = GENERATE(Kind::LayersDown, Kind::LayersAcross, Kind::Wrapped);
    panel.flow.count = GENERATE(1, 2, 4, 9);
    panel.flow.hasMlps = true;
    const double side = GENERATE(3.0, 12.0, 60.0);
    const figures::Form form = wide(180);
    const figures::TilePanelLayout layout(panel, form, side);
    const QRectF all(QPointF(), layout.size() + QSizeF(1e-6, 1e-6));
    CAPTURE(panel.flow.kind, panel.flow.count, side);
    REQUIRE(layout.places().mlps().size() == 5);
    std::vector<QRectF> tiles;
    for (int index = 0; index < layout.places().count(); ++index)
        tiles.push_back(layout.tile(index));
    for (const render::GridLayout::Mlp& mlp : layout.places().mlps())
        tiles.push_back(layout.mlpTile(mlp));
    for (std::size_t one = 0; one < tiles.size(); ++one) {
        CHECK(all.contains(tiles[one]));
        for (std::size_t other = 0; other < one; ++other)
            CHECK_FALSE(tiles[one].intersects(tiles[other]));
    }
}

TEST_CASE("an MLP's bar is as long as its share, red where it takes away, and hatched where it is ablated")
{
    figures::GridFigure figure;
    figure.panels = {panelOf({4, 3, 3}, 8)};
    figures::TilePanel& panel = figure.panels.front();
    panel.flow.hasMlps = true;
    panel.mlps = {{0, 2.0}, {1, -1.0}, {2, 3.0}, {3, 0.0}};
    panel.mostWritten = 4;
    panel.ablated = {HeadId::mlpOf(2)};
    const figures::Form form = wide(85);
    const figures::TilePanelLayout layout(panel, form, 20);
    figures::Drawing drawing;
    layout.draw(drawing, {});
    std::vector<QRectF> bars[2];  // added, taken away
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const shape = std::get_if<figures::DrawnShape>(&item); shape && shape->fill) {
            if (*shape->fill == render::FigureStyle::kAccent)
                bars[0].push_back(shape->path.boundingRect());
            if (*shape->fill == render::FigureStyle::kMark)
                bars[1].push_back(shape->path.boundingRect());
        }
    REQUIRE(bars[0].size() == 1);
    REQUIRE(bars[1].size() == 1);
    const auto slim = [&](std::size_t layer) { return layout.mlpTile(layout.places().mlps()[layer]); };
    CHECK(bars[0][0].height() == Approx(slim(0).height() / 2));
    CHECK(bars[0][0].bottom() == Approx(slim(0).bottom()));
    CHECK(bars[1][0].height() == Approx(slim(1).height() / 4));
}

TEST_CASE("a grid's numbers have a row for each MLP that is shown, and no column for them otherwise")
{
    figures::GridFigure figure = pairOf({2, 3, 3}, 4);
    CHECK(figures::table(figure).columns.back().name == "weight");
    figure.panels.front().mlps = {{0, 0.5}, {1, -0.25}};
    const figures::DataTable table = figures::table(figure);
    const figures::DataColumn& logits = table.columns.back();
    CHECK(logits.name == "logit");
    std::map<double, double> found;
    for (std::size_t row = 0; row < logits.values.size(); ++row)
        if (std::isnan(table.columns[2].values[row]))
            found[table.columns[1].values[row]] = logits.values[row];
        else
            CHECK(std::isnan(logits.values[row]));
    CHECK(found == std::map<double, double>{{0, 0.5}, {1, -0.25}});
}
