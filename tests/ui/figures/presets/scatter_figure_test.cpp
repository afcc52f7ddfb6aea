#include "figures/presets/scatter_figure.h"

#include "figures/presets/scatter_matrix.h"
#include "figures/presets/weight_counts.h"
#include "stats/correlation.h"
#include "support/catch.h"
#include "ui/figures/drawing_probe.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace hs;

namespace {

figures::ScatterPanel scatterPanel(const QString& title, int heads, int tokens, double power)
{
    figures::ScatterPanel panel{title, {}, {}};
    std::mt19937 random(static_cast<unsigned>(heads * 100 + tokens));
    std::uniform_real_distribution<float> share;
    const auto cells = static_cast<std::size_t>(tokens) * (tokens + 1) / 2;
    std::vector<float> common(cells);
    for (float& weight : common)
        weight = share(random);
    for (int head = 0; head < heads; ++head) {
        panel.heads.push_back({head % 12, head * 7 % 12});
        std::vector<float> weights;
        for (const float own : common)
            weights.push_back(static_cast<float>(
                std::pow(head % 2 ? 0.7 * own + 0.3 * share(random) : share(random), power)));
        panel.weights.push_back(weights);
    }
    return panel;
}

figures::ScatterFigure scatterFigure(int heads, int tokens)
{
    return {{scatterPanel("GPT-2", heads, tokens, 4), scatterPanel("Sparse GPT-2", heads, tokens, 12)},
            "Weights of head against head over all causal cells; r is Pearson's correlation."};
}

}  // namespace

TEST_CASE("a scatter matrix has no flaw at any width, for any number of heads and tokens")
{
    for (const double width : {85.0, 120.0, 180.0})
        for (const int heads : {1, 2, 6, 12, 32})
            for (const int tokens : {1, 16, 64}) {
                const figures::Drawing drawing =
                    figures::draw(scatterFigure(heads, tokens), test::formOf(width));
                INFO(width << " mm, " << heads << " heads, " << tokens
                           << " tokens: " << test::flawsOf(drawing).join("; ").toStdString());
                CHECK(test::flawsOf(drawing).isEmpty());
                CHECK(drawing.size().width() <= figures::pointsOf(width) + 1e-6);
                test::keepPicture(drawing, QString("scatter-%1-%2h-%3t").arg(width).arg(heads).arg(tokens));
            }
}

TEST_CASE(
    "a scatter matrix without heads, with constant or missing weights and endless titles is still a page")
{
    figures::ScatterFigure odd = scatterFigure(3, 16);
    odd.panels[0].weights[1].assign(odd.panels[0].weights[1].size(), 0);
    odd.panels[1].heads.clear();
    odd.panels[1].weights.clear();
    figures::ScatterFigure bare = scatterFigure(3, 16);
    bare.panels[0].weights.clear();
    figures::ScatterFigure wordy = scatterFigure(6, 16);
    wordy.panels[0].title = wordy.panels[1].title = wordy.caption = QString("An endless title ").repeated(40);
    figures::ScatterFigure alone = scatterFigure(6, 64);
    alone.panels.pop_back();
    int number = 0;
    for (const figures::ScatterFigure& figure : {odd, bare, wordy, alone, figures::ScatterFigure()}) {
        for (const double width : {85.0, 120.0, 180.0}) {
            const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
            INFO(number << ", " << width << " mm: " << test::flawsOf(drawing).join("; ").toStdString());
            CHECK(test::flawsOf(drawing).isEmpty());
            CHECK(drawing.size().width() <= figures::pointsOf(width) + 1e-6);
            test::keepPicture(drawing, QString("scatter-odd%1-%2").arg(number).arg(width));
        }
        ++number;
    }
    const QStringList texts = test::textsOf(figures::draw(odd, test::formOf(180)));
    CHECK(texts.contains("No head to show"));
    CHECK(texts.count("–") == 2);  // for the constant head with each of the others
}

TEST_CASE("each cell above the diagonal says the correlation, tinted by its strength")
{
    const figures::ScatterFigure figure = scatterFigure(4, 16);
    figures::Form form = test::formOf(180);
    form.colourMap = "greys";
    const figures::Drawing drawing = figures::draw(figure, form);
    const QStringList texts = test::textsOf(drawing);
    const render::ColourMap map = render::ColourMap::named("greys");
    std::vector<QRgb> fills;
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const shape = std::get_if<figures::DrawnShape>(&item); shape && shape->fill)
            fills.push_back(*shape->fill);
    for (const figures::ScatterPanel& panel : figure.panels)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t column = row + 1; column < 4; ++column) {
                const double r = stats::correlation(panel.weights[row], panel.weights[column]);
                CHECK(texts.contains(figures::correlationText(r)));
                CHECK(std::count(fills.begin(), fills.end(),
                                 map.at(static_cast<int>(std::lround(255 * std::abs(r))))) > 0);
            }
    for (const HeadId head : figure.panels[0].heads)
        CHECK(texts.count(QString::fromStdString(toString(head))) == 2);
}

TEST_CASE("correlations are written with a sign and two decimals")
{
    CHECK(figures::correlationText(0.734) == "0.73");
    CHECK(figures::correlationText(-0.126) == "−0.13");
    CHECK(figures::correlationText(-0.001) == "0.00");
    CHECK(figures::correlationText(1) == "1.00");
    CHECK(figures::correlationText(std::nan("")) == "–");
}

