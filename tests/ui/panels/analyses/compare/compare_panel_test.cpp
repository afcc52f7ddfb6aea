#include "panels/analyses/compare/compare_panel.h"

#include "panels/analyses/compare/comparison_table.h"
#include "panels/analyses/compare/depth_curve.h"
#include "panels/analyses/head_bars.h"
#include "support/catch.h"
#include "ui/panels/live_stage.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

struct CompareScene : LiveStage<panels::ComparePanel, service::AnalysisKind::Compare> {
    using LiveStage::LiveStage;

    const analyses::Comparison& comparison() { return found<analyses::Comparison>(Side::Left); }
    panels::HeadBars& bars() { return child<panels::HeadBars>(panel, "compareBars"); }
    QString cell(int row, int column)
    {
        return child<QTableView>(panel, "compareTable").model()->index(row, column).data().toString();
    }
    QString words() { return child<QLabel>(panel, "compareWords").text(); }
};

PanelStage::Setup setup(const QString& left, const QString& right)
{
    PanelStage::Setup made;
    made.left = left;
    made.right = right;
    return made;
}

}  // namespace

TEST_CASE("a reduction is a share, with its factor where that says more")
{
    CHECK(panels::savingText(0.68, 0.26) == QStringLiteral("61.8 %"));
    CHECK(panels::savingText(1, 0.00117) == QStringLiteral("99.9 % · 855×"));
    CHECK(panels::savingText(64, 8) == QStringLiteral("87.5 % · 8.0×"));
    CHECK(panels::savingText(10, 15) == QStringLiteral("50.0 % more"));
    CHECK(panels::savingText(10, 0) == QStringLiteral("100.0 %"));
    CHECK(panels::savingText(0, 3).isEmpty());
    CHECK(panels::savingText(4, 4).isEmpty());
}

TEST_CASE("equal distances are parted by the other measure, then by the head")
{
    analyses::Comparison comparison;
    comparison.pairs = {{{0, 2}, {}, {}, {1, 0.5}},
                        {{0, 1}, {}, {}, {1, 0.6}},
                        {{1, 0}, {}, {}, {0.4, 0.65}},
                        {{0, 0}, {}, {}, {1, 0.5}}};
    const auto heads = [&](panels::DistanceKind kind) {
        std::vector<HeadId> order;
        for (const analyses::HeadPair& pair : panels::rankedPairs(comparison, kind))
            order.push_back(pair.head);
        return order;
    };
    CHECK(heads(panels::DistanceKind::TotalVariation) == std::vector<HeadId>{{0, 1}, {0, 0}, {0, 2}, {1, 0}});
    CHECK(heads(panels::DistanceKind::JensenShannon) == std::vector<HeadId>{{1, 0}, {0, 1}, {0, 0}, {0, 2}});
}

TEST_CASE("the comparison runs once for both sides while it is seen, and shows both models' figures")
{
    CompareScene scene;
    CHECK(scene.runs() == 1);
    const analyses::Comparison& found = scene.comparison();
    CHECK(scene.cell(5, 1).toInt() == found.first.headsRetained);
    CHECK(scene.cell(5, 2).toInt() == found.second.headsRetained);
    CHECK(scene.cell(3, 3) == panels::savingText(found.first.activeEdges, found.second.activeEdges));
    CHECK(scene.cell(4, 0) == QStringLiteral("Off-diagonal > 0.5"));
    scene.panel.hide();
    scene.edit([](control::Document& document) {
        control::setPrompt(document, document.prompt().text + QStringLiteral(" Mary"));
    });
    CHECK(scene.runs() == 1);
}

