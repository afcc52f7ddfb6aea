#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QCoreApplication>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

using Change = std::function<void(control::Explorer&)>;

const std::vector<Change> kChanges = {
    [](control::Explorer& e) { e.toggleAblation(Side::Left, {{1, 2}}); },
    [](control::Explorer& e) { e.setAblated(Side::Right, {{0, 0}, {2, 5}}, true); },
    [](control::Explorer& e) { e.keepOnly(Side::Left, {{0, 3}}); },
    [](control::Explorer& e) { e.openModel(Side::Left, QStringLiteral("fake:4x6/2")); },
    [](control::Explorer& e) { e.openModel(Side::Right, QString()); },
    [](control::Explorer& e) { e.swapSides(); },
    [](control::Explorer& e) {
        edit(e, [](control::Document& d) { control::setPrompt(d, QStringLiteral("Quite another text")); });
    },
    [](control::Explorer& e) { edit(e, [](control::Document& d) { control::setBos(d, false); }); },
    [](control::Explorer& e) {
        edit(e, [](control::Document& d) { d.side(Side::Right).gate.kind = engine::GateChoice::Kind::Off; });
    },
    [](control::Explorer& e) {
        edit(e,
             [](control::Document& d) { d.side(Side::Left).gate = {engine::GateChoice::Kind::Score, 0.5}; });
    },
    [](control::Explorer& e) {
        edit(e, [](control::Document& d) { d.side(Side::Left).grid.layerStep = 2; });
    },
    [](control::Explorer& e) {
        edit(e, [](control::Document& d) { d.side(Side::Left).grid.hidden = {{0, 0}}; });
    },
    [](control::Explorer& e) {
        edit(e, [](control::Document& d) { d.arrangement = control::Arrangement::Stacked; });
    },
    [](control::Explorer& e) {
        edit(e, [](control::Document& d) { d.tiles = control::TileValue::BetweenSides; });
    },
    [](control::Explorer& e) { edit(e, [](control::Document& d) { d.look.scale = render::Scale::Linear; }); },
    [](control::Explorer& e) {
        edit(e, [](control::Document& d) { d.tool.kind = engine::HeadAblation::Kind::Mean; });
    },
    [](control::Explorer& e) { edit(e, [](control::Document& d) { d.filter = QStringLiteral("L0H*"); }); },
    [](control::Explorer& e) { edit(e, [](control::Document& d) { d.key = 1; }); },
    [](control::Explorer& e) { edit(e, [](control::Document& d) { d.query = 2; }); },
    [](control::Explorer& e) { edit(e, [](control::Document& d) { d.position = 1; }); },
    [](control::Explorer& e) { edit(e, [](control::Document& d) { d.target = QStringLiteral("Mary"); }); },
    [](control::Explorer& e) { edit(e, [](control::Document& d) { d.edgeThreshold = 0.5; }); },
    [](control::Explorer& e) {
        edit(e, [](control::Document& d) { d.side(Side::Left).generated = {5, 6, 7}; });
    },
    [](control::Explorer& e) { edit(e, [](control::Document& d) { d.generation.temperature = 0.5; }); },
};

/// Everything that can be seen: both sides' tiles and predictions.
std::vector<std::vector<std::uint8_t>> picture(const control::Explorer& explorer)
{
    std::vector<std::vector<std::uint8_t>> seen;
    for (const Side side : kSides) {
        if (!explorer.state(side).run) {
            seen.emplace_back();
            continue;
        }
        std::vector<std::uint8_t> tiles = shownTiles(explorer, side);
        for (const engine::Prediction& prediction : explorer.state(side).run->after.predictions)
            tiles.push_back(static_cast<std::uint8_t>(prediction.token));
        tiles.push_back(static_cast<std::uint8_t>(explorer.state(side).run->target.id + 1));
        seen.push_back(std::move(tiles));
    }
    return seen;
}

}  // namespace

TEST_CASE("undo and redo of any change return to an equal document and an equal picture")
{
    ExplorerUnderTest tested;
    tested.start();
    control::Explorer& explorer = *tested.explorer;
    explorer.setAblated(Side::Left, {{0, 4}}, true);
    waitUntilIdle(explorer);
    const auto change = GENERATE(range(std::size_t{0}, kChanges.size()));
    CAPTURE(change);
    const control::Document before = explorer.document();
    const auto pictureBefore = picture(explorer);
    kChanges[change](explorer);
    waitUntilIdle(explorer);
    const control::Document after = explorer.document();
    const auto pictureAfter = picture(explorer);
    CHECK(after != before);
    CHECK(explorer.history().count() == 2);

    explorer.history().undo();
    waitUntilIdle(explorer);
    CHECK(explorer.document() == before);
    CHECK(picture(explorer) == pictureBefore);
    explorer.history().redo();
    waitUntilIdle(explorer);
    CHECK(explorer.document() == after);
    CHECK(picture(explorer) == pictureAfter);
}

