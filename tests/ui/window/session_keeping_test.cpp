#include "control/session/session.h"
#include "grid/head_grids.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"
#include "window/file_commands.h"
#include "window/message_bar.h"

#include <QSignalSpy>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

void changeMuch(control::Explorer& explorer)
{
    explorer.toggleAblation(Side::Left, {{1, 2}});
    explorer.edit(QStringLiteral("much"), [](control::Document& document) {
        control::setPrompt(document, QStringLiteral("After Anna and Tom went to the park"));
        document.arrangement = control::Arrangement::Stacked;
        document.side(Side::Right).grid.form = control::GridChoice::Form::List;
        document.side(Side::Right).grid.order = QStringLiteral("peak");
        document.key = 2;
        document.query = 5;
        document.look.scale = render::Scale::Linear;
    });
    explorer.select({{0, 1}, {2, 2}});
    explorer.setCurrent(Side::Right, HeadId{2, 2});
}

}  // namespace

TEST_CASE("a saved session opens to the same document, selection and zoom")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    changeMuch(test.explorer());
    test.window->grids().zoomIn();
    REQUIRE(test.settles());
    const control::Document document = test.explorer().document();
    REQUIRE(test.window->files().saveTo(test.file("study.headscope")));
    CHECK_FALSE(test.window->isWindowModified());
    CHECK(test.window->windowTitle().contains(QStringLiteral("study.headscope")));

    test.reopen(test.file("study.headscope"));
    REQUIRE(test.settles());
    CHECK(test.explorer().document() == document);
    CHECK(test.explorer().selection() == std::set<HeadId>{{0, 1}, {2, 2}});
    CHECK(test.explorer().currentHead() == HeadId{2, 2});
    CHECK(test.explorer().activeSide() == Side::Right);
    CHECK_FALSE(test.window->isWindowModified());
}

TEST_CASE("a window with unsaved changes asks before it closes")
{
    using Answer = window::FileCommands::Answer;
    WindowUnderTest test;
    REQUIRE(test.settles());
    CHECK(test.window->files().mayLeave());  // nothing to lose
    changeMuch(test.explorer());
    int asked = 0;
    test.window->files().setQuestion([&] {
        ++asked;
        return Answer::Cancel;
    });
    CHECK_FALSE(test.window->close());
    CHECK(asked == 1);
    REQUIRE(test.window->files().saveTo(test.file("a.headscope")));
    test.explorer().toggleAblation(Side::Right, {{3, 3}});
    test.window->files().setQuestion([] { return Answer::Save; });
    CHECK(test.window->close());
    const Result<control::Session> saved = control::loadSession(test.file("a.headscope"));
    REQUIRE(saved);
    CHECK(saved->document.side(Side::Right).ablations.contains({3, 3}));
}

TEST_CASE("a session that cannot be read or written is said, and nothing is lost", "[fault]")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    changeMuch(test.explorer());
    const control::Document document = test.explorer().document();
    test.window->files().openSession(test.file("missing.headscope"));
    CHECK_FALSE(test.window->messages().text().isEmpty());
    CHECK(test.explorer().document() == document);
    for (const std::filesystem::path& file :
         {test.file("no-such-folder/a.headscope"), std::filesystem::path("/proc/a.headscope")}) {
        test.window->messages().dismiss();
        CHECK_FALSE(test.window->files().saveTo(file));
        CHECK(test.window->messages().text().contains(QStringLiteral("that you may write to it")));
        CHECK(test.window->isWindowModified());
        CHECK(test.explorer().document() == document);
    }
}

TEST_CASE("what a dead program left behind is offered and restored", "[fault]")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    changeMuch(test.explorer());
    const control::Document document = test.explorer().document();
    {
        // Imitates a program that crashed: it leaves a copy but no lock.
        std::filesystem::create_directories(test.file("recovery"));
        control::Session session{document, test.window->viewState(), {}, {}};
        control::Autosave autosave(test.file("recovery"), [&] { return session; });
        autosave.setInterval(std::chrono::milliseconds(1));
        QSignalSpy written(&autosave, &control::Autosave::written);
        autosave.touch();
        REQUIRE((written.count() > 0 || written.wait()));
        std::filesystem::copy_file(autosave.file(), test.file("recovery/dead.headscope"));
    }
    test.window->files().setQuestion([] { return window::FileCommands::Answer::Discard; });
    test.reopen();
    REQUIRE(test.settles());
    CHECK(test.window->files().canRecover());
    CHECK(test.window->messages().text().contains(QStringLiteral("restored")));
    test.window->files().recover();
    CHECK(test.explorer().document() == document);
    CHECK(test.window->isWindowModified());
}

TEST_CASE("a session that another window saved meanwhile is not overwritten without a question", "[fault]")
{
    using Clash = window::FileCommands::Clash;
    WindowUnderTest first;
    REQUIRE(first.settles());
    const std::filesystem::path file = first.file("shared.headscope");
    first.window->files().setClashQuestion([] {
        FAIL("nobody else has written it");
        return Clash::Cancel;
    });
    REQUIRE(first.window->files().saveTo(file));
    first.explorer().toggleAblation(Side::Left, {{1, 2}});
    REQUIRE(first.window->files().save());

    WindowUnderTest second(file);
    REQUIRE(second.settles());
    changeMuch(second.explorer());
    REQUIRE(second.window->files().save());
    const control::Document theirs = second.explorer().document();

    first.explorer().toggleAblation(Side::Left, {{0, 0}});
    int asked = 0;
    first.window->files().setClashQuestion([&] {
        ++asked;
        return Clash::Cancel;
    });
    CHECK_FALSE(first.window->files().save());
    CHECK(asked == 1);
    CHECK(first.window->isWindowModified());
    CHECK(control::loadSession(file)->document == theirs);

    first.window->files().setClashQuestion([] { return Clash::Overwrite; });
    REQUIRE(first.window->files().save());
    CHECK(control::loadSession(file)->document == first.explorer().document());
    second.window->files().setClashQuestion([&] {
        ++asked;
        return Clash::Cancel;
    });
    CHECK_FALSE(second.window->files().save());
    CHECK(asked == 2);
}

TEST_CASE("a session whose file vanished is saved again without a question", "[fault]")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    REQUIRE(test.window->files().saveTo(test.file("gone.headscope")));
    std::filesystem::remove(test.file("gone.headscope"));
    test.window->files().setClashQuestion([] {
        FAIL("there is nothing to overwrite");
        return window::FileCommands::Clash::Cancel;
    });
    CHECK(test.window->files().save());
    CHECK(control::loadSession(test.file("gone.headscope")));
}
