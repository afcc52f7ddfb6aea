#include "control/figures/figure_maker.h"
#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

/// A pair of models that read a text letter by letter, cut into words.
class PairOfWords : public ExplorerUnderTest {
public:
    PairOfWords()
    {
        start(QStringLiteral("fake:3x4+letters"), QStringLiteral("fake:3x4"),
              QStringLiteral("When Mary went"));
        cut(text::BlockUnit::Words);
    }
    void cut(text::BlockUnit unit)
    {
        edit(*explorer, [unit](control::Document& document) {
            text::BlockChoice blocks = document.blocks;
            blocks.unit = unit;
            control::setBlocks(document, blocks);
        });
        waitUntilIdle(*explorer);
    }
};

}  // namespace

TEST_CASE("blocks are what the runs of both sides are of, and undo brings the tokens back")
{
    PairOfWords pair;
    CHECK(pair.left().run->tokens.size() == 4);
    CHECK(pair.left().run->textTokens().size() == 13);
    CHECK(pair.left().run->after.queries() == 4);
    CHECK(pair.right().run->tokens.size() == 4);  // words are its tokens
    CHECK_FALSE(pair.right().run->hasBlocks());
    CHECK(pair.explorer->matching(Side::Left, control::Axis::Key, 2, Side::Right) == text::TokenSpan(2));
    pair.explorer->history().undo();
    waitUntilIdle(*pair.explorer);
    CHECK(pair.left().run->after.queries() == 13);
}

TEST_CASE("pins count blocks and are released with them, while predictions stay at their token")
{
    PairOfWords pair;
    edit(*pair.explorer, [](control::Document& document) {
        document.key = 1;
        document.query = 3;
        document.position = 11;
    });
    waitUntilIdle(*pair.explorer);
    CHECK(pair.explorer->document().position == 11);
    CHECK(pair.left().run->position == 11);
    CHECK(pair.explorer->pinned(Side::Left).query == text::TokenSpan(3));
    waitUntil(*pair.explorer, [&] { return pair.explorer->cellWeights(Side::Left) != nullptr; });
    const auto cells = pair.explorer->cellWeights(Side::Left);
    waitUntil(*pair.explorer, [&] {
        return pair.explorer->map({Side::Left, 1, engine::MapKind::Weights, false}) != nullptr;
    });
    const auto map = pair.explorer->map({Side::Left, 1, engine::MapKind::Weights, false});
    CHECK((*cells)[4] == Approx(map[4 * 3 + 1]));
    pair.cut(text::BlockUnit::Tokens);
    CHECK_FALSE(pair.explorer->document().key);
    CHECK_FALSE(pair.explorer->document().query);
    CHECK(pair.explorer->document().position == 11);
}

TEST_CASE("a cell of blocks that is cut is all cells of their tokens")
{
    PairOfWords pair;
    pair.explorer->toggleCells(Side::Left, {1, 2}, blockOf({3, 1}));
    const auto& ablations = pair.explorer->document().side(Side::Left).ablations;
    REQUIRE(ablations.contains({1, 2}));
    CHECK(toString(ablations.at({1, 2})) == "[9-12<1-4]");
    pair.explorer->toggleCells(Side::Left, {1, 2}, blockOf({3, 1}));
    CHECK(ablations.empty());
}

TEST_CASE("a place where a query sees no key has nothing to cut")
{
    PairOfWords pair;
    pair.explorer->toggleCells(Side::Left, {1, 2}, blockOf({1, 3}));
    CHECK(pair.explorer->document().side(Side::Left).ablations.empty());
    pair.cut(text::BlockUnit::Tokens);
    pair.explorer->toggleCells(Side::Left, {1, 2}, blockOf({2, 7}));
    CHECK(pair.explorer->document().side(Side::Left).ablations.empty());
}

TEST_CASE("what does not add up over blocks cannot be shown, and says so")
{
    PairOfWords pair;
    for (const auto kind : {engine::MapKind::Scores, engine::MapKind::Gate}) {
        CHECK(pair.explorer->whyNotPossible(kind).contains(QStringLiteral("look at tokens instead")));
        CHECK_FALSE(pair.explorer->map({Side::Left, 0, kind, false}));
    }
    CHECK(pair.explorer->whyNotPossible(engine::MapKind::ValueWeighted).isEmpty());
    pair.cut(text::BlockUnit::Tokens);
    edit(*pair.explorer, [](control::Document& document) { document.tiles = control::TileValue::Scores; });
    pair.cut(text::BlockUnit::Words);
    CHECK(pair.explorer->document().tiles == control::TileValue::Weights);
    CHECK(pair.messages.empty());
}

TEST_CASE(
    "of two texts, blocks of the same name stand for each other, and tokens at which predictions are read do")
{
    PairOfWords pair;
    edit(*pair.explorer, [](control::Document& document) {
        document.alike.prompt = false;
        document.position = 6;  // "a" of Mary
        control::setPrompt(document, QStringLiteral("Then Mary ran"), false, Side::Right);
        document.side(Side::Right).model = QStringLiteral("fake:3x4+letters");
    });
    waitUntilIdle(*pair.explorer);
    CHECK(pair.right().run->tokens.size() == 4);
    CHECK(pair.explorer->hasTwoTexts());
    CHECK(pair.explorer->matching(Side::Left, control::Axis::Key, 2, Side::Right) == text::TokenSpan(2));
    CHECK_FALSE(pair.explorer->isChanged(Side::Left, control::Axis::Key, 2));
    CHECK(pair.explorer->isChanged(Side::Left, control::Axis::Key, 3));
    CHECK(pair.right().run->position == 6);
    CHECK(pair.explorer->canSubtractCells());
}