TEST_CASE("all changes in a row are undone one by one to the very start")
{
    ExplorerUnderTest tested;
    tested.start();
    control::Explorer& explorer = *tested.explorer;
    std::vector<control::Document> documents = {explorer.document()};
    for (const Change& change : kChanges) {
        change(explorer);
        waitUntilIdle(explorer);
        if (explorer.document() != documents.back())
            documents.push_back(explorer.document());
    }
    while (explorer.history().canUndo()) {
        CHECK(explorer.document() == documents.back());
        documents.pop_back();
        explorer.history().undo();
        waitUntilIdle(explorer);
    }
    REQUIRE(documents.size() == 1);
    CHECK(explorer.document() == documents.front());
}

TEST_CASE("typing is one step, until something else happens")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:2x2"), QString(), QStringLiteral("a"));
    control::Explorer& explorer = *tested.explorer;
    tested.setPrompt(QStringLiteral("a b"));
    tested.setPrompt(QStringLiteral("a b c"));
    CHECK(explorer.history().count() == 1);
    explorer.toggleAblation(Side::Left, {{0, 0}});
    tested.setPrompt(QStringLiteral("a b c d"));
    CHECK(explorer.history().count() == 3);
    explorer.history().undo();
    explorer.history().undo();
    CHECK(explorer.document().prompt().text == QStringLiteral("a b c"));
    // After an undo, typing starts a new step, or the previous one would swallow it.
    tested.setPrompt(QStringLiteral("a b c e"));
    CHECK(explorer.history().count() == 2);
    explorer.history().undo();
    CHECK(explorer.document().prompt().text == QStringLiteral("a b c"));
    explorer.history().undo();
    CHECK(explorer.document().prompt().text == QStringLiteral("a"));
}

TEST_CASE("what changes nothing is no step, nor is typing that ends where it began")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:2x2"), QString(), QStringLiteral("a"));
    control::Explorer& explorer = *tested.explorer;
    edit(explorer, [](control::Document&) {});
    explorer.setAblated(Side::Left, {{0, 0}}, false);
    explorer.toggleAblation(Side::Left, {});
    explorer.toggleAblation(Side::Left, {{9, 9}});
    CHECK(explorer.history().count() == 0);
    tested.setPrompt(QStringLiteral("ab"));
    tested.setPrompt(QStringLiteral("a"));
    CHECK(explorer.history().count() == 0);
}

TEST_CASE("what a listener changes while it is told of a change is a step after it")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:2x2"), QString(), QStringLiteral("a"));
    control::Explorer& explorer = *tested.explorer;
    const auto addWord = [&] {
        edit(explorer, [](control::Document& document) { document.target += u'x'; });
    };
    const auto addOnce = [&](const std::function<void()>& act) {
        QObject listener;
        QObject::connect(&explorer, &control::Explorer::documentChanged, &listener, addWord,
                         Qt::SingleShotConnection);
        act();
        QCoreApplication::processEvents();
    };
    addOnce([&] { tested.setPrompt(QStringLiteral("a b")); });
    CHECK(explorer.history().count() == 2);
    CHECK(explorer.document().target == QStringLiteral("x"));
    explorer.history().undo();
    CHECK(explorer.document().prompt().text == QStringLiteral("a b"));
    explorer.history().undo();
    CHECK(explorer.document().prompt().text == QStringLiteral("a"));
    addOnce([&] { explorer.history().redo(); });
    CHECK(explorer.history().count() == 2);
    CHECK(explorer.document().prompt().text == QStringLiteral("a b"));
    CHECK(explorer.document().target == QStringLiteral("x"));
    addOnce([&] { explorer.history().undo(); });
    CHECK(explorer.document().target == QStringLiteral("x"));
    explorer.history().undo();
    CHECK(explorer.document().target.isEmpty());
}

TEST_CASE("another document starts an empty history and keeps what is open")
{
    ExplorerUnderTest tested;
    tested.start();
    control::Explorer& explorer = *tested.explorer;
    explorer.toggleAblation(Side::Left, {{0, 0}});
    explorer.select({{0, 0}});
    waitUntilIdle(explorer);
    const int opens = tested.fake->count(FakeBackend::Call::Open);
    control::Document document = explorer.document();
    control::setPrompt(document, QStringLiteral("New"));
    explorer.reset(document);
    waitUntilIdle(explorer);
    CHECK(explorer.history().count() == 0);
    CHECK(explorer.selection().empty());
    CHECK(tested.fake->count(FakeBackend::Call::Open) == opens);
    CHECK(tested.left().run->request.prompt == "New");
}