TEST_CASE("points are drawn one by one while they are few, and counted into bins when they are many")
{
    const auto countsOf = [](const figures::Drawing& drawing) {
        int images = 0, elements = 0;
        for (const figures::Drawing::Item& item : drawing.items()) {
            images += std::holds_alternative<figures::DrawnCells>(item);
            if (const auto* const shape = std::get_if<figures::DrawnShape>(&item))
                elements += shape->path.elementCount();
        }
        return std::pair(images, elements);
    };
    CHECK(countsOf(figures::draw(scatterFigure(4, 27), test::formOf(180))).first == 0);  // 378 causal cells
    const figures::Drawing endless = figures::draw(scatterFigure(2, 2000), test::formOf(180));
    CHECK(countsOf(endless).first == 2);
    CHECK(test::flawsOf(endless).isEmpty());
    const auto [images, elements] = countsOf(figures::draw(scatterFigure(4, 300), test::formOf(180)));
    CHECK(images == 2 * 6);
    CHECK(elements < 2000);
}

TEST_CASE("a point and a bin lie where the weights of column and row say")
{
    for (const int copies : {1, 500}) {
        figures::ScatterFigure figure{{{"", {{0, 0}, {1, 1}}, {{}, {}}}}, {}};
        for (int copy = 0; copy < copies; ++copy) {
            figure.panels[0].weights[0].push_back(0.9f);
            figure.panels[0].weights[1].push_back(0.25f);
        }
        const figures::Drawing drawing = figures::draw(figure, test::formOf(85));
        const QImage page = test::imageOf(drawing, 720);
        // The plot in the second row and first column is the only one with something in its right half.
        const QRectF bounds(QPointF(), drawing.size());
        double left = 1e9, right = 0, top = 1e9, bottom = 0;
        for (const figures::Drawing::Item& item : drawing.items())
            if (const auto* const shape = std::get_if<figures::DrawnShape>(&item); shape && shape->stroke) {
                const QRectF frame = shape->path.boundingRect();
                left = std::min(left, frame.left());
                bottom = std::max(bottom, frame.bottom());
                right = left + frame.width();
                top = bottom - frame.height();
            }
        const QPointF wanted(left + 0.9 * (right - left), bottom - 0.25 * (bottom - top));
        const auto isPaper = [&](QPointF at) {
            return page.pixel((10 * at).toPoint()) == qRgb(255, 255, 255);
        };
        const auto isInked = [&](QPointF at) {
            for (double x = -1.5; x <= 1.5; x += 0.1)
                for (double y = -1.5; y <= 1.5; y += 0.1)
                    if (!isPaper(at + QPointF(x, y)))
                        return true;
            return false;
        };
        CHECK(isInked(wanted));
        CHECK_FALSE(isInked({left + 0.25 * (right - left), bottom - 0.9 * (bottom - top)}));
        CHECK_FALSE(isInked(wanted - QPointF(0, 8)));
    }
}

TEST_CASE("every weight is counted once, those at the ends in the outer bins")
{
    const std::vector<float> weights = {0, 0.001f, 0.25f, 0.5f, 0.999f, 1, 1.5f, -1, std::nanf("")};
    CHECK(figures::countWeights(weights, 4) == std::vector<int>{4, 1, 1, 3});
    const std::vector<int> pairs = figures::countPairs(weights, weights, 4);
    CHECK(std::accumulate(pairs.begin(), pairs.end(), 0) == static_cast<int>(weights.size()));
    CHECK(pairs[0] == 4);
    CHECK(pairs[15] == 3);
    CHECK(figures::countPairs(std::vector<float>{0.9f}, std::vector<float>{0.3f}, 4)[1 * 4 + 3] == 1);
}

TEST_CASE("small plots are labelled at the edges, and the smallest lose their numbers, with a note each")
{
    CHECK(figures::draw(scatterFigure(6, 16), test::formOf(180)).notes().isEmpty());
    const figures::Drawing twelve = figures::draw(scatterFigure(12, 16), test::formOf(180));
    CHECK(twelve.notes().size() == 1);
    CHECK(test::textsOf(twelve).count("L0H0") == 4);
    const figures::Drawing many = figures::draw(scatterFigure(32, 16), test::formOf(85));
    CHECK(many.notes().size() == 2);
    CHECK_FALSE(test::textsOf(many).contains("0.01"));
}

TEST_CASE("the table of a scatter matrix has each head's weight in each causal cell")
{
    const figures::ScatterFigure figure = scatterFigure(3, 5);
    const figures::DataTable data = figures::table(figure);
    REQUIRE(data.columns.size() == 6);
    REQUIRE(data.columns[5].values.size() == 2 * 3 * 15);
    for (std::size_t row = 0; row < 90; ++row) {
        const auto& panel = figure.panels[static_cast<std::size_t>(data.columns[0].values[row])];
        const std::size_t index = row / 15 % 3;
        const double query = data.columns[3].values[row];
        const double key = data.columns[4].values[row];
        CHECK(data.columns[1].values[row] == panel.heads[index].layer);
        CHECK(data.columns[2].values[row] == panel.heads[index].head);
        CHECK(query * (query + 1) / 2 + key == row % 15);
        CHECK(key <= query);
        CHECK(data.columns[5].values[row] == panel.weights[index][row % 15]);
    }
}
