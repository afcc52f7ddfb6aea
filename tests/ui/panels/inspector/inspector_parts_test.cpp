#include "panels/inspector/inspector_text.h"
#include "panels/inspector/map_colours.h"
#include "panels/inspector/map_overlay.h"
#include "panels/inspector/map_viewport.h"
#include "support/catch.h"

#include <cmath>
#include <limits>

using namespace hs;

namespace {

panels::HeadMap mapOf(const std::vector<float>& cells, int tokens)
{
    const std::shared_ptr<float[]> copy(new float[cells.size()]);
    std::copy(cells.begin(), cells.end(), copy.get());
    return {copy, tokens, false};
}

panels::MapViewport viewOf(int tokens)
{
    panels::MapViewport view;
    view.setSize(tokens, tokens);
    view.setPlace(QRect(50, 10, 200, 200));
    return view;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("the cell at a pixel of a cell is that cell, whatever is seen")
{
    panels::MapViewport view = viewOf(15);
    view.zoomAt({120, 60}, 1.7);
    view.panBy({-13, 22});
    for (int query = 0; query < 15; ++query)
        for (int key = 0; key < 15; ++key) {
            const QPointF middle = view.rectOf({query, key}).center();
            if (QRectF(view.place()).contains(middle))
                CHECK(view.cellAt(middle) == panels::MapCell{query, key});
            else
                CHECK_FALSE(view.cellAt(middle));
        }
    CHECK_FALSE(view.cellAt({49, 100}));
    CHECK_FALSE(view.cellAt({100, 210}));
}

TEST_CASE("zooming keeps what is under the pointer, and what is seen stays inside the map")
{
    panels::MapViewport view = viewOf(100);
    const QPointF pointer(173.3, 88.7);  // inside a cell: on an edge, rounding would decide
    const auto before = view.cellAt(pointer);
    for (int step = 0; step < 30; ++step)
        view.zoomAt(pointer, 1.2);
    CHECK(view.cellAt(pointer) == before);
    CHECK(view.seen().width() == Approx(4));
    view.panBy({-1e6, -1e6});
    CHECK(view.seen().right() == Approx(100));
    CHECK(view.seen().bottom() == Approx(100));
    view.reveal({3, 50});
    CHECK(view.seen().contains(QRectF(50, 3, 1, 1)));
    view.zoomAt(pointer, 1e-6);
    CHECK(view.isFitted());
}

TEST_CASE("a map of one token, or of none, is seen whole")
{
    panels::MapViewport view = viewOf(1);
    view.zoomAt({100, 100}, 3);
    view.panBy({40, 40});
    CHECK(view.rectOf({0, 0}) == QRectF(view.place()));
    view.setSize(0, 0);
    view.zoomAt({100, 100}, 3);
    CHECK_FALSE(view.cellAt({100, 100}));
}

TEST_CASE("keys after their query, infinite scores and a hidden first token are ground")
{
    panels::HeadMap map = mapOf({1.5f, 7, 2, -kInfinity}, 2);
    CHECK(map.at({0, 0}) == 1.5);
    CHECK(std::isnan(map.at({0, 1})));
    CHECK(std::isnan(map.at({1, 1})));
    CHECK(std::isnan(map.at({2, 0})));
    CHECK(std::isnan(map.at({0, -1})));
    CHECK(map.range() == panels::ValueRange{1.5, 2});
    map.hidesFirstToken = true;
    CHECK(std::isnan(map.at({1, 0})));
    CHECK_FALSE(map.range());
}

TEST_CASE("weights have the grid's colours")
{
    for (const render::Scale scale :
         {render::Scale::Linear, render::Scale::SquareRoot, render::Scale::Logarithmic}) {
        control::Look look;
        look.scale = scale;
        const panels::MapColours colours(panels::MapView::Weights, {0, 1}, look, false);
        const QList<QRgb> table = render::ColourMap::named(look.colourMap).table(scale);
        for (int level = 0; level < 256; ++level)
            CHECK(colours.colours().at(int(colours.levelOf(level / 255.0))) == table.at(level));
    }
}

TEST_CASE("a difference of nothing is the middle of the diverging map")
{
    const panels::MapColours colours(panels::MapView::BetweenSides, {-1, 1}, {}, false);
    CHECK(colours.levelOf(0) == 128);
    CHECK(colours.levelOf(1) == 255);
    CHECK(colours.levelOf(-1) == 1);
    CHECK(QRgb(colours.colours().at(128)) == render::ColourMap::diverging().ground());
    const panels::MapColours onDark(panels::MapView::BetweenSides, {-1, 1}, {}, true);
    CHECK(onDark.ground() == render::ColourMap::diverging().onDark().ground());
}

TEST_CASE("limits are shared or a head's own, and never empty")
{
    const std::array maps = {mapOf({0.25f}, 1), mapOf({0.5f}, 1)};
    CHECK(panels::MapColours::limits(panels::MapView::Weights, false, maps) == panels::ValueRange{0, 1});
    CHECK(panels::MapColours::limits(panels::MapView::Weights, true, std::span(maps).first(1)) ==
          panels::ValueRange{0, 0.25});
    CHECK(panels::MapColours::limits(panels::MapView::ValueWeighted, false, maps) ==
          panels::ValueRange{0, 0.5});
    CHECK(panels::MapColours::limits(panels::MapView::Scores, false, maps) == panels::ValueRange{0.25, 0.5});
    CHECK(panels::MapColours::limits(panels::MapView::Scores, true, std::span(maps).first(1)) ==
          panels::ValueRange{0.25, 1.25});
    CHECK(panels::MapColours::limits(panels::MapView::AfterAblation, true, maps) ==
          panels::ValueRange{-0.5, 0.5});
    CHECK(panels::MapColours::limits(panels::MapView::Weights, true, {}) == panels::ValueRange{0, 1});
}

TEST_CASE("the colour bar's numbers rise and keep their distance")
{
    for (const render::Scale scale :
         {render::Scale::Linear, render::Scale::SquareRoot, render::Scale::Logarithmic})
        for (const panels::MapView view :
             {panels::MapView::Weights, panels::MapView::Scores, panels::MapView::BetweenSides})
            for (const double high : {1.0, 0.37, 4.2e-5, 1800.0}) {
                CAPTURE(int(scale), int(view), high);
                control::Look look;
                look.scale = scale;
                const panels::ValueRange limits{view == panels::MapView::Weights ? 0 : -high, high};
                const std::vector<panels::MapTick> ticks =
                    panels::MapColours(view, limits, look, false).ticks(8);
                REQUIRE(ticks.size() >= 2);
                CHECK(ticks.front().level >= 0);
                CHECK(ticks.back().level <= 255);
                for (std::size_t at = 1; at < ticks.size(); ++at)
                    CHECK(ticks[at].level - ticks[at - 1].level > 255.0 / 10);
            }
}

TEST_CASE("labels keep their distance, and the lit one is always there")
{
    CHECK(panels::labelledPositions(0, 4, 20, 16, {}) == std::vector{0, 1, 2, 3});
    CHECK(panels::labelledPositions(0, 6, 10, 16, {}) == std::vector{0, 2, 4});
    CHECK(panels::labelledPositions(0, 6, 10, 16, 3) == std::vector{0, 3});
    CHECK(panels::labelledPositions(0, 1000, 0.3, 16, {}).size() == 10);
    CHECK(panels::labelledPositions(0, 4, 20, 16, 9) == std::vector{0, 1, 2, 3});
    CHECK(panels::labelledPositions(0, 0, 0, 16, 1).empty());
}

TEST_CASE("a cell reads as a sentence, as far as it is known")
{
    const QStringList texts = {QStringLiteral("<bos>"), QStringLiteral("Mary"), QStringLiteral("to")};
    const panels::AxisLabels tokens{texts, texts};
    CHECK(panels::describeCell(tokens, 2, 1) == QStringLiteral("query 2 “to” → key 1 “Mary”"));
    CHECK(panels::describeCell(tokens, {}, 1) == QStringLiteral("key 1 “Mary”"));
    CHECK(panels::describeCell(tokens, 7, 1) == QStringLiteral("key 1 “Mary”"));
    CHECK(panels::describeCell(tokens, {}, {}).isEmpty());
    const auto plain = [](QString text) { return text.replace(QChar::Nbsp, QLatin1Char(' ')); };
    CHECK(plain(panels::describeValues({0.9612, 4.806, 1, 0.9612}, panels::MapView::Weights, true, true)) ==
          QStringLiteral("weight 0.961   score 4.81   gate open"));
    CHECK(plain(panels::describeValues({0, -1.5, 0, 0}, panels::MapView::Weights, true, true)) ==
          QStringLiteral("weight 0.000   score −1.50   gate closed"));
    CHECK(plain(panels::describeValues({NAN, NAN, NAN, NAN}, panels::MapView::Weights, true, false)) ==
          QStringLiteral("weight –   score –"));
    CHECK(plain(panels::describeValues({0.5, NAN, NAN, 0.5}, panels::MapView::Weights, false, false)) ==
          QStringLiteral("weight 0.500"));
    const panels::AxisLabels apart{{QStringLiteral("Haus")}, texts};
    CHECK(panels::describeCell(apart, 0, 2) == QStringLiteral("query 0 “Haus” → key 2 “to”"));
    CHECK(panels::describeCell(apart, 1, 2) == QStringLiteral("key 2 “to”"));
    CHECK(plain(panels::describeComparison(0.2, 0.32)) ==
          QStringLiteral("difference +0.120   left 0.200   right 0.320"));
}
