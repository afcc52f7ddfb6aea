#include "composer/figure_composer.h"
#include "composer/figure_preview.h"
#include "control/figures/figure_recipe.h"
#include "control/figures/figure_runs.h"
#include "control/work/late_work.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"
#include "window/file_commands.h"
#include "window/message_bar.h"
#include "window/theme.h"

#include <QApplication>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

bool isMade(WindowUnderTest& test)
{
    const bool isMade = QTest::qWaitFor([&] {
        return !test.explorer().figures().isStale() && !test.explorer().activity().isBusy &&
               control::LateWork::isDoneIn(test.window->openComposer());
    });
    QCoreApplication::processEvents();
    return isMade;
}

}  // namespace

TEST_CASE("the File menu opens one composer, which goes with the window")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    test.action(QStringLiteral("Figure…"))->trigger();
    composer::FigureComposer& composer = test.window->openComposer();
    CHECK(composer.isVisible());
    CHECK(&test.window->openComposer() == &composer);
    REQUIRE(isMade(test));
    CHECK(composer.preview().drawing());
    CHECK_FALSE(test.window->isWindowModified());  // looking changes nothing
    composer.takeShown();
    const int steps = test.explorer().history().count();
    composer.takeShown();  // it already is
    CHECK(test.explorer().history().count() == steps);
    test.explorer().edit(QStringLiteral("grids"),
                         [](control::Document& document) { document.look.scale = render::Scale::Linear; });
    composer.takeShown();
    CHECK(test.explorer().document().figure.form.scale == render::Scale::Linear);
    CHECK(test.window->isWindowModified());
    while (test.explorer().history().canUndo())
        test.explorer().history().undo();
    CHECK(test.window->close());
    CHECK_FALSE(composer.isVisible());
}

TEST_CASE("the figure is saved with the session")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    test.window->openComposer();
    test.explorer().edit(QStringLiteral("figure"), [](control::Document& document) {
        document.figure = control::FigureSpec::of(control::FigurePreset::KeyQuery);
        document.figure.key = 2;
        document.figure.form.width = 99;
    });
    const control::FigureSpec spec = test.explorer().document().figure;
    REQUIRE(test.window->files().saveTo(test.file("figure.headscope")));
    test.reopen(test.file("figure.headscope"));
    CHECK(test.explorer().document().figure == spec);
}

TEST_CASE("a picture as shown is the grids' heads, and can be made again")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    test.explorer().edit(QStringLiteral("grid"), [](control::Document& document) {
        document.side(Side::Left).grid.form = control::GridChoice::Form::List;
        document.side(Side::Left).grid.order = QStringLiteral("peak");
        document.arrangement = control::Arrangement::LeftOnly;
    });
    REQUIRE(test.settles());
    const control::FigureSpec own = test.explorer().document().figure;
    test.window->files().exportPicture(test.file("shown.svg"));
    REQUIRE(isMade(test));
    CHECK(test.window->messages().text().contains(QStringLiteral("shown.svg")));
    const Result<control::Session> session = control::readFigureSession(test.file("shown.svg"));
    REQUIRE(session);
    const control::FigureSpec& shown = session->document.figure;
    CHECK(shown.sides.front().grid.list == test.explorer().shownHeads(Side::Left));
    CHECK_FALSE(shown.sides.back().isShown);
    CHECK(test.explorer().document().figure == own);

    test.window->files().exportPicture(test.file("missing/shown.svg"));
    REQUIRE(isMade(test));
    CHECK(test.window->messages().text().contains(QStringLiteral("check that the folder is there")));
}

TEST_CASE("the File menu shares what the grids show as a page")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    test.explorer().toggleAblation(Side::Left, {{1, 2}});
    REQUIRE(test.settles());
    const QList<QAction*> actions = test.window->findChildren<QAction*>();
    const auto share = std::find_if(actions.begin(), actions.end(), [](const QAction* action) {
        return action->text() == QStringLiteral("S&hare as a page…");
    });
    REQUIRE(share != actions.end());
    CHECK((*share)->isEnabled());
    test.window->files().exportPicture(test.file("shared.html"));
    REQUIRE(isMade(test));
    CHECK(test.window->messages().text().contains(QStringLiteral("shared.html")));
    const Result<control::Session> session = control::readFigureSession(test.file("shared.html"));
    REQUIRE(session);
    CHECK(session->document.side(Side::Left).ablations.contains({1, 2}));
}

TEST_CASE("the composer stands in both themes")
{
    const QByteArray folder = qgetenv("HS_PICTURES");
    WindowUnderTest test;
    REQUIRE(test.settles());
    composer::FigureComposer& composer = test.window->openComposer();
    for (const auto theme : {control::Preferences::Theme::Light, control::Preferences::Theme::Dark}) {
        window::applyTheme(*qobject_cast<QApplication*>(QCoreApplication::instance()), theme);
        for (const control::PresetName& name : control::presetNames()) {
            test.explorer().edit(QStringLiteral("preset"), [&](control::Document& document) {
                document.figure = control::FigureSpec::of(name.value);
                document.figure.corrupted = QStringLiteral("When Anna and John went to the store");
            });
            REQUIRE(isMade(test));
            const QPixmap picture = composer.grab();
            const QRect page = composer.preview().page().toRect();
            const QPoint corner =
                composer.preview().viewport()->mapTo(&composer, page.topLeft() + QPoint(1, 1));
            CHECK(picture.toImage().pixel(corner) == qRgb(255, 255, 255));
            if (!folder.isEmpty())
                picture.save(QStringLiteral("%1/composer-%2%3.png")
                                 .arg(QString::fromLocal8Bit(folder), QString::fromLatin1(name.word),
                                      theme == control::Preferences::Theme::Dark ? QStringLiteral("-dark")
                                                                                 : QString()));
        }
    }
    window::applyTheme(*qobject_cast<QApplication*>(QCoreApplication::instance()),
                       control::Preferences::Theme::Light);
}
