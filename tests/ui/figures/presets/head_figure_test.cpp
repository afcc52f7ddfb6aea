#include "figures/presets/head_figure.h"

#include "figures/parts/cell_image.h"
#include "figures/presets/head_panel.h"
#include "support/catch.h"
#include "ui/figures/drawing_probe.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace hs;

namespace {

constexpr int kHeads = 2;

engine::LayerMap mapsOf(int length, double power)
{
    const auto side = static_cast<std::size_t>(length);
    const std::shared_ptr<float[]> maps(new float[kHeads * side * side]());
    std::mt19937 random(static_cast<unsigned>(length));
    std::uniform_real_distribution<double> share;
    for (std::size_t row = 0; row < kHeads * side; ++row) {
        const std::size_t query = row % side;
        double sum = 0;
        for (std::size_t key = 0; key <= query; ++key) {
            const double weight = std::pow(share(random), power) + (key == 0 ? 0.5 : 0);
            maps[row * side + key] = static_cast<float>(weight);
            sum += weight;
        }
        for (std::size_t key = 0; key <= query; ++key)
            maps[row * side + key] /= static_cast<float>(sum);
    }
    return maps;
}

std::vector<QString> tokensOf(int length, const QStringList& words)
{
    std::vector<QString> tokens;
    for (int position = 0; position < length; ++position)
        tokens.push_back(words[position % words.size()]);
    return tokens;
}

const QStringList kEnglish = {"When", "Mary", "and",   "John", "went",
                              "to",   "the",  "store", ",",    "antidisestablishmentarianism"};
const QStringList kMixed = {"كتاب", "学校", "🦜", "Übermaß", "मानव", "⟨bos⟩", "👩‍👩‍👧", "的"};

figures::HeadFigure figureOf(int length, const QStringList& words)
{
    return {
        {{"GPT-2", {5, 1}, mapsOf(length, 3), false}, {"Sparse GPT-2", {5, 1}, mapsOf(length, 30), false}},
        tokensOf(length, words),
        "Attention of head L5H1."};
}

}  // namespace

TEST_CASE("a head has no flaw at any width, for any number of tokens in any script")
{
    int script = 0;
    for (const QStringList& words : {kEnglish, kMixed}) {
        for (const double width : {85.0, 120.0, 180.0})
            for (const int length : {1, 3, 16, 64, 2000}) {
                const figures::Drawing drawing = figures::draw(figureOf(length, words), test::formOf(width));
                INFO(width << " mm, " << length
                           << " tokens: " << test::flawsOf(drawing).join("; ").toStdString());
                CHECK(test::flawsOf(drawing).isEmpty());
                CHECK(drawing.size().width() <= figures::pointsOf(width) + 1e-6);
                test::keepPicture(drawing, QString("head-%1-%2t-%3").arg(width).arg(length).arg(script));
            }
        ++script;
    }
}

TEST_CASE("a head that is missing, ablated or without tokens, and endless titles, are still a page")
{
    figures::HeadFigure missing = figureOf(16, kEnglish);
    missing.panels[1].maps = nullptr;
    missing.panels[0].isAblated = true;
    figures::HeadFigure tiny = figureOf(1, kEnglish);
    tiny.panels[0].maps = nullptr;
    figures::HeadFigure wordless = figureOf(1, kEnglish);
    wordless.tokens.clear();
    figures::HeadFigure wordy = figureOf(64, kEnglish);
    wordy.panels[0].title = wordy.panels[1].title = wordy.caption = QString("An endless title ").repeated(40);
    figures::HeadFigure alone = figureOf(16, kEnglish);
    alone.panels.pop_back();
    int number = 0;
    for (const figures::HeadFigure& figure : {missing, tiny, wordless, wordy, alone, figures::HeadFigure()}) {
        for (const double width : {85.0, 120.0, 180.0}) {
            const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
            INFO(number << ", " << width << " mm: " << test::flawsOf(drawing).join("; ").toStdString());
            CHECK(test::flawsOf(drawing).isEmpty());
            CHECK(drawing.size().width() <= figures::pointsOf(width) + 1e-6);
            test::keepPicture(drawing, QString("head-odd%1-%2").arg(number).arg(width));
        }
        ++number;
    }
    const QStringList texts = test::textsOf(figures::draw(missing, test::formOf(180)));
    CHECK(texts.contains("This model has no such head"));
    CHECK(texts.contains("L5H1 · ablated"));
}

