#ifdef HS_WITH_UI

#include "app/desktop/window_questions.h"

#include "support/catch.h"
#include "support/refusals.h"
#include "ui/window/window_under_test.h"

#include <QUndoStack>

using namespace hs;
using remote::WindowAction;
using test::WindowUnderTest;

namespace {

Json ask(const WindowUnderTest& test, const remote::WindowQuestion& question)
{
    return app::answerOf(question, *test.window);
}

}  // namespace

TEST_CASE("what Python sets in a window is a step that can be undone")
{
    const WindowUnderTest test;
    REQUIRE(test.settles());
    const int steps = test.explorer().history().count();
    const Json before = ask(test, {WindowAction::Prompt});
    ask(test, {WindowAction::SetPrompt, "a b c"});
    CHECK(ask(test, {WindowAction::Prompt})["text"] == "a b c");
    ask(test, {WindowAction::SetPrompt, "", "1,2"});
    CHECK(ask(test, {WindowAction::Prompt}) == Json{{"text", ""}, {"tokens", "1,2"}});
    ask(test, {WindowAction::Ablate, "", "", {"L1H0", "L2H*:mean"}, Side::Right});
    CHECK(test.explorer().history().count() == steps + 3);
    CHECK(test.explorer().document().side(Side::Left).ablations.empty());
    CHECK(test.explorer().document().side(Side::Right).ablations.size() == 7);
    for (int step = 0; step < 3; ++step)
        test.explorer().history().undo();
    CHECK(ask(test, {WindowAction::Prompt}) == before);
    CHECK(ask(test, {WindowAction::Ablations}).empty());
}

TEST_CASE("ablations are added to what is ablated, replaced on both sides, or refused as a whole")
{
    const WindowUnderTest test;
    REQUIRE(test.settles());
    ask(test, {WindowAction::Ablate, "", "", {"L1H0", "L0H2[1<0]"}, {}});
    ask(test, {WindowAction::Ablate, "", "", {"L0H2[2<1]:renormalise"}, Side::Left});
    CHECK(ask(test, {WindowAction::Ablations}) ==
          Json{"L0H2[1<0]:zero[2<1]:renormalise", "L1H0", "L0H2[1<0]"});
    for (const char* const wrong : {"L4H0", "L0H", "L0H0:patch"})
        CHECK(!test::refusalOf([&] {
                   ask(test, {WindowAction::SetAblations, "", "", {"L0H0", wrong}, {}});
               }).empty());
    CHECK(ask(test, {WindowAction::Ablations}).size() == 3);
    ask(test, {WindowAction::SetAblations, "", "", {"L3H5"}, {}});
    CHECK(ask(test, {WindowAction::Ablations}) == Json{"L3H5"});
}

TEST_CASE("Python reads what the pointer is on, what is selected and what is pinned")
{
    const WindowUnderTest test;
    REQUIRE(test.settles());
    CHECK(ask(test, {WindowAction::Hover}).is_null());
    test.explorer().setHover({Side::Right, HeadId{1, 2}, 3, 0});
    CHECK(ask(test, {WindowAction::Hover}) ==
          Json{{"head", "L1H2"}, {"side", "sparse"}, {"query", 3}, {"key", 0}});
    ask(test, {WindowAction::Select, "", "", {"L2H0-1", "L1H3"}});
    test.explorer().edit(QStringLiteral("pin"), [](control::Document& document) { document.key = 1; });
    const Json selection = {{"heads", {"L1H3", "L2H0", "L2H1"}},
                            {"head", "L2H0"},
                            {"side", "dense"},
                            {"query", nullptr},
                            {"key", 1}};
    CHECK(ask(test, {WindowAction::Selection}) == selection);
    CHECK(test::isRefused([&] { ask(test, {WindowAction::Select, "", "", {"L9H0"}}); }, "L9H0"));
    CHECK(ask(test, {WindowAction::Selection}) == selection);
}

TEST_CASE("questions wait for models that are being opened, pictures for what the document asks for")
{
    const WindowUnderTest test;
    CHECK(!app::canAnswer({WindowAction::Prompt}, *test.window));
    CHECK(app::canAnswer({WindowAction::Close}, *test.window));
    REQUIRE(test.settles());
    CHECK(app::canAnswer({WindowAction::Prompt}, *test.window));
    ask(test, {WindowAction::SetPrompt, "another one"});
    CHECK(app::canAnswer({WindowAction::Prompt}, *test.window));
    CHECK(!app::canAnswer({WindowAction::Screenshot}, *test.window));
    REQUIRE(test.settles());

    const WindowUnderTest without(QStringLiteral("fake:4x6"), {});
    REQUIRE(without.settles());
    CHECK(ask(without, {WindowAction::Session})["only"] == "dense");
    CHECK(test::isRefused([&] { ask(without, {WindowAction::Ablate, "", "", {"L0H0"}, Side::Right}); },
                          "No model is open"));
    ask(without, {WindowAction::Close});
    CHECK(QTest::qWaitFor([&] { return !without.window->isVisible(); }));
}

#endif
