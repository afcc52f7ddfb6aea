#include "guide/window.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"

using namespace hs;
using namespace hs::test;

TEST_CASE("the Help menu opens one guide at the page it names, and it goes with the window")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    CHECK(test.action(QStringLiteral("Guide"))->shortcut() == QKeySequence(Qt::Key_F1));
    test.action(QStringLiteral("Ten-minute tour"))->trigger();
    guide::Window& guide = test.window->openGuide(QStringLiteral("tour.md"));
    CHECK(guide.isVisible());
    CHECK(guide.page().name == QStringLiteral("tour.md"));
    test.action(QStringLiteral("What a message means"))->trigger();
    CHECK(guide.page().name == QStringLiteral("troubleshooting.md"));
    test.action(QStringLiteral("Guide"))->trigger();
    CHECK(guide.page().name == QString::fromLatin1(guide::kGuideIndex));
    CHECK_FALSE(test.window->isWindowModified());  // reading changes nothing
    CHECK(test.window->close());
    CHECK_FALSE(guide.isVisible());
}
