#pragma once

#include "support/temp_dir.h"

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hs::test {

/// A screen that nobody sees (Xvfb) with a keyboard and a mouse (xdotool).
class VirtualScreen {
public:
    /// Whether the programs it needs are installed.
    static bool isAvailable();

    VirtualScreen(int width, int height);
    ~VirtualScreen();
    VirtualScreen(const VirtualScreen&) = delete;
    VirtualScreen& operator=(const VirtualScreen&) = delete;

    std::string display() const { return m_display; }

    /// The screen's pixels as 0xRRGGBB, row after row.
    std::vector<std::uint32_t> pixels() const;

    /// Gives the keyboard to the window whose title contains `title`, once it appears.
    bool focusWindow(const std::string& title);
    void press(const std::string& keys);  // "ctrl+z", "Return"
    void type(const std::string& text);
    void moveMouse(int x, int y);

private:
    int xdotool(const std::vector<std::string>& arguments);

    TempDir m_folder;
    pid_t m_server = 0;
    std::string m_display;
};

/// Polls until the condition holds; false after half a minute.
bool eventually(const std::function<bool()>& holds);

/// A started program; killed if it is still running at the end.
class RunningProgram {
public:
    RunningProgram(const std::vector<std::string>& words, const std::vector<std::string>& environment);
    ~RunningProgram();

    /// Its exit code once it has ended by itself (128 + signal if it was killed); -1 after half a minute.
    int exitCode();
    void kill();

private:
    pid_t m_process = 0;
};

}  // namespace hs::test
