#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using text::TokenSpan;

namespace {

/// "Mary went": ⟨bos⟩ Mary went on the left, ⟨bos⟩ and eight letters on the right.
struct PairOfTokens {
    PairOfTokens() { tested.start(QStringLiteral("fake:4x6"), right, QStringLiteral("Mary went")); }

    void pin(std::optional<int> key, std::optional<int> query)
    {
        explorer().edit(QStringLiteral("Pin"), [&](control::Document& document) {
            document.key = key;
            document.query = query;
        });
        waitUntilIdle(explorer());
    }
    control::Explorer& explorer() { return *tested.explorer; }

    QString right = QStringLiteral("fake:3x9+letters");
    ExplorerUnderTest tested;
};

}  // namespace

TEST_CASE("what is hovered or pinned on one side is, on the other, the tokens that cover the same characters")
{
    PairOfTokens pair;
    pair.explorer().setHover({Side::Left, HeadId{0, 0}, 2, 1});
    CHECK(pair.explorer().hovered(Side::Left) == control::CellSpan{TokenSpan(2), TokenSpan(1)});
    CHECK(pair.explorer().hovered(Side::Right) == control::CellSpan{TokenSpan(5, 8), TokenSpan(1, 4)});
    pair.explorer().setHover({Side::Right, HeadId{0, 0}, 6, 0});
    CHECK(pair.explorer().hovered(Side::Left) == control::CellSpan{TokenSpan(2), TokenSpan(0)});
    pair.pin(1, 2);
    CHECK(pair.explorer().pinned(Side::Right) == control::CellSpan{TokenSpan(5, 8), TokenSpan(1, 4)});
    CHECK(pair.explorer().asPin(Side::Right, control::Axis::Key, 3) == 1);
    CHECK_FALSE(pair.explorer().asPin(Side::Right, control::Axis::Key, 40));
}

TEST_CASE("the other side's weight of a pinned cell is the largest of the cells that cover it")
{
    PairOfTokens pair;
    pair.pin(1, 2);
    waitUntil(pair.explorer(), [&] { return pair.explorer().cellWeights(Side::Right) != nullptr; });
    const std::vector<float> found = *pair.explorer().cellWeights(Side::Right);
    const HeadId head{1, 4};
    waitUntil(pair.explorer(), [&] {
        return pair.explorer().map({Side::Right, head.layer, engine::MapKind::Weights, false}) != nullptr;
    });
    const engine::LayerMap map =
        pair.explorer().map({Side::Right, head.layer, engine::MapKind::Weights, false});
    float largest = 0;
    for (int query = 5; query <= 8; ++query)
        for (int key = 1; key <= 4; ++key)
            largest = std::max(largest, map[static_cast<std::size_t>((head.head * 9 + query) * 9 + key)]);
    CHECK(largest > 0);
    CHECK(found[static_cast<std::size_t>(HeadShape{3, 9, 9}.indexOf(head))] == largest);
}

TEST_CASE("pins stay on their characters when the sides are swapped or only the other one is shown")
{
    PairOfTokens pair;
    pair.pin(1, 2);
    pair.explorer().edit(QStringLiteral("Right alone"), [](control::Document& document) {
        document.arrangement = control::Arrangement::RightOnly;
    });
    CHECK(pair.explorer().tokenSide() == Side::Right);
    CHECK(pair.explorer().document().key == 4);
    CHECK(pair.explorer().document().query == 8);
    pair.explorer().history().undo();
    CHECK(pair.explorer().document().key == 1);
    pair.explorer().swapSides();
    waitUntilIdle(pair.explorer());
    CHECK(pair.explorer().document().key == 4);
    CHECK(pair.explorer().pinned(Side::Right).key == TokenSpan(1));
}

TEST_CASE("several pinned tokens are all those that cover their characters, until another one is pinned")
{
    PairOfTokens pair;
    const auto select = [&](std::optional<int> to) {
        pair.explorer().edit(QStringLiteral("Select"), [&](control::Document& document) {
            document.key = 1;
            document.keyTo = to;
        });
        waitUntilIdle(pair.explorer());
    };
    select(2);
    CHECK(pair.explorer().pinned(Side::Left).key == TokenSpan(1, 2));
    CHECK(pair.explorer().pinned(Side::Right).key == TokenSpan(1, 8));
    pair.explorer().swapSides();
    waitUntilIdle(pair.explorer());
    CHECK(pair.explorer().document().key == 1);
    CHECK(pair.explorer().document().keyTo == 8);
    pair.explorer().history().undo();
    waitUntilIdle(pair.explorer());
    pair.pin(2, std::nullopt);
    CHECK_FALSE(pair.explorer().document().keyTo);
    CHECK(pair.explorer().pinned(Side::Left).key == TokenSpan(2));
    select(7);  // more than there are
    CHECK_FALSE(pair.explorer().document().keyTo);
}