TEST_CASE("a cell of a head's map has the colour of its weight, as on a tile")
{
    const figures::HeadFigure figure = figureOf(16, kEnglish);
    for (const render::Scale scale :
         {render::Scale::Linear, render::Scale::SquareRoot, render::Scale::Logarithmic})
        for (const bool isPerHead : {false, true}) {
            figures::Form form = test::formOf(180);
            form.scale = scale;
            form.isPerHead = isPerHead;
            form.highest = 0.6;
            const figures::Drawing drawing = figures::draw(figure, form);
            const QImage page = test::imageOf(drawing, 720);
            const render::ColourMap map = render::ColourMap::named(form.colourMap);
            const float* const weights = figure.panels[1].maps.get() + 16 * 16;
            const double highest = isPerHead ? *std::max_element(weights, weights + 256) : 0.6;
            std::vector<figures::DrawnCells> cells;
            for (const figures::Drawing::Item& item : drawing.items())
                if (const auto* const own = std::get_if<figures::DrawnCells>(&item))
                    cells.push_back(*own);
            REQUIRE(cells.size() == 3);  // two maps and the colour bar
            const QRectF& place = cells[1].place;
            for (int query = 0; query < 16; ++query)
                for (int key = 0; key < 16; ++key) {
                    const double share = std::min(1.0, weights[query * 16 + key] / highest);
                    const QRgb wanted =
                        map.at(static_cast<int>(std::lround(255 * render::scaled(share, scale))));
                    const QPointF middle(place.left() + (key + 0.5) * place.width() / 16,
                                         place.top() + (query + 0.5) * place.height() / 16);
                    CHECK(page.pixel((10 * middle).toPoint()) == wanted);
                }
        }
}

TEST_CASE("a long prompt's cells are pooled by maximum, and a note says so")
{
    const int length = 1500;
    std::vector<float> pattern(static_cast<std::size_t>(length) * length);
    pattern[static_cast<std::size_t>(1400) * length + 700] = 1;
    const QImage image = figures::mapImage(pattern.data(), length, {});
    CHECK(image.size() == QSize(512, 512));
    CHECK(image.pixelIndex(700 * 512 / 1500, 1400 * 512 / 1500) == 255);
    int strong = 0;
    for (int row = 0; row < 512; ++row)
        for (int column = 0; column < 512; ++column)
            strong += image.pixelIndex(column, row) > 0;
    CHECK(strong == 1);
    CHECK(figures::mapImage(pattern.data(), 16, {}).size() == QSize(16, 16));
    CHECK(figures::draw(figureOf(600, kEnglish), test::formOf(180)).notes().size() ==
          2);  // cells, and labels
    CHECK(figures::draw(figureOf(16, kEnglish), test::formOf(180)).notes().isEmpty());
}

TEST_CASE("all tokens are labelled on both axes while there is room, then one in so many")
{
    const figures::Form form = test::formOf(180);
    const QStringList few = test::textsOf(figures::draw(figureOf(8, kEnglish), form));
    CHECK(few.count("Mary") == 4);
    CHECK(few.contains("key (attended to)"));
    CHECK(few.contains("query (attends)"));
    const QStringList many = test::textsOf(figures::draw(figureOf(200, kEnglish), form));
    CHECK(many.count("10 When") == 4);
    CHECK_FALSE(many.contains("Mary"));
    CHECK_FALSE(many.contains("11 Mary"));
}

TEST_CASE("a token's text is cut to leave room for the map")
{
    const QStringList endless = {QString("long").repeated(50)};
    const figures::Drawing drawing = figures::draw(figureOf(8, endless), test::formOf(85));
    CHECK(test::flawsOf(drawing).isEmpty());
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const cells = std::get_if<figures::DrawnCells>(&item);
            cells && cells->cells.width() == 8)
            CHECK(cells->place.width() > 0.7 * figures::pointsOf(85));
}

TEST_CASE("the table of a head has the weight of every causal cell of each panel that is there")
{
    figures::HeadFigure figure = figureOf(5, kEnglish);
    figure.panels[0].maps = nullptr;
    const figures::DataTable data = figures::table(figure);
    REQUIRE(data.columns.size() == 6);
    REQUIRE(data.columns[5].values.size() == 15);
    for (std::size_t row = 0; row < 15; ++row) {
        const auto query = static_cast<std::size_t>(data.columns[3].values[row]);
        const auto key = static_cast<std::size_t>(data.columns[4].values[row]);
        CHECK(key <= query);
        CHECK(data.columns[0].values[row] == 1);
        CHECK(data.columns[1].values[row] == 5);
        CHECK(data.columns[2].values[row] == 1);
        CHECK(data.columns[5].values[row] == figure.panels[1].maps[25 + 5 * query + key]);
    }
}
