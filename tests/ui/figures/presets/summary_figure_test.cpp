#include "figures/presets/summary_figure.h"

#include "figures/presets/figures_with_bars.h"
#include "figures/presets/head_matrix.h"
#include "support/catch.h"
#include "ui/figures/drawing_probe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace hs;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

figures::SummaryPanel summaryPanel(const QString& title, int layers, int heads, double most, unsigned seed)
{
    figures::SummaryPanel panel{title, {layers, heads, heads}, {}};
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share;
    for (int index = 0; index < panel.heads.total(); ++index)
        panel.values.push_back(most * std::pow(share(random), 2));
    return panel;
}

std::vector<figures::SummaryRow> usualRows()
{
    return {
        {"Diagonal-dominant heads", {0.73, 0.12}, true, false},
        {"Mean peak", {0.68, 0.26}, false, true},
        {"Diagonal intensity", {0.41, 0.157}, false, true},
        {"Active edges", {1, 0.0042}, true, true},
        {"Cells above 0.5 off the diagonal", {1204, 8}, false, false},
        {"Heads retained", {1, 0.25}, true, true},
    };
}

figures::SummaryFigure summaryFigure(int layers, int heads, double most = 1)
{
    return {{summaryPanel("GPT-2", layers, heads, most, 1),
             summaryPanel("Sparse GPT-2", layers, heads, 0.4 * most, 2)},
            "peak",
            usualRows(),
            "Peak of each head: mean over queries of the largest weight."};
}

std::vector<figures::DrawnCells> cellsOf(const figures::Drawing& drawing)
{
    std::vector<figures::DrawnCells> all;
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const cells = std::get_if<figures::DrawnCells>(&item))
            all.push_back(*cells);
    return all;
}

}  // namespace

TEST_CASE("a summary has no flaw at any width and for any number of heads")
{
    struct Shape {
        int layers;
        int heads;
    };
    for (const double width : {85.0, 120.0, 180.0})
        for (const Shape shape : {Shape{1, 1}, Shape{4, 8}, Shape{12, 12}, Shape{32, 32}, Shape{48, 4}}) {
            const figures::Drawing drawing =
                figures::draw(summaryFigure(shape.layers, shape.heads), test::formOf(width));
            INFO(width << " mm, " << shape.layers << " x " << shape.heads << ": "
                       << test::flawsOf(drawing).join("; ").toStdString());
            CHECK(test::flawsOf(drawing).isEmpty());
            CHECK(drawing.size().width() <= figures::pointsOf(width) + 1e-6);
            test::keepPicture(drawing,
                              QString("summary-%1-%2x%3").arg(width).arg(shape.layers).arg(shape.heads));
        }
}

TEST_CASE("a summary without models, figures, values or room for titles is still a page")
{
    const QString endless = QString("A model whose name is far too long for any column ").repeated(5);
    figures::SummaryFigure empty;
    figures::SummaryFigure bare = summaryFigure(4, 8);
    bare.rows.clear();
    figures::SummaryFigure alone = summaryFigure(4, 8);
    alone.panels.pop_back();
    for (figures::SummaryRow& row : alone.rows)
        row.values.pop_back();
    figures::SummaryFigure unknown = summaryFigure(4, 8);
    unknown.panels[0].values.assign(32, kNone);
    unknown.rows[1].values = {kNone, kNone};
    figures::SummaryFigure wordy = summaryFigure(12, 12);
    wordy.panels[0].title = wordy.panels[1].title = wordy.caption = endless;
    figures::SummaryFigure uneven = summaryFigure(4, 8);
    uneven.panels[0] = summaryPanel("Large", 24, 16, 1, 3);
    int number = 0;
    for (const figures::SummaryFigure& figure : {empty, bare, alone, unknown, wordy, uneven}) {
        for (const double width : {85.0, 120.0, 180.0}) {
            const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
            INFO(number << ", " << width << " mm: " << test::flawsOf(drawing).join("; ").toStdString());
            CHECK(test::flawsOf(drawing).isEmpty());
            CHECK(drawing.size().width() <= figures::pointsOf(width) + 1e-6);
            test::keepPicture(drawing, QString("summary-odd%1-%2").arg(number).arg(width));
        }
        ++number;
    }
}

