#include "figures/presets/graph_figure.h"

#include "figures/presets/graph_panel.h"
#include "support/catch.h"
#include "ui/figures/drawing_probe.h"
#include "ui/made_up_graph.h"

#include <algorithm>
#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

using Kind = features::GraphNode::Kind;

figures::GraphPanel panelOf(int layers, int tokens, double share, bool hasGroups)
{
    const service::FeatureGraph found =
        madeUpGraph({layers, 6, 6}, std::vector<std::int64_t>(static_cast<std::size_t>(tokens), 7));
    std::vector<features::Supernode> groups;
    for (int position = 1; hasGroups && position < tokens; position += 3)
        groups.push_back({"group of features",
                          {{Kind::Feature, 0, position, madeUpFeature(0, position)},
                           {Kind::Feature, 2, position, madeUpFeature(2, position)}}});
    figures::GraphPanel panel{QStringLiteral("Demo, sparse"),
                              QStringLiteral("12 features, 80 edges"),
                              figures::viewOf(found.graph, share, groups),
                              {}};
    for (const figures::ViewNode& node : panel.view.nodes)
        panel.names.push_back(node.kind == Kind::Logit ? QStringLiteral("small 75 %") : node.name);
    return panel;
}

figures::GraphFigure figureOf(int panels, int layers, int tokens, double share, bool hasGroups = true)
{
    figures::GraphFigure figure;
    for (int index = 0; index < panels; ++index)
        figure.panels.push_back(panelOf(layers, tokens, share, hasGroups));
    for (int token = 0; token < tokens; ++token)
        figure.tokens.push_back(token % 4 == 1 ? QStringLiteral("opposite") : QStringLiteral("of"));
    figure.caption = QStringLiteral("Features and what they add to each other.");
    return figure;
}

figures::Form widthOf(double width)
{
    figures::Form form;
    form.width = width;
    return form;
}

}  // namespace

TEST_CASE("graph: texts do not collide and nothing leaves the page, whatever the sizes")
{
    for (const double width : {85.0, 180.0})
        for (const int panels : {1, 2})
            for (const int layers : {4, 12})
                for (const int tokens : {3, 9, 30})
                    for (const double share : {0.5, 1.0}) {
                        CAPTURE(width, panels, layers, tokens, share);
                        const figures::Drawing drawing =
                            figures::draw(figureOf(panels, layers, tokens, share), widthOf(width));
                        keepPicture(drawing, QStringLiteral("graph-%1-%2-%3-%4-%5")
                                                 .arg(width)
                                                 .arg(panels)
                                                 .arg(layers)
                                                 .arg(tokens)
                                                 .arg(share));
                        CHECK(flawsOf(drawing) == QStringList());
                        CHECK(drawing.size().width() <= figures::pointsOf(width) + 0.5);
                    }
    CHECK(flawsOf(figures::draw(figures::GraphFigure{}, widthOf(180))) == QStringList());
}

TEST_CASE("graph: logits, groups, layers and tokens are named")
{
    const figures::GraphFigure figure = figureOf(1, 4, 9, 1);
    const QStringList texts = textsOf(figures::draw(figure, widthOf(180)));
    CHECK(texts.filter(QStringLiteral("small 75 %")).size() == 2);
    CHECK(texts.filter(QStringLiteral("group")).size() >= 3);
    for (const char* const word : {"L0", "L3", "opposite", "Demo, sparse"})
        CHECK(texts.contains(QString::fromUtf8(word)));
}

TEST_CASE("graph: no box is empty, and groups without room for their names are ringed discs")
{
    for (const double width : {85.0, 180.0}) {
        const figures::Drawing drawing = figures::draw(figureOf(1, 12, 30, 1), widthOf(width));
        std::ptrdiff_t boxes = 0, rings = 0;
        for (const figures::Drawing::Item& item : drawing.items())
            if (const auto* const shape = std::get_if<figures::DrawnShape>(&item);
                shape && shape->stroke && shape->stroke->ink == render::FigureStyle::kInk) {
                const QRectF box = shape->path.boundingRect();
                boxes += box.width() > 1.2 * box.height() ? 1 : 0;
                rings += std::abs(box.width() - box.height()) < 0.01 ? 1 : 0;
            }
        CHECK(boxes == textsOf(drawing).filter(QStringLiteral("group")).size());
        CHECK(rings > 0);
        CHECK(boxes + rings == 10);  // groups
    }
}

TEST_CASE("graph: all panels write their tokens in the same direction")
{
    figures::GraphFigure figure = figureOf(2, 4, 9, 0.2);
    const auto upright = [&] {
        const figures::Drawing drawing = figures::draw(figure, widthOf(180));
        std::ptrdiff_t count = 0;
        for (const figures::Drawing::Item& item : drawing.items())
            if (const auto* const text = std::get_if<figures::DrawnText>(&item))
                count += text->angle != 0 && (text->text == QStringLiteral("of") ||
                                              text->text == QStringLiteral("opposite"))
                             ? 1
                             : 0;
        return count;
    };
    CHECK(upright() == 0);
    figure.panels[1] = panelOf(12, 9, 1, false);  // more nodes in a row than there is room for
    for (figures::ViewNode& node : figure.panels[1].view.nodes)
        node.layers = {0, 0};
    CHECK(upright() == 18);
}

TEST_CASE("graph: edges that add and edges that take away differ in colour, and the strongest are drawn")
{
    const figures::GraphFigure figure = figureOf(1, 12, 30, 1, false);
    REQUIRE(figure.panels.front().view.edges.size() > figures::GraphPanelLayout::kMostEdges);
    const figures::Drawing drawing = figures::draw(figure, widthOf(180));
    CHECK(drawing.notes().filter(QStringLiteral("strongest of")).size() == 1);
    bool hasBlue = false, hasRed = false;
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const shape = std::get_if<figures::DrawnShape>(&item); shape && shape->stroke) {
            const QColor ink = QColor::fromRgb(shape->stroke->ink);
            hasBlue |= ink.blue() > ink.red() + 40;
            hasRed |= ink.red() > ink.blue() + 40 && ink.red() > ink.green() + 40;
        }
    CHECK(hasBlue);
    CHECK(hasRed);
}

TEST_CASE("graph: the table has every edge with both ends")
{
    const figures::GraphFigure figure = figureOf(2, 4, 5, 1);
    const figures::DataTable data = figures::table(figure);
    const std::size_t edges = figure.panels[0].view.edges.size() + figure.panels[1].view.edges.size();
    REQUIRE(data.columns.size() == 8);
    for (const figures::DataColumn& column : data.columns)
        CHECK(column.values.size() == edges);
    CHECK(data.columns[7].values.front() == figure.panels[0].view.edges.front().weight);
}
