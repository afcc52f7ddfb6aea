#include "control/analyses/analysis_runs.h"
#include "grid/badge_legend.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "support/catch.h"
#include "ui/explorer_under_test.h"
#include "ui/grid/pointer.h"

#include <QAccessible>
#include <QLayout>
#include <QUndoStack>
#include <QtTest>

using namespace hs;
using namespace hs::test;

namespace {

/// Both grids on an Explorer with made-up models, and what badges need from it.
struct Fixture {
    explicit Fixture(const QString& left = QStringLiteral("fake:4x6"),
                     const QString& right = QStringLiteral("fake:4x6+gate"))
    {
        grids = std::make_unique<grid::HeadGrids>(*tested.explorer);
        grids->resize(1100, 600);
        grids->show();
        tested.start(left, right);
        edit([](control::Document& document) { document.target = QStringLiteral("Mary"); });
        waitUntilIdle(explorer());
    }

    control::Explorer& explorer() { return *tested.explorer; }
    grid::Canvas& canvas(Side side) { return grids->grid(side).canvas(); }
    grid::BadgeLegend& legend() { return *grids->findChild<grid::BadgeLegend*>(); }
    void edit(const std::function<void(control::Document&)>& change)
    {
        explorer().edit(QStringLiteral("Test"), change);
    }
    void showRanks(service::AnalysisKind kind, int count = 20)
    {
        edit([&](control::Document& document) {
            document.badges = {control::TileBadges::Kind::Rank, kind, count};
        });
    }
    bool sweeps()
    {
        explorer().analyses().start(service::AnalysisKind::Sweep);
        return QTest::qWaitFor([&] { return isFound(service::AnalysisKind::Sweep); });
    }
    bool isFound(service::AnalysisKind kind)
    {
        const control::AnalysisState& state = explorer().analyses().state(kind, Side::Left);
        return state.finding && !state.finding->isPartial && !explorer().analyses().isRunning(kind);
    }
    std::vector<control::RankedHead> ranked(service::AnalysisKind kind, Side side)
    {
        return control::ranking(*explorer().analyses().state(kind, side).finding->result);
    }
    QString badgeOn(Side side, HeadId head)
    {
        const auto& badges = canvas(side).content().badges;
        const auto found = badges.find(head);
        QStringList texts;
        if (found != badges.end())
            for (const grid::BadgeMark& mark : found->second.marks)
                texts << mark.text;
        return texts.join(QLatin1Char(' '));
    }

    ExplorerUnderTest tested;
    std::unique_ptr<grid::HeadGrids> grids;
};

/// Pixels in which two pictures of a tile differ.
std::vector<QPoint> differences(const QImage& first, const QImage& second, const QRect& tile)
{
    std::vector<QPoint> found;
    for (int y = tile.top(); y <= tile.bottom(); ++y)
        for (int x = tile.left(); x <= tile.right(); ++x)
            if (first.pixel(x, y) != second.pixel(x, y))
                found.emplace_back(x - tile.left(), y - tile.top());
    return found;
}

}  // namespace

TEST_CASE("the first heads of a result have its ranks on their tiles, and no other head has one")
{
    Fixture fixture;
    const QImage before = picture(fixture.canvas(Side::Left));
    fixture.showRanks(service::AnalysisKind::Sweep, 7);
    REQUIRE(fixture.sweeps());
    const QImage after = picture(fixture.canvas(Side::Left));
    const auto ranked = fixture.ranked(service::AnalysisKind::Sweep, Side::Left);
    REQUIRE(ranked.size() == 24);
    for (std::size_t index = 0; index < ranked.size(); ++index) {
        const HeadId head = ranked[index].head;
        CAPTURE(toString(head), index);
        const bool hasBadge = index < 7;
        CHECK(fixture.badgeOn(Side::Left, head) == (hasBadge ? QString::number(index + 1) : QString()));
        const QRect tile = fixture.canvas(Side::Left).tileRect(head).toRect();
        CHECK((differences(before, after, tile).size() > 30) == hasBadge);
        CHECK(differences(before, after, tile).empty() != hasBadge);
    }
    CHECK(fixture.canvas(Side::Right).content().badges.size() == 7);
}

