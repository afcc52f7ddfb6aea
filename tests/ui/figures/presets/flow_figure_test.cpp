#include "figures/presets/flow_figure.h"

#include "figures/presets/flow_panel.h"
#include "ui/figures/drawing_probe.h"
#include "ui/made_up_run.h"

#include "support/catch.h"

#include <QLocale>

#include <algorithm>

using namespace hs;
using namespace hs::test;

namespace {

figures::FlowPanel madeUpPanel(const QString& title, HeadShape shape, int tokens, double kept,
                               double threshold)
{
    figures::FlowPanel panel{title, shape.layers, {}};
    for (int layer = 0; layer < shape.layers; ++layer)
        for (int head = 0; head < shape.heads; ++head) {
            const std::vector<float> map = madeUpMap({layer, head}, tokens, kept);
            for (int query = 0; query < tokens; ++query)
                for (int key = 0; key <= query; ++key) {
                    const float weight = map[static_cast<std::size_t>(query * tokens + key)];
                    if (weight > threshold)
                        panel.edges.push_back({{layer, head}, query, key, weight});
                }
        }
    std::stable_sort(
        panel.edges.begin(), panel.edges.end(),
        [](const stats::FlowEdge& one, const stats::FlowEdge& other) { return one.weight > other.weight; });
    return panel;
}

figures::FlowFigure madeUpFlow(HeadShape shape, int tokens, double threshold = 0.1, bool isPair = true)
{
    figures::FlowFigure figure;
    static const char* const kWords[] = {"When", "Mary", "and", "John", "went", "to", "the", "store", ","};
    for (int index = 0; index < tokens; ++index)
        figure.tokens.push_back(QString::fromUtf8(kWords[index % 9]));
    figure.threshold = threshold;
    figure.panels.push_back(madeUpPanel(QStringLiteral("Dense"), shape, tokens, 1, threshold));
    if (isPair)
        figure.panels.push_back(madeUpPanel(QStringLiteral("Sparse"), shape, tokens, 0.04, threshold));
    figure.caption = QStringLiteral("Each line is an edge from a key below a layer to a query above it; "
                                    "short bars are edges of a token to itself.");
    return figure;
}

/// Lines in a weight's colour that cross from token to token, and those that stay at one.
std::pair<std::size_t, std::size_t> linesOf(const figures::Drawing& drawing)
{
    std::size_t crossing = 0, staying = 0;
    for (const figures::Drawing::Item& item : drawing.items()) {
        const auto* const shape = std::get_if<figures::DrawnShape>(&item);
        if (!shape || shape->fill || shape->stroke->ink == render::FigureStyle::kFrame ||
            shape->stroke->ink == figures::FlowPanelLayout::kStream)
            continue;
        for (int element = 0; element < shape->path.elementCount(); ++element) {
            crossing += shape->path.elementAt(element).type == QPainterPath::CurveToElement ? 1 : 0;
            staying += shape->path.elementAt(element).type == QPainterPath::LineToElement ? 1 : 0;
        }
    }
    return {crossing, staying};
}

std::size_t selfEdges(const figures::FlowFigure& figure)
{
    std::size_t count = 0;
    for (const figures::FlowPanel& panel : figure.panels)
        for (const stats::FlowEdge& edge : panel.edges)
            count += edge.query == edge.key ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("flow: there is one line an edge, and self edges are marks of their own")
{
    const figures::FlowFigure figure = madeUpFlow({4, 4, 4}, 11);
    const std::size_t edges = figure.panels[0].edges.size() + figure.panels[1].edges.size();
    for (const double width : {85.0, 120.0, 180.0}) {
        CAPTURE(width);
        const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
        keepPicture(drawing, QStringLiteral("flow-%1").arg(width));
        CHECK(flawsOf(drawing) == QStringList());
        CHECK(drawing.size().width() <= figures::pointsOf(width) + 0.5);
        const auto [crossing, staying] = linesOf(drawing);
        CHECK(staying == selfEdges(figure));
        CHECK(crossing == edges - selfEdges(figure));
        CHECK(drawing.notes().isEmpty());
        for (const figures::FlowPanel& panel : figure.panels)
            CHECK(textsOf(drawing).contains(QStringLiteral("%1 edges above 0.1").arg(panel.edges.size())));
        CHECK(textsOf(drawing).contains(QStringLiteral("L3")));
        CHECK(textsOf(drawing).contains(QStringLiteral("Mary")));
    }
}

TEST_CASE("flow: stronger edges are drawn later")
{
    const figures::Drawing drawing = figures::draw(madeUpFlow({4, 4, 4}, 11, 0.1, false), test::formOf(85));
    double previous = 0;
    int compared = 0;
    for (const figures::Drawing::Item& item : drawing.items()) {
        const auto* const shape = std::get_if<figures::DrawnShape>(&item);
        if (!shape || !shape->stroke || shape->path.elementCount() < 4 ||
            shape->path.elementAt(1).type != QPainterPath::CurveToElement)
            continue;
        CHECK(shape->stroke->width >= previous);
        previous = shape->stroke->width;
        ++compared;
    }
    CHECK(compared > 5);
}

TEST_CASE("flow: beyond the most that are drawn, the weakest are left out and the note counts them")
{
    const figures::FlowFigure figure = madeUpFlow({12, 12, 12}, 40, 0.02);
    constexpr std::size_t most = figures::FlowPanelLayout::kMostEdges;
    REQUIRE(figure.panels[0].edges.size() > most);
    const figures::Drawing drawing = figures::draw(figure, test::formOf(180));
    keepPicture(drawing, QStringLiteral("flow-tangle"));
    CHECK(flawsOf(drawing) == QStringList());
    const auto [crossing, staying] = linesOf(drawing);
    CHECK(crossing + staying == most + std::min(most, figure.panels[1].edges.size()));
    CHECK(drawing.notes()
              .filter(QStringLiteral("the %1 strongest of")
                          .arg(QLocale(QLocale::English).toString(static_cast<qulonglong>(most))))
              .size() >= 1);
}

TEST_CASE("flow: shapes from nothing to thousands of tokens have no flaw")
{
    for (const double width : {85.0, 120.0, 180.0}) {
        for (const int layers : {1, 6, 48})
            for (const int tokens : {1, 7, 64}) {
                CAPTURE(width, layers, tokens);
                figures::FlowFigure figure = madeUpFlow({layers, 2, 2}, tokens, 0.2);
                figure.tokens.front() = QString(100, QLatin1Char('w'));
                const figures::Drawing drawing = figures::draw(figure, test::formOf(width));
                if (layers > 1)
                    keepPicture(drawing, QStringLiteral("flow-%1-%2-%3").arg(layers).arg(tokens).arg(width));
                CHECK(flawsOf(drawing) == QStringList());
            }
        figures::FlowFigure wide;
        wide.tokens.assign(2000, QStringLiteral("word"));
        wide.panels = {{QStringLiteral("Dense"), 12, {{{3, 1}, 1999, 0, 0.8f}, {{11, 1}, 5, 5, 0.8f}}},
                       {QStringLiteral("Sparse"), 8, {}}};
        const figures::Drawing drawing = figures::draw(wide, test::formOf(width));
        keepPicture(drawing, QStringLiteral("flow-2000-%1").arg(width));
        CHECK(flawsOf(drawing) == QStringList());
        CHECK(drawing.notes().filter(QStringLiteral("token in")).size() == 1);
        CHECK(textsOf(drawing).contains(QStringLiteral("0 edges above 0")));
    }
    CHECK(flawsOf(figures::draw(figures::FlowFigure{}, test::formOf(85))) == QStringList());
}

TEST_CASE("flow: the table has every edge of every panel")
{
    const figures::FlowFigure figure = madeUpFlow({2, 3, 3}, 6);
    const figures::DataTable data = figures::table(figure);
    REQUIRE(data.columns.size() == 6);
    std::size_t row = 0;
    for (std::size_t panel = 0; panel < 2; ++panel)
        for (const stats::FlowEdge& edge : figure.panels[panel].edges) {
            const std::vector<double> expected = {
                static_cast<double>(panel),          static_cast<double>(edge.head.layer),
                static_cast<double>(edge.head.head), static_cast<double>(edge.query),
                static_cast<double>(edge.key),       static_cast<double>(edge.weight)};
            for (std::size_t column = 0; column < 6; ++column) {
                REQUIRE(row < data.columns[column].values.size());
                CHECK(data.columns[column].values[row] == expected[column]);
            }
            ++row;
        }
    CHECK(data.columns[5].values.size() == row);
}