TEST_CASE("joined words are pointed at and pinned whole, and their weights are sums over keys and means over "
          "queries")
{
    PairOfTokens pair;
    pair.explorer().edit(QStringLiteral("Words"),
                         [](control::Document& document) { document.joinsWords = true; });
    pair.explorer().setHover({Side::Right, HeadId{0, 0}, 6, 2});
    CHECK(pair.explorer().hovered(Side::Right) == control::CellSpan{TokenSpan(5, 8), TokenSpan(1, 4)});
    CHECK(pair.explorer().hovered(Side::Left) == control::CellSpan{TokenSpan(2), TokenSpan(1)});
    pair.pin(1, 2);
    waitUntil(pair.explorer(), [&] { return pair.explorer().cellWeights(Side::Right) != nullptr; });
    const HeadId head{1, 4};
    waitUntil(pair.explorer(), [&] {
        return pair.explorer().map({Side::Right, head.layer, engine::MapKind::Weights, false}) != nullptr;
    });
    const engine::LayerMap map =
        pair.explorer().map({Side::Right, head.layer, engine::MapKind::Weights, false});
    double sum = 0;
    for (int query = 5; query <= 8; ++query)
        for (int key = 1; key <= 4; ++key)
            sum += map[static_cast<std::size_t>((head.head * 9 + query) * 9 + key)];
    CHECK(sum > 0);
    const std::vector<float> found = *pair.explorer().cellWeights(Side::Right);
    CHECK(found[static_cast<std::size_t>(HeadShape{3, 9, 9}.indexOf(head))] == Approx(sum / 4));
}

TEST_CASE("of models with different heads the counterpart is as deep, the selection stays on its side, and "
          "there is "
          "no difference")
{
    PairOfTokens pair;
    control::Explorer& explorer = pair.explorer();
    CHECK_FALSE(explorer.hasSameHeads());
    CHECK(explorer.counterpart(Side::Left, {3, 5}, Side::Right) == HeadId{2, 8});
    CHECK(explorer.counterpart(Side::Left, {3, 5}, Side::Left) == HeadId{3, 5});
    explorer.setCurrent(Side::Right, HeadId{1, 1});
    explorer.select({{1, 1}});
    explorer.setCurrent(Side::Left, HeadId{0, 0});
    CHECK(explorer.selection(Side::Right) == std::set<HeadId>{{1, 1}});
    CHECK(explorer.selection(Side::Left).empty());
    CHECK_FALSE(explorer.differenceProblem(control::TileValue::BetweenSides).isEmpty());
}

TEST_CASE("models with the same heads and tokens share selection, positions and a difference")
{
    ExplorerUnderTest tested;
    tested.start();
    control::Explorer& explorer = *tested.explorer;
    explorer.select({{1, 1}});
    CHECK(explorer.selection(Side::Right) == explorer.selection(Side::Left));
    CHECK(explorer.counterpart(Side::Left, {3, 5}, Side::Right) == HeadId{3, 5});
    for (int position = 0; position < static_cast<int>(tested.left().run->tokens.size()); ++position)
        CHECK(explorer.matching(Side::Left, control::Axis::Query, position, Side::Right) ==
              TokenSpan(position));
    CHECK(explorer.differenceProblem(control::TileValue::BetweenSides).isEmpty());
}

TEST_CASE("a head stands for itself on its own side, also before the models are there")
{
    ExplorerUnderTest tested;
    for (const Side side : kSides) {
        CHECK(tested.explorer->counterpart(side, {2, 2}, side) == HeadId{2, 2});
        CHECK_FALSE(tested.explorer->counterpart(side, {2, 2}, otherSide(side)));
    }
}

