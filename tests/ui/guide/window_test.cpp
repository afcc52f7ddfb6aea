#include "guide/window.h"

#include "guide/view.h"
#include "support/catch.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTreeWidget>

using namespace hs;

namespace {

QTreeWidget& contents(guide::Window& window)
{
    return *window.findChild<QTreeWidget*>(QStringLiteral("guideContents"));
}

QLineEdit& searchField(guide::Window& window)
{
    return *window.findChild<QLineEdit*>(QStringLiteral("guideSearch"));
}

QString found(guide::Window& window)
{
    return window.findChild<QLabel*>(QStringLiteral("guideFound"))->text();
}

QAction& keys(guide::Window& window, const char* shortcut)
{
    for (QAction* const action : window.findChildren<QAction*>())
        if (action->shortcuts().contains(QKeySequence(QString::fromLatin1(shortcut))))
            return *action;
    throw std::runtime_error("no such key");
}

}  // namespace

TEST_CASE("every page of the guide is listed, opens under its title and has its pictures")
{
    const QByteArray folder = qgetenv("HS_PICTURES");
    guide::Window window;
    if (!folder.isEmpty())
        window.resize(window.width(), 2400);  // much of a page at once
    window.show();
    const std::vector<guide::Page> pages = guide::readGuide();
    REQUIRE(pages.size() >= 12);
    CHECK(window.page().name == QString::fromLatin1(guide::kGuideIndex));
    REQUIRE(contents(window).topLevelItemCount() == static_cast<int>(pages.size()));
    for (std::size_t index = 0; index < pages.size(); ++index) {
        CAPTURE(pages[index].name.toStdString());
        CHECK(contents(window).topLevelItem(static_cast<int>(index))->text(0) == pages[index].title);
        window.open(pages[index].name);
        CHECK(window.page().name == pages[index].name);
        CHECK(window.windowTitle().contains(pages[index].title));
        CHECK(window.view().document()->begin().text() == pages[index].title);
        // Nothing is wider than the column, except that a table's border may be, by a pixel.
        CHECK(window.view().document()->size().width() <= window.view().viewport()->width() + 1);
        CHECK(window.view().horizontalScrollBar()->maximum() == 0);
        if (!folder.isEmpty())
            window.grab().save(
                QStringLiteral("%1/guide-%2.png").arg(QString::fromLocal8Bit(folder), pages[index].name));
        for (QTextBlock block = window.view().document()->begin(); block.isValid(); block = block.next())
            for (auto at = block.begin(); !at.atEnd(); ++at)
                if (at.fragment().charFormat().isImageFormat()) {
                    const QString name = at.fragment().charFormat().toImageFormat().name();
                    CAPTURE(name.toStdString());
                    const auto image = window.view()
                                           .document()
                                           ->resource(QTextDocument::ImageResource, QUrl(name))
                                           .value<QImage>();
                    CHECK_FALSE(image.isNull());
                    CHECK(image.width() / image.devicePixelRatio() <= window.view().viewport()->width());
                }
    }
}

TEST_CASE("links lead to pages and headings, and back to where one was")
{
    guide::Window window;
    window.resize(1000, 500);
    window.show();
    CHECK_FALSE(window.history().hasBack());
    window.view().scrollTo(120);
    Q_EMIT window.view().anchorClicked(QUrl(QStringLiteral("figures.md#flow")));
    CHECK(window.page().name == QStringLiteral("figures.md"));
    const int atHeading = window.view().scrolled();
    CHECK(atHeading > 0);
    Q_EMIT window.view().anchorClicked(QUrl(QStringLiteral("#the-presets")));
    CHECK(window.page().name == QStringLiteral("figures.md"));
    CHECK(window.view().scrolled() < atHeading);
    keys(window, "Alt+Left").trigger();
    CHECK(window.page().name == QString::fromLatin1(guide::kGuideIndex));
    CHECK(window.view().scrolled() == 120);
    keys(window, "Alt+Right").trigger();
    CHECK(window.page().name == QStringLiteral("figures.md"));
    CHECK_FALSE(window.history().hasForward());
    window.open(QStringLiteral("no-such-page.md"));
    CHECK(window.page().name == QString::fromLatin1(guide::kGuideIndex));
}

