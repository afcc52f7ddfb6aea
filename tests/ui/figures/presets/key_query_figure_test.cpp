#include "figures/presets/key_query_figure.h"

#include "ui/figures/drawing_probe.h"
#include "ui/made_up_run.h"

#include "support/catch.h"

#include <algorithm>
#include <set>

using namespace hs;
using namespace hs::test;

namespace {

/// A side of made-up heads; those above the threshold map the cell.
figures::KeyQuerySide madeUpSide(const QString& title, HeadShape shape, int tokens, double kept, CellId cell,
                                 double threshold)
{
    figures::KeyQuerySide side;
    side.all.title = title;
    side.all.result = madeUpRun(shape, tokens, kept);
    side.all.heads = allHeads(side.all.result);
    side.all.mark = cell;
    std::vector<std::pair<double, HeadId>> found;
    for (const HeadId head : side.all.heads) {
        const double weight =
            side.all.result.tileOf(head)[cell.query * side.all.result.tileRows + cell.key] / 255.0;
        if (weight > threshold)
            found.emplace_back(weight, head);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [weight, head] : found) {
        side.mapping.push_back(head);
        side.weights.push_back(weight);
    }
    return side;
}

figures::KeyQueryFigure madeUpFigure(HeadShape shape, int tokens, double threshold, bool isPair = true)
{
    figures::KeyQueryFigure figure;
    figure.cell = {std::max(0, tokens - 1), std::max(0, tokens - 2)};
    figure.key = QStringLiteral("large");
    figure.query = QStringLiteral("\"");
    figure.threshold = threshold;
    figure.caption = QStringLiteral(
        "Attention of “The opposite of \"large\" is \"”; the outlined cell is key 5, query 8.");
    figure.sides.push_back(madeUpSide(QStringLiteral("GPT-2"), shape, tokens, 1, figure.cell, threshold));
    if (isPair)
        figure.sides.push_back(
            madeUpSide(QStringLiteral("Sparse GPT-2"), shape, tokens, 0.05, figure.cell, threshold));
    return figure;
}

/// Outlines in the colour of marks.
int marksOf(const figures::Drawing& drawing)
{
    int count = 0;
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const shape = std::get_if<figures::DrawnShape>(&item))
            count += shape->stroke && shape->stroke->ink == render::FigureStyle::kMark ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("key-query: every tile and every mapping head has its mark, and weights stand below")
{
    const figures::KeyQueryFigure figure = madeUpFigure({4, 8, 8}, 8, 0.15);
    for (const double width : {85.0, 120.0, 180.0}) {
        CAPTURE(width);
        const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
        keepPicture(drawing, QStringLiteral("key-query-%1").arg(width));
        CHECK(flawsOf(drawing) == QStringList());
        CHECK(drawing.size().width() <= figures::pointsOf(width) + 0.5);
        std::size_t marks = 0;
        const QStringList texts = textsOf(drawing);
        for (const figures::KeyQuerySide& side : figure.sides) {
            marks += side.all.heads.size() + side.mapping.size();
            CHECK(texts.filter(QStringLiteral("%1 of 32 heads map key 7").arg(side.mapping.size())).size() >=
                  1);
            for (const double weight : side.weights)
                CHECK(texts.contains(QString::number(weight, 'f', 2)));
        }
        CHECK(marksOf(drawing) == static_cast<int>(marks));
        CHECK(texts.count(QStringLiteral("K")) == 2);
        CHECK(texts.count(QStringLiteral("Q")) == 2);
    }
}

TEST_CASE("key-query: positions in words count from 1 and tokens are quoted where they fit")
{
    const figures::Drawing drawing = figures::draw(madeUpFigure({4, 8, 8}, 8, 0.15), test::formOf(180));
    CHECK(textsOf(drawing).filter(QStringLiteral("key 7 “large” to query 8 “\"”")).size() == 2);
}

TEST_CASE("key-query: a few mapping heads stand in one row")
{
    const figures::KeyQueryFigure figure = madeUpFigure({4, 8, 8}, 8, 0.15);
    REQUIRE(figure.sides[1].mapping.size() == 3);
    const figures::Drawing drawing = figures::draw(figure, test::formOf(180));
    std::set<double> baselines;
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const text = std::get_if<figures::DrawnText>(&item);
            text && text->text.startsWith(QStringLiteral("0.")) &&
            text->baseline.x() > drawing.size().width() / 2 && text->text.size() == 4)
            baselines.insert(text->baseline.y());
    CHECK(baselines.size() == 1);
}

TEST_CASE("key-query: a side without a mapping head says so")
{
    const figures::KeyQueryFigure figure = madeUpFigure({4, 8, 8}, 8, 1.5);
    for (const double width : {85.0, 120.0, 180.0}) {
        const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
        keepPicture(drawing, QStringLiteral("key-query-none-%1").arg(width));
        CHECK(flawsOf(drawing) == QStringList());
        CHECK(textsOf(drawing).count(QStringLiteral("No head gives this cell a weight above 1.5.")) == 2);
    }
}

TEST_CASE("key-query: shapes from no head to hundreds have no flaw")
{
    for (const double width : {85.0, 120.0, 180.0})
        for (const HeadShape& shape :
             {HeadShape{1, 1, 1}, HeadShape{2, 3, 3}, HeadShape{12, 12, 12}, HeadShape{24, 16, 16}})
            for (const int tokens : {1, 2, 9, 70}) {
                CAPTURE(width, shape.layers, tokens);
                figures::KeyQueryFigure figure = madeUpFigure(shape, tokens, 0.02, width != 120);
                figure.key = QString(80, QLatin1Char('k'));
                const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
                if (tokens == 9)
                    keepPicture(drawing, QStringLiteral("key-query-%1-%2").arg(shape.layers).arg(width));
                CHECK(flawsOf(drawing) == QStringList());
            }
    CHECK(flawsOf(figures::draw(figures::KeyQueryFigure{}, test::formOf(180))) == QStringList());
    figures::KeyQueryFigure empty;
    empty.sides.resize(2);
    CHECK(flawsOf(figures::draw(empty, test::formOf(85))) == QStringList());
}

TEST_CASE("key-query: the table has every cell and says which heads map")
{
    const figures::KeyQueryFigure figure = madeUpFigure({2, 4, 4}, 5, 0.15);
    const figures::DataTable data = figures::table(figure);
    REQUIRE(data.columns.size() == 7);
    CHECK(data.columns[6].name == "maps");
    const std::size_t rows = 2 * 8 * 15;
    for (const figures::DataColumn& column : data.columns)
        CHECK(column.values.size() == rows);
    const std::size_t mapping = figure.sides[0].mapping.size() + figure.sides[1].mapping.size();
    REQUIRE(mapping > 0);
    CHECK(std::count(data.columns[6].values.begin(), data.columns[6].values.end(), 1.0) ==
          static_cast<std::ptrdiff_t>(15 * mapping));
}
