#include "figures/presets/attribution_figure.h"

#include "ui/figures/drawing_probe.h"
#include "ui/made_up_run.h"

#include "support/catch.h"

#include <algorithm>
#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

constexpr HeadShape kShape{12, 12, 12};

figures::AttributionSide carryingSide(const QString& title, int heads, int tokens, double kept, CellId cell)
{
    figures::AttributionSide side;
    side.carrying.title = title;
    side.carrying.result = madeUpRun(kShape, tokens, kept);
    const std::vector<HeadId> all = allHeads(side.carrying.result);
    for (int index = 0; index < heads; ++index) {
        side.carrying.heads.push_back(all[static_cast<std::size_t>(index * 37 + 5) % all.size()]);
        side.contributions.push_back(3.0 * std::pow(0.8, index));
    }
    side.carrying.mark = cell;
    side.share = 0.8;
    side.candidates = 144;
    return side;
}

/// The paper's figure: five heads of the sparse model, 43 of the dense one.
figures::AttributionFigure opposites(int dense = 43, int sparse = 5)
{
    figures::AttributionFigure figure;
    for (const char* const word : {"The", "opposite", "of", "\"", "large", "\"", "is", "\""})
        figure.tokens.push_back(QString::fromUtf8(word));
    figure.position = 7;
    figure.sources = {{4, 0, 3, 0.62, 5}, {1, 0, 1, 0.2, 2}, {5, 0, 10, 0.1, 1}};
    figure.target = QStringLiteral("small");
    figure.probability = 0.98;
    if (dense >= 0)
        figure.sides.push_back(carryingSide(QStringLiteral("GPT-2"), dense, 8, 1, {7, 4}));
    if (sparse >= 0)
        figure.sides.push_back(carryingSide(QStringLiteral("Sparse GPT-2"), sparse, 8, 0.05, {7, 4}));
    figure.caption = QStringLiteral("Direct contributions to the logit of “small” at query 8, final norm "
                                    "frozen. Weights: √ scale, 0–1, shared by all heads.");
    return figure;
}

}  // namespace

TEST_CASE("attribution: counts, shares, sources and target are those of the content")
{
    const figures::AttributionFigure figure = opposites();
    for (const double width : {85.0, 120.0, 180.0}) {
        CAPTURE(width);
        const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
        keepPicture(drawing, QStringLiteral("attribution-%1").arg(width));
        CHECK(flawsOf(drawing) == QStringList());
        CHECK(drawing.size().width() <= figures::pointsOf(width) + 0.5);
        const QStringList texts = textsOf(drawing);
        CHECK(texts.filter(QStringLiteral("43 of 144 heads carry 80 %")).size() == 1);
        CHECK(texts.filter(QStringLiteral("5 of 144 heads carry 80 %")).size() == 1);
        CHECK(texts.contains(QStringLiteral("80 % by these 5 heads")));
        CHECK(texts.contains(QStringLiteral("layers 0–3, 62 %")));
        CHECK(texts.contains(QStringLiteral("output, 98 %")));
        CHECK(texts.contains(QStringLiteral("8")));
        for (const char* const share : {"24 %", "19 %", "15 %", "12 %", "10 %"})
            CHECK(texts.contains(QString::fromUtf8(share)));
        for (const HeadId head : figure.sides[1].carrying.heads)
            CHECK(texts.contains(QString::fromStdString(toString(head))));
    }
}

TEST_CASE("attribution: a single head is not counted among others where there are none")
{
    figures::AttributionFigure figure = opposites(7, 1);
    figure.sides[1].candidates = 1;
    const QStringList texts = textsOf(figures::draw(figure, test::formOf(180)));
    CHECK(texts.filter(QStringLiteral("1 head carries 80 %")).size() == 1);
    CHECK(texts.filter(QStringLiteral("of 1 heads")).isEmpty());
    figure.sides[1].candidates = 4;
    CHECK(textsOf(figures::draw(figure, test::formOf(180)))
              .filter(QStringLiteral("1 of 4 heads carries"))
              .size() == 1);
}

TEST_CASE("attribution: numbers of heads, sources and tokens of any size have no flaw")
{
    for (const double width : {85.0, 120.0, 180.0})
        for (const int dense : {-1, 0, 1, 60})
            for (const int sparse : {0, 1, 5, 60}) {
                CAPTURE(width, dense, sparse);
                figures::AttributionFigure figure = opposites(dense, sparse);
                if (sparse == 60)
                    figure.sources.clear();
                const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
                keepPicture(drawing,
                            QStringLiteral("attribution-%1-%2-%3").arg(dense).arg(sparse).arg(width));
                CHECK(flawsOf(drawing) == QStringList());
                CHECK(drawing.size().width() <= figures::pointsOf(width) + 0.5);
            }
    CHECK(flawsOf(figures::draw(figures::AttributionFigure{}, test::formOf(180))) == QStringList());
}

