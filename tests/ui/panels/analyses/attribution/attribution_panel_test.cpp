#include "panels/analyses/attribution/attribution_panel.h"

#include "panels/analyses/attribution/attribution_tables.h"
#include "panels/analyses/attribution/carrying_list.h"
#include "panels/analyses/effect_curves.h"
#include "panels/analyses/head_bars.h"
#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"
#include "stats/attribution_share.h"
#include "support/catch.h"
#include "ui/panels/live_stage.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QTest>
#include <QUndoStack>

#include <cmath>
#include <numeric>

using namespace hs;
using namespace hs::test;

namespace {

struct Scene : LiveStage<panels::AttributionPanel, service::AnalysisKind::Attribution> {
    using LiveStage::LiveStage;

    const engine::Attribution& attribution(Side side) { return found<engine::Attribution>(side); }
    panels::HeadBars& bars() { return child<panels::HeadBars>(panel, "attributionBars"); }
    panels::EffectCurves& curves() { return child<panels::EffectCurves>(panel, "attributionCurves"); }
    panels::CarryingList& list() { return child<panels::CarryingList>(panel, "carryingList"); }
};

engine::Attribution smallOne()
{
    engine::Attribution found;
    found.shape = {2, 2, 2};
    found.position = 3;
    found.heads = {1, -6, 0, 3};
    found.edges = {{{0, 1}, 2, -5}, {{1, 1}, 0, 3}, {{0, 1}, 1, -1}, {{0, 0}, 3, 1}};
    found.parts = {{engine::AttributionPart::Kind::Embedding, 0, 0, 0.5},
                   {engine::AttributionPart::Kind::Head, 0, 0, 1},
                   {engine::AttributionPart::Kind::Head, 0, 1, -6},
                   {engine::AttributionPart::Kind::AttentionBias, 0, 0, 0.25},
                   {engine::AttributionPart::Kind::Mlp, 0, 0, 2},
                   {engine::AttributionPart::Kind::Head, 1, 1, 3},
                   {engine::AttributionPart::Kind::FinalBias, 0, 0, -0.5}};
    found.logit = 0.25;
    return found;
}

}  // namespace

TEST_CASE("the parts of an attribution are summed by kind and add up to the logit")
{
    const panels::PartSums sums = panels::partSums(smallOne());
    CHECK(sums.embedding == 0.5);
    CHECK(sums.heads == -2);
    CHECK(sums.mlps == 2);
    CHECK(sums.biases == -0.25);
    CHECK(sums.total() == Approx(smallOne().logit));
}

TEST_CASE("the smallest set of heads has the cells that make the share of each")
{
    const std::vector<panels::CarryingHead> heads = panels::carryingHeads(smallOne(), 0.8);
    REQUIRE(heads.size() == 2);
    CHECK(heads[0].head == HeadId{0, 1});
    CHECK(heads[0].value == -6);
    CHECK(heads[0].cells == std::vector<engine::AttributionEdge>{{{0, 1}, 2, -5}});
    CHECK(panels::carryingHeads(smallOne(), 0.9)[0].cells.size() == 2);
    CHECK(panels::headMass(smallOne(), 0.8) == panels::MassCurve{{0.6, 0.9, 1}, 2});
    CHECK(panels::edgeMass(smallOne(), 0.5).smallest == 1);
    engine::Attribution nothing;
    nothing.shape = {1, 2, 2};
    nothing.heads = {0, 0};
    CHECK(panels::headMass(nothing, 0.8) == panels::MassCurve());
    CHECK(panels::carryingHeads(nothing, 0.8).empty());
}

TEST_CASE("an attribution runs by itself while its panel is seen, and only then")
{
    Scene scene;
    const int seen = scene.runs();
    CHECK(seen == 2);
    scene.panel.hide();
    scene.edit([](control::Document& document) { document.position = 4; });
    CHECK(scene.runs() == seen);
    scene.panel.show();
    scene.settle();
    CHECK(scene.runs() == seen + 2);
    CHECK(scene.attribution(Side::Left).position == 4);
}

TEST_CASE("bars are all heads that contribute, the smallest set in full colour")
{
    Scene scene;
    for (const Side side : kSides) {
        const std::vector<panels::HeadBar>& bars = scene.bars().bars(side);
        const engine::Attribution& found = scene.attribution(side);
        const auto smallest = stats::smallestReaching(found.heads, 0.8).size();
        REQUIRE(bars.size() == panels::contributingHeads(found).size());
        for (std::size_t rank = 0; rank < bars.size(); ++rank) {
            CHECK(bars[rank].value ==
                  found.heads[static_cast<std::size_t>(found.shape.indexOf(bars[rank].heads[0]))]);
            CHECK(bars[rank].isChosen == (rank < smallest));
        }
    }
}

