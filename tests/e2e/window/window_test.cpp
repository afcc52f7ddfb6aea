#include "base/json.h"
#include "e2e/window/virtual_screen.h"
#include "support/catch.h"
#include "support/skip.h"

#include <algorithm>
#include <fstream>

using namespace hs;
using namespace hs::test;

namespace {

constexpr const char* kParkPrompt = "When Tom and Lucy went to the park , Lucy gave a ball to";

/// What is stored; null while the file does not exist.
Json stored(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    return stream ? Json::parse(stream, nullptr, /*allow_exceptions=*/false) : Json();
}

/// A screen and a home folder of its own for the program.
class Desktop {
public:
    /// The home of somebody who has seen the tour.
    Desktop() { home.write(".config/HeadScope/HeadScope.conf", "[preferences]\noffersTour=false\n"); }

    RunningProgram open(const std::vector<std::string>& arguments = {})
    {
        std::vector<std::string> words = {HS_PROGRAM};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return RunningProgram(words, {"HOME=" + home.path().string(), "PATH=/usr/bin:/bin",
                                      "DISPLAY=" + screen.display(), "QT_QPA_PLATFORM=xcb"});
    }

    /// Waits until the window has the keyboard and shows tiles; false if it takes too long.
    bool isReady(const std::string& title = "HeadScope")
    {
        return screen.focusWindow(title) && eventually([this] { return showsTiles(); });
    }

    void typePrompt()
    {
        screen.press("ctrl+l");
        screen.press("ctrl+a");
        screen.type(kParkPrompt);
        screen.press("Return");
    }

    /// Saves under a name typed into the dialog; returns whether the file appears.
    bool saveAs(const std::filesystem::path& file)
    {
        screen.press("ctrl+s");
        if (!screen.focusWindow("Save session"))
            return false;
        screen.press("ctrl+a");
        screen.type(file.string());
        screen.press("Return");
        return eventually([&] { return stored(file).is_object(); });
    }

    /// Whether tiles are drawn: a full weight is darker than anything else that is blue.
    bool showsTiles() const
    {
        const std::vector<std::uint32_t> pixels = screen.pixels();
        const auto dark = std::count_if(pixels.begin(), pixels.end(), [](std::uint32_t pixel) {
            const std::uint32_t red = pixel >> 16, green = pixel >> 8 & 255, blue = pixel & 255;
            return red < 40 && green < 80 && blue > 80 && blue < 140;
        });
        return dark > 1000;
    }

    bool changes(const std::vector<std::uint32_t>& before) const
    {
        return eventually([&] { return screen.pixels() != before; });
    }

    TempDir home;
    VirtualScreen screen{1280, 800};
};

std::size_t ablationsIn(const Json& session)
{
    return session["left"]["ablations"].size() + session["right"]["ablations"].size();
}

}  // namespace

TEST_CASE("a researcher's round in the real window: prompt, hover, ablate, undo, save, quit, reopen")
{
    if (!VirtualScreen::isAvailable())
        skipTest("needs Xvfb and xdotool");
    Desktop desktop;
    VirtualScreen& screen = desktop.screen;
    const std::filesystem::path file = desktop.home / "study.headscope";

    RunningProgram first = desktop.open();
    REQUIRE(desktop.isReady());
    desktop.typePrompt();

    std::vector<std::uint32_t> before = screen.pixels();
    screen.moveMouse(200, 330);
    CHECK(desktop.changes(before));

    screen.press("ctrl+g");
    screen.press("Right");
    before = screen.pixels();
    screen.press("space");
    CHECK(desktop.changes(before));
    screen.press("Down");
    screen.press("space");
    screen.press("ctrl+z");

    REQUIRE(desktop.saveAs(file));
    const Json saved = stored(file);
    CHECK(saved["prompt"] == kParkPrompt);
    CHECK(ablationsIn(saved) == 1);
    CHECK_FALSE(saved["left"]["model"]["fingerprint"].get<std::string>().empty());

    REQUIRE(screen.focusWindow("study.headscope"));
    screen.press("ctrl+q");
    CHECK(first.exitCode() == 0);

    RunningProgram second = desktop.open({file.string()});
    REQUIRE(desktop.isReady("study.headscope"));
    std::filesystem::remove(file);
    screen.press("ctrl+s");
    REQUIRE(eventually([&] { return stored(file).is_object(); }));
    for (const char* const part : {"prompt", "left", "right", "look", "arrangement"})
        CHECK(stored(file)[part] == saved[part]);
    screen.press("ctrl+q");
    CHECK(second.exitCode() == 0);
}

TEST_CASE("work that was killed is offered again at the next start")
{
    if (!VirtualScreen::isAvailable())
        skipTest("needs Xvfb and xdotool");
    Desktop desktop;
    VirtualScreen& screen = desktop.screen;
    const auto recoveryFiles = [&] {
        long count = 0;
        const std::filesystem::path share = desktop.home / ".local/share";
        if (std::filesystem::exists(share))
            for (const auto& entry : std::filesystem::recursive_directory_iterator(share))
                count += entry.path().extension() == ".headscope" &&
                         stored(entry.path()).dump().find("Lucy") != std::string::npos;
        return count;
    };
    {
        RunningProgram program = desktop.open();
        REQUIRE(desktop.isReady());
        desktop.typePrompt();
        REQUIRE(eventually([&] { return recoveryFiles() > 0; }));
        program.kill();
    }
    RunningProgram again = desktop.open();
    REQUIRE(desktop.isReady());
    screen.press("ctrl+shift+r");
    const std::filesystem::path file = desktop.home / "recovered.headscope";
    REQUIRE(desktop.saveAs(file));
    CHECK(stored(file)["prompt"] == kParkPrompt);
}