TEST_CASE("a cell of a head matrix has the colour that the map gives its value")
{
    const figures::SummaryFigure figure = summaryFigure(4, 8);
    for (const render::Scale scale :
         {render::Scale::Linear, render::Scale::SquareRoot, render::Scale::Logarithmic}) {
        figures::Form form = test::formOf(180);
        form.scale = scale;
        form.highest = 0.8;
        const figures::Drawing drawing = figures::draw(figure, form);
        const std::vector<figures::DrawnCells> cells = cellsOf(drawing);
        const QImage page = test::imageOf(drawing, 720);
        const render::ColourMap map = render::ColourMap::named(form.colourMap);
        REQUIRE(cells.size() == 3);
        for (std::size_t panel = 0; panel < 2; ++panel) {
            REQUIRE(cells[panel].cells.size() == QSize(8, 4));
            for (int index = 0; index < 32; ++index) {
                const HeadId head = figure.panels[panel].heads.at(index);
                const double share =
                    std::min(1.0, figure.panels[panel].values[static_cast<std::size_t>(index)] / 0.8);
                const QRgb wanted = map.at(static_cast<int>(std::lround(255 * render::scaled(share, scale))));
                CHECK(cells[panel].cells.pixel(head.head, head.layer) == wanted);
                // Near a corner, where there is no number.
                const QRectF& place = cells[panel].place;
                const QPointF probe = place.topLeft() + QPointF((head.head + 0.12) * place.width() / 8,
                                                                (head.layer + 0.12) * place.height() / 4);
                CHECK(page.pixel((probe * 10).toPoint()) == wanted);
            }
        }
    }
}

TEST_CASE("MLPs are a column of their own, and what counts against the answer has the other colour")
{
    figures::SummaryFigure figure = summaryFigure(4, 8);
    for (figures::SummaryPanel& panel : figure.panels)
        panel.mlps = {0.5, -2, 0, 1};
    for (const double width : {85.0, 120.0, 180.0}) {
        const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
        INFO(width << " mm: " << test::flawsOf(drawing).join("; ").toStdString());
        CHECK(test::flawsOf(drawing).isEmpty());
        test::keepPicture(drawing, QString("summary-mlps-%1").arg(width));
        const std::vector<figures::DrawnCells> cells = cellsOf(drawing);
        REQUIRE(cells.size() == 5);  // heads and MLPs of both, and the bar
        const render::ColourMap map = render::ColourMap::diverging();
        CHECK(cells[1].cells.size() == QSize(1, 4));
        CHECK(cells[1].cells.pixel(0, 1) == map.at(1));
        CHECK(cells[1].cells.pixel(0, 2) == map.at(128));
        CHECK(cells[1].place.left() > cells[0].place.right());
        CHECK(test::textsOf(drawing).contains("MLP"));
    }
    const figures::DataTable data = figures::table(figure);
    REQUIRE(data.columns[3].values.size() == 2 * (4 * 8 + 4));
    CHECK(std::isnan(data.columns[2].values[33]));
    CHECK(data.columns[3].values[33] == -2);
    figure = summaryFigure(48, 4);
    for (figures::SummaryPanel& panel : figure.panels)
        panel.mlps.assign(48, -1);
    CHECK(test::flawsOf(figures::draw(figure, test::formOf(85))).isEmpty());
}

TEST_CASE("values above 1 stretch the colours to the largest, and the bar says so")
{
    figures::SummaryFigure figure = summaryFigure(4, 8);
    figure.panels[1].values[5] = 4.2;
    const figures::Drawing drawing = figures::draw(figure, test::formOf(180));
    const std::vector<figures::DrawnCells> cells = cellsOf(drawing);
    const render::ColourMap map = render::ColourMap::named(figures::Form().colourMap);
    CHECK(cells[1].cells.pixel(5, 0) == map.at(255));
    CHECK(cells[1].cells.pixel(0, 0) != map.at(255));
    CHECK(test::textsOf(drawing).count("4.2") == 2);  // in its cell and at the end of the bar

    figures::Form own = test::formOf(180);
    own.highest = 8;
    CHECK(cellsOf(figures::draw(figure, own))[1].cells.pixel(5, 0) != map.at(255));
}