TEST_CASE("curves, counts and factor are those of the numbers, for heads and for edges")
{
    Scene scene;
    const auto check = [&](auto massOf, const QString& units) {
        const int left = massOf(scene.attribution(Side::Left)).smallest;
        const int right = massOf(scene.attribution(Side::Right)).smallest;
        CHECK(scene.curves().curve(Side::Left).smallest == left);
        CHECK(scene.curves().curve(Side::Right).smallest == right);
        CHECK(scene.curves().curve(Side::Left).points.back().effect == Approx(1));
        CHECK(panels::factorWords(left, right, units).contains(units));
    };
    check([](const engine::Attribution& found) { return panels::headMass(found, 0.8); },
          QStringLiteral("heads"));
    child<QComboBox>(scene.panel, "attributionUnits").setCurrentIndex(1);
    check([](const engine::Attribution& found) { return panels::edgeMass(found, 0.8); },
          QStringLiteral("edges"));
    CHECK(panels::factorWords(14, 2, QStringLiteral("heads")) == QStringLiteral("7.0× fewer heads"));
    CHECK(panels::factorWords(2, 3, QStringLiteral("heads")) == QStringLiteral("1.5× more heads"));
    CHECK(panels::factorWords(2, 2, QStringLiteral("heads")) == QStringLiteral("as many heads"));
    CHECK(panels::factorWords(2, 0, QStringLiteral("heads")).isEmpty());
}

TEST_CASE("the share decides the smallest set without another run, in one step that can be undone")
{
    Scene scene;
    const int runs = scene.runs();
    auto& share = child<QSpinBox>(scene.panel, "attributionShare");
    CHECK(share.value() == 80);
    const int rows = scene.list().topLevelItem(0)->childCount();
    share.setValue(60);
    share.setValue(40);
    CHECK(scene.stage.document().analyses.share == Approx(0.4));
    CHECK(scene.list().topLevelItem(0)->childCount() < rows);
    CHECK(scene.list().topLevelItem(0)->childCount() ==
          static_cast<int>(panels::carryingHeads(scene.attribution(Side::Left), 0.4).size()));
    CHECK(scene.runs() == runs);
    scene.stage.explorer().history().undo();
    CHECK(share.value() == 80);
    CHECK(scene.list().topLevelItem(0)->childCount() == rows);
}

TEST_CASE("a position is chosen, and read again")
{
    Scene scene;
    auto& position = child<QSpinBox>(scene.panel, "attributionPosition");
    CHECK(position.text() == QStringLiteral("last"));
    CHECK(position.maximum() == 14);
    position.setValue(6);
    scene.settle();
    CHECK(scene.stage.document().position == 6);
    CHECK(scene.attribution(Side::Right).position == 6);
}

TEST_CASE("a bar or a head's name selects its tile, a cell pins key and query")
{
    Scene scene;
    const panels::HeadBar bar = scene.bars().bars(Side::Left)[1];
    QTest::mouseClick(&scene.bars(), Qt::LeftButton, {},
                      scene.bars().stripOf(Side::Left, 1).center().toPoint());
    CHECK(scene.stage.explorer().selection() == std::set<HeadId>(bar.heads.begin(), bar.heads.end()));
    CHECK_FALSE(scene.stage.document().key);

    panels::CarryingList& list = scene.list();
    QTreeWidgetItem* const row = list.topLevelItem(0)->child(0);
    const panels::CarryingHead head = panels::carryingHeads(scene.attribution(Side::Left), 0.8).front();
    const QRect place = list.visualItemRect(row);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                      {list.columnViewportPosition(1) + 10, place.center().y()});
    CHECK(scene.stage.explorer().selection() == std::set<HeadId>{head.head});
    CHECK(scene.stage.document().key == head.cells.front().key);
    CHECK(scene.stage.document().query == scene.attribution(Side::Left).position);
    CHECK(row->text(1).contains(QStringLiteral("→ ·to 14")));
}

TEST_CASE("picking a count on a curve selects so many heads")
{
    Scene scene;
    Q_EMIT scene.curves().countPicked(Side::Left, 3);
    CHECK(scene.stage.explorer().selection().size() == 3);
    CHECK(scene.stage.explorer().selection().contains(
        panels::contributingHeads(scene.attribution(Side::Left)).front().head));
}

TEST_CASE("the line of sums names the logit that the parts add up to")
{
    Scene scene;
    const QString line =
        child<QLabel>(scene.panel, "attributionSums").text().split(QLatin1Char('\n')).front();
    const engine::Attribution& found = scene.attribution(Side::Left);
    CHECK(line.contains(
        QStringLiteral("heads %1").arg(panels::formatNumber(panels::partSums(found).heads, 2))));
    CHECK(line.endsWith(QStringLiteral("= logit %1").arg(panels::formatNumber(found.logit, 2))));
    CHECK(panels::formatNumber(-0.04, 2) == QStringLiteral("−0.04"));
}

TEST_CASE("an attribution's table has every head and every edge")
{
    const engine::Attribution found = smallOne();
    const figures::DataTable table = panels::attributionTable({nullptr, &found});
    REQUIRE(table.columns.size() == 6);
    CHECK(table.columns[5].values == std::vector<double>{-6, 3, 1, -5, 3, -1, 1});
    CHECK(table.columns[0].values == std::vector<double>(7, 1.0));
    CHECK(std::isnan(table.columns[4].values[0]));
    CHECK(table.columns[4].values[3] == 2);
}

TEST_CASE("a target of two tokens is refused in words, and the old result stays")
{
    Scene scene;
    const auto before = scene.bars().bars(Side::Left);
    scene.stage.backend().failNext(FakeBackend::Call::Analysis,
                                   {ErrorCode::BadRequest, "That is more than one token; give one.", {}});
    scene.edit([](control::Document& document) { document.position = 3; });
    CHECK(child<QLabel>(scene.panel, "analysisNote").text().contains(QStringLiteral("give one")));
    CHECK(scene.bars().bars(Side::Left) != std::vector<panels::HeadBar>());
}
