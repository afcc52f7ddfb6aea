#include "start/start_page.h"

#include "control/session/recent_models.h"
#include "control/work/late_work.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "start/model_row_delegate.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"
#include "window/message_bar.h"

#include <QApplication>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

start::ListedModel listed(start::ListedModel::Group group, const std::string& where,
                          const std::string& problem = {})
{
    start::ListedModel model;
    model.group = group;
    model.found.where = where;
    model.found.name = where;
    model.found.folder = "/models/" + where;
    model.found.family = "llama";
    model.found.spec.emplace();
    model.found.spec->layers = 30;
    model.found.spec->heads = 9;
    model.found.bytesOnDisk = 269'000'000;
    model.found.problem = problem;
    model.fit = engine::ModelFit{540'000'000, 6'000'000'000};
    return model;
}

/// What the start page of these tests finds.
void findSome(window::Setup& setup)
{
    setup.findModels = [](const QStringList& recent, const control::Preferences&) {
        using Group = start::ListedModel::Group;
        std::vector<start::ListedModel> models = {listed(Group::Demo, "demo:dense")};
        for (const QString& source : recent)
            models.push_back(listed(Group::Recent, source.toStdString()));
        models.push_back(listed(Group::Downloaded, "fake:2x3"));
        models.push_back(listed(Group::Downloaded, "fake:64x64"));
        models.back().fit = engine::ModelFit{9'000'000'000, 6'000'000'000};
        models.push_back(listed(Group::Beside, "fake:9x9", "It is broken; mend it."));
        return models;
    };
}

struct PageUnderTest : WindowUnderTest {
    explicit PageUnderTest(const QString& left = {}, const QString& right = {})
        : WindowUnderTest(left, right, findSome)
    {
        QSignalSpy spy(&page(), &start::StartPage::listed);
        while (page().rows().rowCount() == 0)
            REQUIRE(spy.wait(60000));
        REQUIRE(settles());
    }

    start::StartPage& page() const { return window->startPage(); }
    QListView& list() const { return *page().findChild<QListView*>(); }
    void choose(const char* where) const { list().setCurrentIndex(page().rows().find(where)); }
    QString modelOf(Side side) const { return explorer().document().side(side).model; }
    QString said(const char* label) const
    {
        return page().findChild<QLabel*>(QString::fromLatin1(label))->text();
    }
    /// A click on a line, a number of pixels from its left.
    void click(const char* where, QPoint offset) const
    {
        const QRect line = list().visualRect(page().rows().find(where));
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, line.topLeft() + offset);
    }
};

}  // namespace