TEST_CASE("the heads that carry the share of a feature's edge have badges, and no others, in both grids")
{
    Fixture fixture(QStringLiteral("fake:4x6+features"), QStringLiteral("fake:4x6+gate+features"));
    fixture.edit([](control::Document& document) {
        document.badges = {control::TileBadges::Kind::Rank, service::AnalysisKind::EdgeHeads, 1};
        for (control::SideSetup& side : document.sides) {
            side.graph.sources = {{features::GraphNode::Kind::Feature, 0, 1, 101}};
            side.graph.targets = {{features::GraphNode::Kind::Logit, 0, 4, 3}};
        }
    });
    REQUIRE(QTest::qWaitFor([&] { return fixture.isFound(service::AnalysisKind::EdgeHeads); }));
    for (const Side side : kSides) {
        const auto& finding =
            fixture.explorer().analyses().state(service::AnalysisKind::EdgeHeads, side).finding;
        REQUIRE(finding);
        const std::vector<HeadId> heads =
            control::chosenHeads(*finding->result, fixture.explorer().document().analyses);
        CHECK(heads.size() > 1);
        CHECK(fixture.canvas(side).content().badges.size() == heads.size());
        for (std::size_t rank = 0; rank < heads.size(); ++rank)
            CHECK(fixture.badgeOn(side, heads[rank]) == QString::number(rank + 1));
    }
}

TEST_CASE("plates with different ranks look different")
{
    Fixture fixture;
    grid::Canvas canvas;
    grid::Content content = fixture.canvas(Side::Left).content();
    canvas.resize(620, 430);
    std::vector<QImage> looks;
    for (const char* const text : {"1", "2", "12", "20"}) {
        content.badges = {{HeadId{1, 2}, {{{QString::fromLatin1(text)}}, {}}}};
        canvas.setContent(content);
        looks.push_back(tilePicture(canvas, {1, 2}));
    }
    for (std::size_t first = 0; first < looks.size(); ++first)
        for (std::size_t second = first + 1; second < looks.size(); ++second)
            CHECK(looks[first] != looks[second]);
}

TEST_CASE("a plate covers no cell that can have a weight, wherever the label stands")
{
    Fixture fixture;
    grid::Content content = fixture.canvas(Side::Left).content();
    content.look.labelCorner = GENERATE(render::LabelCorner::TopRight, render::LabelCorner::TopLeft,
                                        render::LabelCorner::BottomRight, render::LabelCorner::BottomLeft);
    const int width = GENERATE(200, 260, 300, 620, 1000);
    grid::Canvas canvas;
    canvas.resize(width, width);
    canvas.setContent(content);
    const QImage before = picture(canvas);
    content.badges = {{HeadId{1, 2}, {{{QStringLiteral("20")}}, {}}}};
    canvas.setContent(content);
    const QRect tile = canvas.tileRect({1, 2}).toRect();
    const auto changed = differences(before, picture(canvas), tile);
    CAPTURE(tile.width());
    CHECK(changed.size() > 30);
    for (const QPoint& pixel : changed)
        REQUIRE(pixel.x() >= pixel.y());
}

TEST_CASE("a plate does not hide the name beside it")
{
    Fixture fixture;
    grid::Content content = fixture.canvas(Side::Left).content();
    content.look.labelCorner = GENERATE(render::LabelCorner::TopRight, render::LabelCorner::TopLeft);
    grid::Canvas canvas;
    canvas.resize(260, 260);
    canvas.setContent(content);
    const QImage before = picture(canvas);
    content.badges = {{HeadId{1, 2}, {{{QStringLiteral("20")}}, {}}}};
    canvas.setContent(content);
    const QRect tile = canvas.tileRect({1, 2}).toRect();
    for (const QPoint& pixel : differences(before, picture(canvas), tile))
        REQUIRE(pixel.y() >= 10);
}

