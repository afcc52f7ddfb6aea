#include "control/document/side_links.h"

#include "control/session/session.h"
#include "support/catch.h"

using namespace hs;
using control::Document;

namespace {

Document pair()
{
    Document document;
    document.side(Side::Left).model = QStringLiteral("one");
    document.side(Side::Right).model = QStringLiteral("other");
    control::setPrompt(document, QStringLiteral("Mary and John"));
    return document;
}

/// What an edit leaves.
Document edited(const Document& before, const std::function<void(Document&)>& change)
{
    Document changed = before;
    change(changed);
    control::keepAlike(changed, before);
    return changed;
}

}  // namespace

TEST_CASE("a prompt that both sides have is changed on both, from either side")
{
    for (const Side side : kSides) {
        const Document changed = edited(
            pair(), [&](Document& document) { document.side(side).prompt.text = QStringLiteral("John"); });
        CHECK(changed.prompt(Side::Left) == changed.prompt(Side::Right));
        CHECK(changed.prompt().text == QStringLiteral("John"));
    }
}

TEST_CASE("a side with its own prompt keeps it, and takes the left one when they are linked again")
{
    Document two = edited(pair(), [](Document& document) { document.alike.prompt = false; });
    two = edited(two, [](Document& document) {
        control::setPrompt(document, QStringLiteral("John and Mary"), false, Side::Right);
    });
    CHECK(two.prompt().text == QStringLiteral("Mary and John"));
    CHECK(two.prompt(Side::Right).text == QStringLiteral("John and Mary"));
    const Document one = edited(two, [](Document& document) { document.alike.prompt = true; });
    CHECK(one.prompt(Side::Right) == one.prompt());
    CHECK(one.prompt().text == QStringLiteral("Mary and John"));
}

TEST_CASE("linked ablations and models follow the side that was clicked")
{
    Document linked = pair();
    linked.alike = {true, true, true};
    linked.side(Side::Right).model = linked.side(Side::Left).model;
    const Document cut = edited(linked, [](Document& document) {
        document.side(Side::Right).ablations.emplace(HeadId{2, 3}, engine::HeadAblation::Kind::Zero);
    });
    CHECK(cut.side(Side::Left).ablations == cut.side(Side::Right).ablations);
    CHECK(cut.side(Side::Left).ablations.size() == 1);
    const Document restored =
        edited(cut, [](Document& document) { document.side(Side::Left).ablations.clear(); });
    CHECK(restored.side(Side::Right).ablations.empty());
    Document other = cut;
    other.side(Side::Right).graph.coders = QStringLiteral("of the old model");
    const Document moved =
        edited(other, [](Document& document) { document.side(Side::Left).model = QStringLiteral("new"); });
    CHECK(moved.side(Side::Right).model == QStringLiteral("new"));
    CHECK(moved.side(Side::Right).graph == control::GraphChoice());
}

TEST_CASE("what one side cannot have is not put back by an edit of something else")
{
    Document linked = pair();
    linked.alike.ablations = true;
    linked.side(Side::Left).ablations.emplace(HeadId{7, 7}, engine::HeadAblation::Kind::Zero);  // only there
    const Document changed =
        edited(linked, [](Document& document) { document.target = QStringLiteral("Mary"); });
    CHECK(changed.side(Side::Right).ablations.empty());
    CHECK(changed.side(Side::Left).ablations.size() == 1);
}

TEST_CASE("a side kept as the other one stays as it is, whatever is changed then")
{
    Document before = pair();
    before.arrangement = control::Arrangement::LeftOnly;
    before.side(Side::Left).ablations.emplace(HeadId{1, 1}, engine::HeadAblation::Kind::Mean);
    before.side(Side::Right).grid.columns = 3;
    const Document kept =
        edited(before, [](Document& document) { control::keepAsOther(document, Side::Left); });
    CHECK(kept.side(Side::Right).model == QStringLiteral("one"));
    CHECK(kept.side(Side::Right).ablations == before.side(Side::Left).ablations);
    CHECK(kept.side(Side::Right).grid.columns == 3);
    CHECK(control::isShown(kept.arrangement, Side::Right));
    const Document later = edited(kept, [](Document& document) {
        control::setPrompt(document, QStringLiteral("Quite another text"));
        document.side(Side::Left).ablations.clear();
    });
    CHECK(later.side(Side::Right) == kept.side(Side::Right));
}

TEST_CASE("a session from when both sides had one prompt opens with it on both")
{
    const auto session = control::readSession(
        R"({"headscope": {"version": 1}, "prompt": "Mary and John", "bos": false, "left": {}, "right": {}})",
        "old.headscope");
    REQUIRE(session);
    for (const Side side : kSides) {
        CHECK(session->document.prompt(side).text == QStringLiteral("Mary and John"));
        CHECK_FALSE(session->document.prompt(side).hasBos);
    }
    CHECK(session->document.alike == control::Alike());
}