TEST_CASE("a page's headings are listed below its title, and lead to them")
{
    guide::Window window;
    window.resize(1000, 500);
    window.show();
    window.open(QStringLiteral("tour.md"));
    QTreeWidgetItem* const item = contents(window).currentItem();
    REQUIRE(item->childCount() == window.view().sections().size());
    REQUIRE(item->childCount() >= 5);
    Q_EMIT contents(window).itemClicked(item->child(4), 0);
    CHECK(window.view().textCursor().block().text() == item->child(4)->text(0));
    CHECK(window.view().scrolled() > 0);
}

TEST_CASE("a search marks what it finds, goes from place to place and round, and counts on all pages")
{
    guide::Window window;
    window.show();
    window.open(QStringLiteral("ablation.md"));
    searchField(window).setText(QStringLiteral("residual"));
    const int count = static_cast<int>(window.view().extraSelections().size());
    REQUIRE(count >= 1);
    CHECK(found(window) == QStringLiteral("1 of %1").arg(count));
    for (int step = 0; step < count; ++step)
        keys(window, "F3").trigger();
    CHECK(found(window) == QStringLiteral("1 of %1").arg(count));
    keys(window, "Shift+F3").trigger();
    CHECK(found(window) == QStringLiteral("%1 of %1").arg(count));
    int pagesWithFinds = 0;
    for (int index = 0; index < contents(window).topLevelItemCount(); ++index)
        pagesWithFinds += contents(window).topLevelItem(index)->text(1).isEmpty() ? 0 : 1;
    CHECK(pagesWithFinds >= 2);
    CHECK(pagesWithFinds < contents(window).topLevelItemCount());
    searchField(window).setText(QStringLiteral("xyzzy"));
    CHECK(window.view().extraSelections().isEmpty());
    CHECK(found(window) == QStringLiteral("not on this page"));
    keys(window, "Esc").trigger();
    CHECK(searchField(window).text().isEmpty());
    CHECK(window.isVisible());
    keys(window, "Esc").trigger();
    CHECK_FALSE(window.isVisible());
}

TEST_CASE("the page follows the theme and the width, and stays where one reads")
{
    guide::Window window;
    window.resize(1000, 500);
    window.show();
    window.open(QStringLiteral("tour.md"));
    window.view().scrollTo(400);
    QPalette dark = window.palette();
    dark.setColor(QPalette::Base, Qt::black);
    dark.setColor(QPalette::Text, Qt::white);
    window.setPalette(dark);
    CHECK(window.view().scrolled() == 400);
    const QTextFrame* const root = window.view().document()->rootFrame();
    REQUIRE_FALSE(root->childFrames().isEmpty());
    CHECK(root->childFrames().front()->frameFormat().background().color().lightness() < 100);
    window.resize(500, 500);
    const double width = window.view().document()->size().width();
    CHECK(width <= window.view().viewport()->width());
    window.view().enlarge(3);
    CHECK(window.view().document()->defaultFont().pointSizeF() > window.font().pointSizeF() + 3);
}

TEST_CASE("a history forgets what lay ahead when another way is taken")
{
    guide::History history(QStringLiteral("a"));
    history.visit(QStringLiteral("b"), 10);
    history.visit(QStringLiteral("c"), 20);
    CHECK(history.back(30) == guide::Place{QStringLiteral("b"), 20});
    CHECK(history.back(20) == guide::Place{QStringLiteral("a"), 10});
    CHECK(history.back(10) == guide::Place{QStringLiteral("a"), 10});
    history.visit(QStringLiteral("d"), 5);
    CHECK_FALSE(history.hasForward());
    CHECK(history.back(0) == guide::Place{QStringLiteral("a"), 5});
}