TEST_CASE("on tiles too small to read a badge is a dot, in the colour of its role")
{
    Fixture fixture;
    grid::Content content = fixture.canvas(Side::Left).content();
    grid::Canvas canvas;
    canvas.resize(140, 100);
    const auto withBadge = [&](const grid::BadgeMark& mark) {
        content.badges = {{HeadId{1, 2}, {{mark}, {}}}};
        canvas.setContent(content);
        return picture(canvas);
    };
    canvas.setContent(content);
    const QImage before = picture(canvas);
    const QImage rank = withBadge({QStringLiteral("3")});
    CHECK(rank != before);
    CHECK(withBadge({QStringLiteral("12")}) == rank);
    CHECK(withBadge({QStringLiteral("NM"), 2}) != rank);
}

TEST_CASE("badges and their meaning follow the document back and forth")
{
    Fixture fixture;
    CHECK(fixture.legend().isHidden());
    fixture.showRanks(service::AnalysisKind::Sweep);
    CHECK(fixture.legend().key().entries.empty());
    CHECK(fixture.legend().key().note.contains(QStringLiteral("Run the sweep")));
    REQUIRE(fixture.sweeps());
    CHECK_FALSE(fixture.canvas(Side::Left).content().badges.empty());
    REQUIRE(fixture.legend().key().entries.size() == 1);
    CHECK(fixture.legend().accessibleDescription().contains(QStringLiteral("rank in the sweep")));
    fixture.explorer().history().undo();
    CHECK(fixture.canvas(Side::Left).content().badges.empty());
    CHECK(fixture.legend().isHidden());
    fixture.explorer().history().redo();
    CHECK(fixture.canvas(Side::Left).content().badges.size() == 20);
    CHECK(fixture.legend().isVisible());
}

TEST_CASE("a legend that appears does not move the grids")
{
    Fixture fixture;
    const auto roomOf = [&] {
        fixture.grids->layout()->activate();
        return fixture.canvas(Side::Left).size();
    };
    const QSize before = roomOf();
    fixture.showRanks(service::AnalysisKind::Sweep);
    REQUIRE(fixture.legend().isVisible());
    CHECK(roomOf() == before);
}

TEST_CASE("ranks of an analysis that runs by itself come and stay up to date without its panel")
{
    Fixture fixture;
    fixture.showRanks(service::AnalysisKind::Attribution);
    REQUIRE(QTest::qWaitFor([&] { return fixture.isFound(service::AnalysisKind::Attribution); }));
    CHECK(
        fixture.badgeOn(Side::Left, fixture.ranked(service::AnalysisKind::Attribution, Side::Left)[4].head) ==
        QStringLiteral("5"));
    fixture.showRanks(service::AnalysisKind::Compare);
    REQUIRE(QTest::qWaitFor([&] { return fixture.isFound(service::AnalysisKind::Compare); }));
    const HeadId first = fixture.ranked(service::AnalysisKind::Compare, Side::Left).front().head;
    for (const Side side : kSides)
        CHECK(fixture.badgeOn(side, first) == QStringLiteral("1"));
}

TEST_CASE("ranks of a model that is no longer open are not written on another one's heads")
{
    Fixture fixture;
    fixture.showRanks(service::AnalysisKind::Sweep);
    REQUIRE(fixture.sweeps());
    fixture.explorer().openModel(Side::Left, QStringLiteral("fake:4x6/2"));
    waitUntilIdle(fixture.explorer());
    CHECK(fixture.canvas(Side::Left).content().badges.empty());
    CHECK(fixture.canvas(Side::Right).content().badges.size() == 20);
}

TEST_CASE("ranks of an earlier question say so")
{
    Fixture fixture;
    fixture.showRanks(service::AnalysisKind::Sweep);
    REQUIRE(fixture.sweeps());
    CHECK(fixture.legend().key().note.isEmpty());
    fixture.edit([](control::Document& document) { document.target = QStringLiteral("John"); });
    waitUntilIdle(fixture.explorer());
    CHECK(fixture.canvas(Side::Left).content().badges.size() == 20);
    CHECK_FALSE(fixture.legend().key().note.isEmpty());
}

