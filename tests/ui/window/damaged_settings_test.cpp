#include "control/document/preferences.h"
#include "support/bytes_of.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"
#include "window/message_bar.h"

#include <QUndoStack>

#include <fstream>

using namespace hs;
using namespace hs::test;

TEST_CASE("damaged settings are said, kept aside and replaced by what can be read", "[fault]")
{
    WindowUnderTest test;
    test.window->close();
    test.window.reset();
    const std::string damaged = GENERATE(std::string("[preferences]\nautosaveSeconds=7\nhalf a li"),
                                         std::string("\x7f"
                                                     "ELF\x01\xff\xfe\n\0garbage\n[[[",
                                                     20));
    std::ofstream(test.file("settings.ini"), std::ios::binary) << damaged;
    test.reopen();
    CHECK(test.window->messages().text().contains(QStringLiteral("settings.ini are damaged")));
    CHECK(bytesOf(test.file("settings.ini.damaged")) == damaged);
    REQUIRE(test.settles());

    const bool hasNumber = damaged.find("autosaveSeconds=7") != std::string::npos;
    CHECK(test.explorer().preferences().autosaveSeconds == (hasNumber ? 7 : 10));
    control::Preferences changed = test.explorer().preferences();
    changed.autosaveSeconds = 42;
    test.explorer().setPreferences(changed);
    test.window->close();
    test.reopen();
    CHECK(test.window->messages().text().isEmpty());
    CHECK(test.explorer().preferences().autosaveSeconds == 42);
}
