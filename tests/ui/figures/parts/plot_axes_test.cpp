#include "figures/parts/plot_axes.h"

#include "support/catch.h"
#include "ui/figures/drawing_probe.h"

#include <algorithm>
#include <cmath>

using namespace hs;

namespace {

const figures::AxisRange kRanges[] = {
    {0, 1},         {0, 0.0042},    {-3, 7},         {0, 144},         {12, 12.5},
    {0, 987654},    {1, 144, true}, {1, 2, true},    {0.001, 1, true}, {3, 4, true},
    {1, 1e6, true}, {1e-12, 1e-11}, {1e6, 1e6 + 10}, {1, 1, true},
};

}  // namespace

TEST_CASE("ticks are round, ascending, inside their range and no more than asked for")
{
    for (const figures::AxisRange& range : kRanges)
        for (int most = 1; most <= 10; ++most) {
            const std::vector<double> ticks = figures::roundTicks(range, most);
            INFO(range.lowest << ".." << range.highest << (range.isLogarithmic ? " log" : "") << ", "
                              << most);
            CHECK(static_cast<int>(ticks.size()) <= most);
            CHECK(std::is_sorted(ticks.begin(), ticks.end()));
            CHECK(std::adjacent_find(ticks.begin(), ticks.end()) == ticks.end());
            const double slack = 1e-6 * (range.highest - range.lowest);
            for (const double tick : ticks) {
                CHECK(tick >= range.lowest - slack);
                CHECK(tick <= range.highest + slack);
            }
        }
    CHECK(figures::roundTicks({0, 1}, 6) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
    CHECK(figures::roundTicks({0, 100}, 3) == std::vector<double>{0, 50, 100});
    CHECK(figures::roundTicks({1, 1000, true}, 4) == std::vector<double>{1, 10, 100, 1000});
    CHECK(figures::roundTicks({1, 100, true}, 7) == std::vector<double>{1, 2, 5, 10, 20, 50, 100});
    CHECK(figures::roundTicks({1, 1e6, true}, 3) == std::vector<double>{1, 1000, 1e6});
}

TEST_CASE("a range that is none has no ticks")
{
    CHECK(figures::roundTicks({2, 1}, 5).empty());
    CHECK(figures::roundTicks({0, 10, true}, 5).empty());
    CHECK(figures::roundTicks({0, std::nan("")}, 5).empty());
    CHECK(figures::roundTicks({0, INFINITY}, 5).empty());
    CHECK(figures::roundTicks({0, 1}, 0).empty());
}

TEST_CASE("numbers at ticks have no rest")
{
    CHECK(figures::tickLabel(3 * 0.2) == "0.6");
    CHECK(figures::tickLabel(0) == "0");
    CHECK(figures::tickLabel(200) == "200");
    CHECK(figures::tickLabel(1e6) == "1e+06");
}

TEST_CASE("data lie between the corners of their axes, upwards and evenly by scale")
{
    const figures::PlotAxes axes({10, 20, 100, 50}, {1, 100, true}, {0, 2});
    CHECK(axes.at(1, 0) == QPointF(10, 70));
    CHECK(axes.at(100, 2) == QPointF(110, 20));
    CHECK(axes.at(10, 1).x() == Approx(60));
    CHECK(axes.at(10, 0.5).y() == Approx(57.5));
    CHECK(figures::AxisRange{3, 3}.shareOf(3) == 0.5);
}

TEST_CASE("axes with numbers and names stay within their margins and keep apart at any size")
{
    const figures::AxisNames names = {"heads kept", "explained effect"};
    const figures::Form form;
    for (const figures::AxisRange& x : kRanges)
        for (const figures::AxisRange& y : kRanges)
            for (const double side : {40.0, 90.0, 300.0}) {
                const QMarginsF margins = figures::PlotAxes::margins(x, y, names, form);
                const figures::PlotAxes axes({margins.left(), margins.top(), side, 0.7 * side}, x, y);
                figures::Drawing drawing;
                axes.draw(drawing, form, names);
                drawing.setSize(
                    {margins.left() + side + margins.right(), margins.top() + 0.7 * side + margins.bottom()});
                INFO(side << " pt, " << x.lowest << ".." << x.highest << " and " << y.lowest << ".."
                          << y.highest << ": " << test::flawsOf(drawing).join("; ").toStdString());
                CHECK(test::flawsOf(drawing).isEmpty());
            }
    figures::Drawing drawing;
    const QMarginsF margins = figures::PlotAxes::margins({1, 144, true}, {0, 1}, names, form);
    figures::PlotAxes({margins.left(), margins.top(), 160, 100}, {1, 144, true}, {0, 1})
        .draw(drawing, form, names);
    drawing.setSize({margins.left() + 160 + margins.right(), margins.top() + 100 + margins.bottom()});
    test::keepPicture(drawing, "axes");
    CHECK(test::textsOf(drawing).contains("100"));
    CHECK(test::textsOf(drawing).contains("explained effect"));
}