TEST_CASE("known circuits put their roles on the tiles of models of their shape, and name them below")
{
    Fixture fixture(QStringLiteral("fake:12x12"), QStringLiteral("fake:4x6"));
    fixture.edit(
        [](control::Document& document) { document.badges.kind = control::TileBadges::Kind::KnownCircuit; });
    CHECK(fixture.badgeOn(Side::Left, {9, 9}) == QStringLiteral("NM"));
    CHECK(fixture.badgeOn(Side::Left, {5, 5}) == QStringLiteral("IN GT"));
    CHECK(fixture.badgeOn(Side::Left, {0, 0}).isEmpty());
    CHECK(fixture.canvas(Side::Right).content().badges.empty());
    CHECK(fixture.canvas(Side::Left).describe({9, 9}).contains(QStringLiteral("Name movers")));
    const QString named = fixture.legend().accessibleDescription();
    for (const char* const title : {"NM: Name movers", "SI: S-inhibition", "GT: Greater than"})
        CHECK(named.contains(QString::fromLatin1(title)));
    CHECK(fixture.legend().isVisible());
    CHECK(fixture.legend().heightForWidth(300) > fixture.legend().heightForWidth(1500));
    fixture.edit([](control::Document& document) { document.arrangement = control::Arrangement::RightOnly; });
    CHECK(fixture.legend().key().entries.empty());
    CHECK_FALSE(fixture.legend().key().note.isEmpty());
}

TEST_CASE("a screen reader hears the rank")
{
    Fixture fixture;
    fixture.showRanks(service::AnalysisKind::Sweep);
    REQUIRE(fixture.sweeps());
    const HeadId second = fixture.ranked(service::AnalysisKind::Sweep, Side::Left)[1].head;
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    QAccessibleTableInterface* const table = QAccessible::queryAccessibleInterface(&canvas)->tableInterface();
    CHECK(table->cellAt(second.layer, second.head)
              ->text(QAccessible::Name)
              .contains(QStringLiteral("no. 2 of the sweep")));
}

TEST_CASE("patched heads are told apart from those that are switched off")
{
    Fixture fixture;
    fixture.edit([](control::Document& document) {
        document.corrupted = QStringLiteral("When Mary and John went to the park");
        document.side(Side::Left).ablations = {{{1, 2}, engine::HeadAblation::Kind::Replace},
                                               {{1, 3}, engine::HeadAblation::Kind::Zero}};
    });
    waitUntilIdle(fixture.explorer());
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    CHECK(canvas.content().ablated == std::set<HeadId>{{1, 2}, {1, 3}});
    CHECK(canvas.content().patched == std::set<HeadId>{{1, 2}});
    CHECK(fixture.grids->grid(Side::Left).caption().endsWith(QStringLiteral("1 ablated · 1 patched")));
    CHECK(canvas.noteOn({1, 2}) == QStringLiteral("patched from the corrupted prompt"));
    CHECK(canvas.noteOn({1, 3}) == QStringLiteral("ablated"));
    CHECK(canvas.noteOn({1, 4}).isEmpty());
    const QImage image = picture(canvas);
    const auto lower = [&](HeadId head) {  // where there is no label
        const QRect tile = canvas.tileRect(head).toRect();
        return image.copy(tile.adjusted(2, tile.height() / 2, -2, -2));
    };
    CHECK(lower({1, 2}) != lower({1, 3}));
}

TEST_CASE("hatching stands still while a large tile is moved under the view")
{
    Fixture fixture;
    grid::Content content = fixture.canvas(Side::Left).content();
    content.ablated = {{1, 2}};
    if (GENERATE(true, false))
        content.patched = {{1, 2}};
    grid::Canvas canvas;
    canvas.resize(400, 300);
    canvas.setContent(content);
    canvas.setZoom({1400, {2.4, 1.4}});
    const QImage before = picture(canvas);
    const QRect tile = canvas.tileRect({1, 2}).toRect();
    canvas.setZoom({1400, {2.43, 1.41}});
    const QPoint moved = canvas.tileRect({1, 2}).toRect().topLeft() - tile.topLeft();
    REQUIRE(moved != QPoint());
    const QImage after = picture(canvas);
    const QRect middle(150, 120, 100, 60);  // neither a label nor the minimap is there
    CHECK(after.copy(middle.translated(moved)) == before.copy(middle));
}