TEST_CASE("numbers in cells are short and stand only where they fit")
{
    CHECK(figures::cellNumber(0.684, true) == "0.68");
    CHECK(figures::cellNumber(0.684, false) == ".68");
    CHECK(figures::cellNumber(0.999, true) == "1");
    CHECK(figures::cellNumber(0.004, true) == "0");
    CHECK(figures::cellNumber(3.44, true) == "3.4");
    CHECK(figures::cellNumber(9.99, true) == "10");
    CHECK(figures::cellNumber(123.4, true) == "123");
    CHECK(figures::cellNumber(kNone, true).isEmpty());
    CHECK(figures::cellNumber(-0.684, true) == "−0.68");
    CHECK(figures::cellNumber(-0.001, true) == "0");

    const figures::SummaryFigure small = summaryFigure(12, 12);
    const QString number = figures::cellNumber(small.panels[0].values[7], true);
    CHECK(figures::fittingNumbers(small.panels, {}, 20).hasLeadingZero);
    CHECK(figures::fittingNumbers(small.panels, {}, 20).size > figures::Form::kLeastText);
    CHECK_FALSE(figures::fittingNumbers(small.panels, {}, 11.5).hasLeadingZero);
    CHECK(figures::fittingNumbers(small.panels, {}, 6).size == 0);
    CHECK(test::textsOf(figures::draw(summaryFigure(4, 8), test::formOf(180)))
              .contains(figures::cellNumber(summaryFigure(4, 8).panels[0].values[0], true)));
    CHECK_FALSE(test::textsOf(figures::draw(summaryFigure(32, 32), test::formOf(85))).contains(number));
}

TEST_CASE("labels of a matrix thin out, and a note says so")
{
    CHECK(figures::draw(summaryFigure(12, 12), test::formOf(180)).notes().isEmpty());
    CHECK(test::textsOf(figures::draw(summaryFigure(12, 12), test::formOf(180))).contains("L11"));
    const figures::Drawing tight = figures::draw(summaryFigure(32, 32), test::formOf(85));
    CHECK(tight.notes().size() == 1);
    CHECK(test::textsOf(tight).contains("H0"));
    CHECK_FALSE(test::textsOf(tight).contains("H1"));
}

TEST_CASE("figures are written as shares, counts and reductions")
{
    CHECK(figures::figureText(0.73, true) == "73 %");
    CHECK(figures::figureText(0.0042, true) == "0.42 %");
    CHECK(figures::figureText(0.157, false) == "0.157");
    CHECK(figures::figureText(1204, false) == "1204");
    CHECK(figures::figureText(kNone, true) == "–");
    CHECK(figures::reductionText(0.68, 0.26) == "−62 %");
    CHECK(figures::reductionText(1, 0.0042) == "−99.6 %");
    CHECK(figures::reductionText(1, 0.0001) == "−99.99 %");
    CHECK(figures::reductionText(2, 0) == "−100 %");
    CHECK(figures::reductionText(1, 1.4) == "+40 %");
    CHECK(figures::reductionText(1, 1) == "0 %");
    CHECK(figures::reductionText(0, 1) == "–");
    const QStringList texts = test::textsOf(figures::draw(summaryFigure(12, 12), test::formOf(180)));
    for (const char* text : {"Mean peak", "0.68", "0.26", "−62 %", "−99.6 %", "1204", "8"})
        CHECK(texts.contains(QString::fromUtf8(text)));
    CHECK_FALSE(texts.contains("−84 %"));  // the first row asks for no reduction
}

TEST_CASE("bars are as long as their values, in the colours of their models")
{
    const figures::Drawing drawing = figures::draw(summaryFigure(12, 12), test::formOf(180));
    std::vector<double> first, second;
    for (const figures::Drawing::Item& item : drawing.items()) {
        const auto* const shape = std::get_if<figures::DrawnShape>(&item);
        if (!shape || !shape->fill || shape->path.boundingRect().height() >= 4.5)
            continue;
        if (shape->fill == render::FigureStyle::kAccent)
            first.push_back(shape->path.boundingRect().width());
        if (shape->fill == render::FigureStyle::kSecondAccent)
            second.push_back(shape->path.boundingRect().width());
    }
    REQUIRE(first.size() == usualRows().size());
    REQUIRE(second.size() == first.size());
    for (std::size_t row = 0; row < first.size(); ++row)
        CHECK(second[row] / first[row] == Approx(usualRows()[row].values[1] / usualRows()[row].values[0]));
}

TEST_CASE("the table of a summary has every head's value")
{
    const figures::SummaryFigure figure = summaryFigure(3, 5);
    const figures::DataTable data = figures::table(figure);
    REQUIRE(data.columns.size() == 4);
    CHECK(data.columns[3].name == "value");
    REQUIRE(data.columns[3].values.size() == 30);
    for (std::size_t row = 0; row < 30; ++row) {
        const auto& panel = figure.panels[static_cast<std::size_t>(data.columns[0].values[row])];
        const HeadId head{static_cast<int>(data.columns[1].values[row]),
                          static_cast<int>(data.columns[2].values[row])};
        CHECK(data.columns[3].values[row] ==
              panel.values[static_cast<std::size_t>(panel.heads.indexOf(head))]);
    }
}