TEST_CASE("the start page stands where a side has no model, and nowhere else")
{
    CHECK(PageUnderTest(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6")).page().isHidden());

    const PageUnderTest both;
    CHECK(both.page().isVisible());
    CHECK(both.page().geometry() == both.window->grids().rect());
    CHECK(both.page().target() == Side::Left);
    both.window->resize(1000, 700);
    QCoreApplication::processEvents();
    CHECK(both.page().geometry() == both.window->grids().rect());

    const PageUnderTest right(QStringLiteral("fake:4x6"), {});
    grid::HeadGrids& grids = right.window->grids();
    CHECK(right.page().geometry() == grids.grid(Side::Right).geometry());
    CHECK(right.page().width() > 2 * grids.width() / 5);
    CHECK(right.page().target() == Side::Right);
    right.window->resize(1000, 700);
    QCoreApplication::processEvents();
    CHECK(right.page().geometry() == grids.grid(Side::Right).geometry());
    right.explorer().edit(QStringLiteral("alone"), [](control::Document& document) {
        document.arrangement = control::Arrangement::LeftOnly;
    });
    CHECK(right.page().isHidden());
}

TEST_CASE("a line of the start page says heads, size and whether the model fits")
{
    const PageUnderTest test;
    const auto words = [&](const char* where) {
        return test.page().rows().data(test.page().rows().find(where), Qt::AccessibleTextRole).toString();
    };
    CHECK(words("fake:2x3").contains(QStringLiteral("30 × 9 heads")));
    CHECK(words("fake:2x3").contains(QStringLiteral("269 MB")));
    CHECK(words("fake:2x3").contains(QStringLiteral("fits: needs 540 MB of 6.0 GB")));
    CHECK(words("fake:64x64").contains(QStringLiteral("too large: needs 9.0 GB of 6.0 GB")));
    CHECK(words("fake:9x9").contains(QStringLiteral("It is broken; mend it.")));
}

TEST_CASE("a click opens a model where the page stands, its buttons and keys on either side")
{
    PageUnderTest test;
    test.click("fake:9x9", {20, 10});  // broken: nothing happens
    test.choose("fake:9x9");
    QTest::keyClick(&test.list(), Qt::Key_Return);
    CHECK(test.modelOf(Side::Left).isEmpty());
    test.click("fake:2x3", {20, 10});
    CHECK(test.modelOf(Side::Left) == QStringLiteral("fake:2x3"));
    REQUIRE(test.settles());
    CHECK(test.page().target() == Side::Right);  // still without a model
    test.choose("fake:64x64");
    QTest::keyClick(&test.list(), Qt::Key_Return);
    CHECK(test.modelOf(Side::Right) == QStringLiteral("fake:64x64"));
    REQUIRE(test.settles());
    CHECK(test.page().isHidden());

    test.action(QStringLiteral("Start page…"))->trigger();
    CHECK(test.page().isVisible());
    CHECK(test.page().hasFocus());
    CHECK(test.page().geometry() == test.window->grids().rect());
    test.choose("fake:2x3");
    QTest::keyClick(&test.list(), Qt::Key_R);
    CHECK(test.modelOf(Side::Right) == QStringLiteral("fake:2x3"));
    CHECK(test.page().isHidden());
    REQUIRE(test.settles());

    test.page().ask();
    auto& delegate = *static_cast<start::ModelRowDelegate*>(test.list().itemDelegate());
    const QRect line = test.list().visualRect(test.page().rows().find("fake:64x64"));
    test.click("fake:64x64", delegate.buttonRect(line, Side::Left).center() - line.topLeft());
    CHECK(test.modelOf(Side::Left) == QStringLiteral("fake:64x64"));
    CHECK(test.modelOf(Side::Right) == QStringLiteral("fake:2x3"));
    REQUIRE(test.settles());

    test.page().ask();
    test.choose("demo:dense");
    const int steps = test.explorer().history().count();
    QTest::keyClick(&test.list(), Qt::Key_Return);
    CHECK(test.modelOf(Side::Left) == QStringLiteral("demo:dense"));
    CHECK(test.modelOf(Side::Right) == QStringLiteral("demo:sparse"));
    CHECK(test.explorer().history().count() == steps + 1);
}

TEST_CASE("the start page that was asked for goes with Escape, and the grids have the keyboard again")
{
    const PageUnderTest test(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6"));
    test.page().ask();
    QTest::keyClick(&test.list(), Qt::Key_Escape);
    CHECK(test.page().isHidden());
    CHECK(test.window->grids().grid(Side::Left).hasFocus());
    CHECK_FALSE(test.window->isWindowModified());
}

TEST_CASE("a model that cannot be opened is explained on the start page, once, and can be tried again")
{
    PageUnderTest test(QStringLiteral("/models/absent"), QStringLiteral("fake:4x6"));
    CHECK(test.page().isVisible());
    CHECK(test.said("startTitle") == QStringLiteral("absent could not be opened"));
    CHECK(test.said("startProblem") == test.explorer().state(Side::Left).problem);
    CHECK_FALSE(test.said("startProblem").isEmpty());
    CHECK(test.window->messages().text().isEmpty());
    const int opened = test.backend->count(FakeBackend::Call::Open);
    test.page().findChild<QPushButton*>(QStringLiteral("retryModel"))->click();
    REQUIRE(test.settles());
    CHECK(test.backend->count(FakeBackend::Call::Open) == opened + 1);
    CHECK(test.page().isVisible());
    test.explorer().openModel(Side::Left, QStringLiteral("fake:2x3"));
    CHECK(test.page().isHidden());  // the grid says that it loads
    REQUIRE(test.settles());
    CHECK(test.page().isHidden());
}

TEST_CASE("what a side shows stays when another model cannot be opened, and the message bar says why")
{
    const PageUnderTest test(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6"));
    test.explorer().openModel(Side::Left, QStringLiteral("/models/absent"));
    REQUIRE(test.settles());
    CHECK(test.page().isHidden());
    CHECK_FALSE(test.window->messages().text().isEmpty());
}

TEST_CASE("models that were opened and downloaded are on the start page and in the menu")
{
    PageUnderTest test(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6"));
    QSignalSpy spy(&test.page(), &start::StartPage::listed);
    test.page().ask();
    REQUIRE(spy.wait(60000));
    CHECK(test.page().rows().find("fake:4x6").isValid());
    CHECK(test.page().rows().find("fake:2x3").isValid());
    auto* const recent = test.window->findChild<QMenu*>(QStringLiteral("leftRecent"));
    REQUIRE(recent);
    Q_EMIT recent->aboutToShow();
    QStringList offered;
    for (const QAction* const action : recent->actions())
        offered << action->text();
    CHECK(offered == QStringList{"fake:4x6", "fake:2x3", "fake:64x64"});
}

TEST_CASE("closing a model's side brings the start page, and undo the model")
{
    const PageUnderTest test(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6"));
    test.action(QStringLiteral("Close model"))->trigger();
    CHECK(test.page().isVisible());
    CHECK(test.page().covers(Side::Left));
    CHECK_FALSE(test.page().covers(Side::Right));
    test.explorer().history().undo();
    REQUIRE(test.settles());
    CHECK(test.page().isHidden());
}