TEST_CASE("bars are distances of every head that both models have, in the measure that is chosen")
{
    CompareScene scene;
    const auto check = [&](panels::DistanceKind kind) {
        const std::vector<analyses::HeadPair> pairs = panels::rankedPairs(scene.comparison(), kind);
        const std::vector<panels::HeadBar>& bars = scene.bars().bars(Side::Left);
        REQUIRE(bars.size() == 24);
        for (std::size_t rank = 0; rank < bars.size(); ++rank) {
            CHECK(bars[rank].heads == std::vector<HeadId>{pairs[rank].head});
            CHECK(bars[rank].value == (kind == panels::DistanceKind::TotalVariation
                                           ? pairs[rank].distance.totalVariation
                                           : pairs[rank].distance.jensenShannon));
            CHECK(bars[rank].isChosen ==
                  (panels::looksNowhere(pairs[rank].first) == panels::looksNowhere(pairs[rank].second)));
        }
    };
    check(panels::DistanceKind::TotalVariation);
    child<QComboBox>(scene.panel, "compareDistance").setCurrentIndex(1);
    check(panels::DistanceKind::JensenShannon);
}

TEST_CASE("the curve has the mean of every layer's distances, in the measure that is chosen")
{
    CompareScene scene;
    panels::DepthCurve& curve = child<panels::DepthCurve>(scene.panel, "compareDepth");
    const auto check = [&](double stats::PatternDistance::* distance) {
        const auto wanted = analyses::changesByLayer(scene.comparison().pairs, distance);
        REQUIRE(curve.layers().size() == wanted.size());
        for (std::size_t layer = 0; layer < wanted.size(); ++layer) {
            CHECK(curve.layers()[layer].mean == wanted[layer].mean);
            CHECK(curve.textOf(layer).contains(QString::fromStdString(toString(wanted[layer].farthest))));
        }
    };
    check(&stats::PatternDistance::totalVariation);
    child<QComboBox>(scene.panel, "compareDistance").setCurrentIndex(1);
    check(&stats::PatternDistance::jensenShannon);
}

TEST_CASE("both grids are ordered by what changed most, in one step")
{
    CompareScene scene;
    const int steps = scene.stage.explorer().history().count();
    QTest::mouseClick(&child<QPushButton>(scene.panel, "compareOrder"), Qt::LeftButton);
    std::vector<HeadId> expected;
    for (const analyses::HeadPair& pair :
         panels::rankedPairs(scene.comparison(), panels::DistanceKind::TotalVariation))
        expected.push_back(pair.head);
    for (const Side side : kSides) {
        CHECK(scene.stage.document().side(side).grid.form == control::GridChoice::Form::List);
        CHECK(scene.stage.document().side(side).grid.list == expected);
    }
    CHECK(scene.stage.explorer().history().count() == steps + 1);
}

TEST_CASE("a bar selects its tile")
{
    CompareScene scene;
    QTest::mouseClick(&scene.bars(), Qt::LeftButton, {},
                      scene.bars().stripOf(Side::Left, 2).center().toPoint());
    CHECK(scene.stage.explorer().selection() == std::set<HeadId>{scene.bars().bars(Side::Left)[2].heads[0]});
}

TEST_CASE("texts without a token in common are told so, and the models' figures still stand")
{
    CompareScene scene(setup(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6+letters")));
    CHECK(scene.words().contains(QStringLiteral("no token in common")));
    CHECK_FALSE(scene.bars().isVisible());
    CHECK_FALSE(child<QPushButton>(scene.panel, "compareOrder").isEnabled());
    CHECK_FALSE(scene.cell(1, 1).isEmpty());
}

TEST_CASE("models of different shapes are told so with their shapes, and their figures still stand")
{
    CompareScene scene(setup(QStringLiteral("fake:4x6"), QStringLiteral("fake:2x8")));
    CHECK(scene.words().contains(QStringLiteral("4 × 6 and 2 × 8")));
    CHECK_FALSE(scene.bars().isVisible());
    CHECK_FALSE(child<QPushButton>(scene.panel, "compareOrder").isEnabled());
    CHECK_FALSE(scene.cell(1, 1).isEmpty());
}
