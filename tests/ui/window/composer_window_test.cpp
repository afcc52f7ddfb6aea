#include "composer/figure_composer.h"
#include "composer/figure_preview.h"
#include "control/figure_recipe.h"
#include "control/figure_runs.h"
#include "control/late_work.h"
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
               LateWork::isDoneIn(test.window->openComposer());
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
    FigureComposer& composer = test.window->openComposer();
    CHECK(composer.isVisible());
    CHECK(&test.window->openComposer() == &composer);
    REQUIRE(isMade(test));
    CHECK(composer.preview().drawing());
    CHECK_FALSE(test.window->isWindowModified());  // looking changes nothing
    composer.takeShown();
    const int steps = test.explorer().history().count();
    composer.takeShown();  // which it is by now
    CHECK(test.explorer().history().count() == steps);
    test.explorer().edit(QStringLiteral("grids"),
                         [](Document& document) { document.look.scale = Scale::Linear; });
    composer.takeShown();
    CHECK(test.explorer().document().figure.form.scale == Scale::Linear);
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
    test.explorer().edit(QStringLiteral("figure"), [](Document& document) {
        document.figure = FigureSpec::of(FigurePreset::KeyQuery);
        document.figure.key = 2;
        document.figure.form.width = 99;
    });
    const FigureSpec spec = test.explorer().document().figure;
    REQUIRE(test.window->files().saveTo(test.file("figure.headscope")));
    test.reopen(test.file("figure.headscope"));
    CHECK(test.explorer().document().figure == spec);
}

TEST_CASE("a picture as shown is the grids' heads, and can be made again")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    test.explorer().edit(QStringLiteral("grid"), [](Document& document) {
        document.side(Side::Left).grid.form = GridChoice::Form::List;
        document.side(Side::Left).grid.order = QStringLiteral("peak");
        document.arrangement = Arrangement::LeftOnly;
    });
    REQUIRE(test.settles());
    const FigureSpec own = test.explorer().document().figure;
    test.window->files().exportPicture(test.file("shown.svg"));
    REQUIRE(isMade(test));
    CHECK(test.window->messages().text().contains(QStringLiteral("shown.svg")));
    const Result<Session> session = readFigureSession(test.file("shown.svg"));
    REQUIRE(session);
    const FigureSpec& shown = session->document.figure;
    CHECK(shown.sides.front().grid.list == test.explorer().shownHeads(Side::Left));
    CHECK_FALSE(shown.sides.back().isShown);
    CHECK(test.explorer().document().figure == own);

    test.window->files().exportPicture(test.file("missing/shown.svg"));
    REQUIRE(isMade(test));
    CHECK(test.window->messages().text().contains(QStringLiteral("check that the folder is there")));
}

TEST_CASE("the composer stands in both themes")
{
    const QByteArray folder = qgetenv("HS_PICTURES");
    WindowUnderTest test;
    REQUIRE(test.settles());
    FigureComposer& composer = test.window->openComposer();
    for (const auto theme : {Preferences::Theme::Light, Preferences::Theme::Dark}) {
        applyTheme(*qobject_cast<QApplication*>(QCoreApplication::instance()), theme);
        for (const PresetName& name : presetNames()) {
            test.explorer().edit(QStringLiteral("preset"), [&](Document& document) {
                document.figure = FigureSpec::of(name.value);
                document.figure.corrupted = QStringLiteral("When Anna and John went to the store");
            });
            REQUIRE(isMade(test));
            const QPixmap picture = composer.grab();
            const QRect page = composer.preview().page().toRect();
            const QPoint corner =
                composer.preview().viewport()->mapTo(&composer, page.topLeft() + QPoint(1, 1));
            CHECK(picture.toImage().pixel(corner) == qRgb(255, 255, 255));
            if (!folder.isEmpty())
                picture.save(
                    QStringLiteral("%1/composer-%2%3.png")
                        .arg(QString::fromLocal8Bit(folder), QString::fromLatin1(name.word),
                             theme == Preferences::Theme::Dark ? QStringLiteral("-dark") : QString()));
        }
    }
    applyTheme(*qobject_cast<QApplication*>(QCoreApplication::instance()), Preferences::Theme::Light);
}