namespace {

/// A model beside itself, with another prompt on the right.
struct TwoTexts {
    TwoTexts(const QString& left, const QString& right)
    {
        tested.start(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6"), left);
        explorer().edit(QStringLiteral("Two prompts"), [&](control::Document& document) {
            document.alike.prompt = false;
            control::setPrompt(document, right, false, Side::Right);
        });
        waitUntilIdle(explorer());
    }

    control::Explorer& explorer() { return *tested.explorer; }
    const engine::RunResult& run(Side side) { return explorer().state(side).run->after; }

    ExplorerUnderTest tested;
};

}  // namespace

TEST_CASE("each side runs its own prompt, and what is pinned is found in the other text")
{
    TwoTexts pair(QStringLiteral("Mary went home"), QStringLiteral("Mary never went home"));
    CHECK(pair.run(Side::Left).queries() == 4);
    CHECK(pair.run(Side::Right).queries() == 5);
    REQUIRE(pair.explorer().hasTwoTexts());
    pair.explorer().setHover({Side::Left, HeadId{0, 0}, 3, 1});
    CHECK(pair.explorer().hovered(Side::Right) == control::CellSpan{TokenSpan(4), TokenSpan(1)});
    pair.explorer().setHover({Side::Right, HeadId{0, 0}, 2, 1});
    CHECK(pair.explorer().hovered(Side::Left) == control::CellSpan{std::nullopt, TokenSpan(1)});
    CHECK(pair.explorer().isChanged(Side::Right, control::Axis::Key, 2));
    CHECK_FALSE(pair.explorer().isChanged(Side::Right, control::Axis::Key, 3));
}

TEST_CASE(
    "the difference of two texts is that of the tokens that stand for each other, in the tokens of each side")
{
    TwoTexts pair(QStringLiteral("Mary went home"), QStringLiteral("Mary never went home"));
    const std::vector<int> there = {0, 1, 3, 4};  // of each left token
    const control::RunPair left = pair.explorer().compared(Side::Left, control::TileValue::BetweenSides);
    const control::RunPair right = pair.explorer().compared(Side::Right, control::TileValue::BetweenSides);
    REQUIRE(left.problem.isEmpty());
    const HeadId head{2, 3};
    for (int query = 0; query < 4; ++query)
        for (int key = 0; key <= query; ++key) {
            const int otherQuery = there[static_cast<std::size_t>(query)];
            const int otherKey = there[static_cast<std::size_t>(key)];
            const double change = pair.run(Side::Right).tileWeight(head, otherQuery, otherKey) -
                                  pair.run(Side::Left).tileWeight(head, query, key);
            CHECK(changeAt(left, head, query, key) == Approx(change));
            CHECK(changeAt(right, head, otherQuery, otherKey) == Approx(change));
        }
    CHECK_FALSE(changeAt(right, head, 4, 2));
    const auto tiles = differenceOf(right);
    REQUIRE(tiles);
    CHECK(tiles->rows() == 5);
    for (int position = 0; position < 5; ++position) {
        CHECK(tiles->tile(head, 0)[2 * 5 + position] == 128);
        CHECK(tiles->tile(head, 0)[position * 5 + 2] == 128);
    }
}

TEST_CASE("the same prompt twice, each side's own, has no difference")
{
    TwoTexts pair(QStringLiteral("Mary went home"), QStringLiteral("Mary went home"));
    CHECK_FALSE(pair.explorer().hasTwoTexts());
    const auto tiles = differenceOf(pair.explorer().compared(Side::Left, control::TileValue::BetweenSides));
    REQUIRE(tiles);
    for (const HeadId head : tiles->heads().all())
        CHECK(std::all_of(tiles->tile(head, 0), tiles->tile(head, 0) + 16,
                          [](int cell) { return cell == 128; }));
}

TEST_CASE("a side kept as the other one runs what it ran, while the first one goes on")
{
    TwoTexts pair(QStringLiteral("Mary went home"), QStringLiteral("Mary never went home"));
    pair.explorer().setCurrent(Side::Left, HeadId{0, 0});
    pair.explorer().toggleAblation(Side::Left, {{1, 1}});
    pair.explorer().keepAsOtherSide();
    pair.explorer().toggleAblation(Side::Left, {{1, 1}});
    waitUntilIdle(pair.explorer());
    CHECK(pair.explorer().document().side(Side::Left).ablations.empty());
    CHECK(pair.explorer().state(Side::Right).run->request.ablations.size() == 1);
    CHECK(pair.explorer().state(Side::Right).run->request.prompt == "Mary went home");
    CHECK_FALSE(pair.explorer().hasTwoTexts());
    pair.explorer().history().undo();
    pair.explorer().history().undo();
    waitUntilIdle(pair.explorer());
    CHECK(pair.explorer().hasTwoTexts());
}