TEST_CASE("attribution: a long prompt keeps its sources and query, and the strip says what is left out")
{
    for (const double width : {85.0, 120.0, 180.0})
        for (const int tokens : {40, 2000}) {
            CAPTURE(width, tokens);
            figures::AttributionFigure figure = opposites(9, 4);
            figure.tokens.clear();
            for (int index = 0; index < tokens; ++index)
                figure.tokens.push_back(index % 7 == 3 ? QStringLiteral("incomprehensibilities")
                                                       : QStringLiteral("w%1").arg(index));
            figure.position = tokens - 1;
            figure.sources = {{30, 0, 11, 0.5, 4}, {3, 2, 2, 0.3, 2},   {36, 0, 10, 0.1, 1},
                              {31, 0, 1, 0.05, 1}, {32, 0, 1, 0.02, 1}, {0, 5, 6, 0.01, 1}};
            figure.target = QString(60, QLatin1Char('x'));
            const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
            keepPicture(drawing, QStringLiteral("attribution-long%1-%2").arg(tokens).arg(width));
            CHECK(flawsOf(drawing) == QStringList());
            CHECK(textsOf(drawing).contains(QStringLiteral("31")));
            CHECK(textsOf(drawing).contains(QString::number(tokens)));
            CHECK(drawing.notes().filter(QStringLiteral("tokens of the prompt")).size() == 1);
            CHECK(drawing.notes().filter(QStringLiteral("sources are drawn")).size() == 1);
        }
}

TEST_CASE("attribution: a source at the query itself and one beside the target have no flaw")
{
    for (const double width : {85.0, 120.0, 180.0})
        for (const int position : {0, 7}) {
            figures::AttributionFigure figure = opposites(3, 2);
            figure.sources = {{position, 4, 4, 0.9, 2}};
            const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
            keepPicture(drawing, QStringLiteral("attribution-at%1-%2").arg(position).arg(width));
            CHECK(flawsOf(drawing) == QStringList());
            CHECK(textsOf(drawing).contains(QStringLiteral("layer 4, 90 %")));
        }
}

TEST_CASE("attribution: the arrow ends at the source that it makes, and else at the target")
{
    for (const double width : {85.0, 120.0, 180.0}) {
        CAPTURE(width);
        figures::AttributionFigure figure = opposites(9, 2);
        figure.sources = {{4, 0, 0, 0.36, 2}, {7, 0, 6, 0.3, 0, QStringLiteral("→ small")}};
        figure.sources[0].isEmbedding = true;
        const auto tipOf = [&] {
            const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
            keepPicture(drawing,
                        QStringLiteral("attribution-to%1-%2").arg(figure.arrowTo.value_or(-1)).arg(width));
            CHECK(flawsOf(drawing) == QStringList());
            CHECK(textsOf(drawing).contains(QStringLiteral("embedding, 36 %")));
            CHECK(textsOf(drawing).contains(QStringLiteral("layers 0–6, 30 %")));
            double tip = 0;  // the right end of what is drawn in the arrow's colour without a line
            for (const figures::Drawing::Item& item : drawing.items())
                if (const auto* const shape = std::get_if<figures::DrawnShape>(&item);
                    shape && !shape->stroke && shape->fill == render::FigureStyle::kMark)
                    tip = std::max(tip, shape->path.boundingRect().center().x());
            return tip;
        };
        const double atTarget = tipOf();
        figure.arrowTo = 7;
        CHECK(tipOf() < atTarget);
        figure.arrowTo = 2;  // which is no source
        CHECK(tipOf() == Approx(atTarget));
    }
}

TEST_CASE("attribution: the table has a row for each carrying head and each source")
{
    figures::AttributionFigure figure = opposites(3, 2);
    figure.sides[1].contributions = {3, -1};
    const figures::DataTable data = figures::table(figure);
    REQUIRE(data.columns.size() == 9);
    for (const figures::DataColumn& column : data.columns)
        REQUIRE(column.values.size() == 3 + 2 + 3);
    CHECK(data.columns[0].values == std::vector<double>{0, 0, 0, 1, 1, 1, 1, 1});
    CHECK(data.columns[3].values[4] == -1);
    CHECK(data.columns[4].values[3] == Approx(0.6));
    CHECK(data.columns[4].values[4] == Approx(-0.2));
    CHECK(data.columns[5].values[5] == 4);
    CHECK(data.columns[7].values[7] == 10);
    CHECK(std::isnan(data.columns[1].values[5]));
    CHECK(std::isnan(data.columns[5].values[0]));
    CHECK(textsOf(figures::draw(figure, test::formOf(180))).contains(QStringLiteral("−20 %")));
}
