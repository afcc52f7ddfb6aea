#include "figures/presets/explained_effect_figure.h"

#include "ui/figures/drawing_probe.h"

#include "support/catch.h"

#include <cmath>
#include <limits>

using namespace hs;
using namespace hs::test;

namespace {

/// Rises to 1 and reaches the level at `smallest`.
figures::EffectCurve rising(const QString& title, int most, int smallest, double level = 0.9,
                            double overshoot = 0)
{
    figures::EffectCurve curve{title, {}, {}};
    const double rate = -std::log(1 - level) / smallest;
    for (int kept = 1; kept <= most;
         kept = most > 60 ? std::max(kept + 1, static_cast<int>(kept * 1.15)) : kept + 1) {
        const double share = static_cast<double>(kept) / most;
        curve.points.push_back(
            {kept, (1 - std::exp(-rate * kept)) * (1 + overshoot * share * (1 - share) * 4)});
    }
    curve.smallest = smallest;
    return curve;
}

figures::ExplainedEffectFigure pair(int most, int dense, int sparse)
{
    figures::ExplainedEffectFigure figure;
    figure.curves = {rising(QStringLiteral("GPT-2"), most, dense),
                     rising(QStringLiteral("Sparse GPT-2"), most, sparse)};
    figure.caption = QStringLiteral("Share of the clean run's logit difference that the kept heads restore.");
    return figure;
}

}  // namespace

TEST_CASE("explained-effect: names, level, smallest numbers and the factor are those of the content")
{
    for (const double width : {85.0, 120.0, 180.0}) {
        CAPTURE(width);
        const figures::Drawing drawing = figures::draw(pair(144, 45, 10), test::formOf(width));
        keepPicture(drawing, QStringLiteral("explained-effect-%1").arg(width));
        CHECK(flawsOf(drawing) == QStringList());
        CHECK(drawing.notes().isEmpty());
        const QStringList texts = textsOf(drawing);
        for (const char* const text :
             {"GPT-2", "Sparse GPT-2", "level 0.9", "45", "4.5× fewer heads", "heads kept"})
            CHECK(texts.contains(QString::fromUtf8(text)));
        CHECK(texts.count(QStringLiteral("10")) == 2);  // a tick, and the smallest number
    }
}

TEST_CASE("explained-effect: curves of any kind have no flaw")
{
    std::vector<figures::ExplainedEffectFigure> figures = {pair(20, 16, 4), pair(20, 5, 4),
                                                           pair(36, 30, 1), pair(2000, 900, 56),
                                                           pair(2, 2, 1),   pair(144, 3, 90)};
    figures.push_back({});
    figures.push_back({{rising(QStringLiteral("Dense"), 144, 45)}, QStringLiteral("edges"), 0.8, {}});
    figures.push_back({{{QStringLiteral("Dense"), {}, {}}, rising(QStringLiteral("Sparse"), 32, 9)},
                       QStringLiteral("heads"),
                       0.9,
                       {}});
    figures.push_back({{{QStringLiteral("Dense"), {{5, 0.4}}, {}},
                        {QStringLiteral("Sparse"),
                         {{0, 0}, {40, std::numeric_limits<double>::quiet_NaN()}, {64, 0.5}},
                         {}}},
                       QStringLiteral("heads"),
                       0.9,
                       {}});
    figures.push_back({{rising(QString(90, QLatin1Char('m')), 144, 45, 0.9, 0.6),
                        rising(QStringLiteral("s"), 144, 10, 0.9, -1.4)},
                       QStringLiteral("heads"),
                       0.9,
                       {}});
    figures::ExplainedEffectFigure same = pair(64, 12, 12);
    figures.push_back(same);
    figures::ExplainedEffectFigure none = pair(64, 60, 50);
    none.curves[0].smallest.reset();
    none.curves[1].smallest.reset();
    figures.push_back(none);
    for (std::size_t index = 0; index < figures.size(); ++index)
        for (const double width : {85.0, 120.0, 180.0}) {
            CAPTURE(index, width);
            const figures::Drawing drawing = figures::draw(figures[index], test::formOf(width));
            keepPicture(drawing, QStringLiteral("effect-%1-%2").arg(index).arg(width));
            CHECK(flawsOf(drawing) == QStringList());
            CHECK(drawing.size().width() <= figures::pointsOf(width) + 0.5);
        }
}

TEST_CASE("explained-effect: curves stay within the axes when the effect exceeds 1 or is negative")
{
    figures::ExplainedEffectFigure figure{
        {{QStringLiteral("Dense"), {{1, -0.3}, {2, 1.4}, {3, 1.0}}, 2}}, QStringLiteral("heads"), 0.9, {}};
    const figures::Drawing drawing = figures::draw(figure, test::formOf(85));
    CHECK(flawsOf(drawing) == QStringList());
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const shape = std::get_if<figures::DrawnShape>(&item);
            shape && shape->stroke && shape->stroke->ink == render::FigureStyle::kAccent &&
            !shape->stroke->isDashed) {
            CHECK(shape->path.boundingRect().top() > 0);
            CHECK(shape->path.boundingRect().height() > 20);
        }
}

TEST_CASE("explained-effect: the table has every point of every curve")
{
    const figures::ExplainedEffectFigure figure = pair(20, 16, 4);
    const figures::DataTable data = figures::table(figure);
    REQUIRE(data.columns.size() == 3);
    for (const figures::DataColumn& column : data.columns)
        REQUIRE(column.values.size() == 40);
    CHECK(data.columns[0].values[20] == 1);
    CHECK(data.columns[1].values[20] == 1);
    CHECK(data.columns[2].values[25] == Approx(figure.curves[1].points[5].effect));
}
