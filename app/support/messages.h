#pragma once

#include <functional>
#include <stop_token>
#include <string>

namespace hs::app {

/// Messages for people go to standard error; standard output is for data.
void say(const std::string& sentence);

/// Does the program's work; 1 and a sentence if it fails, unless the error has none. HEADSCOPE_DEBUG in the environment
/// adds the detail.
int exitStatusOf(const std::function<void()>& work);

/// From now on only errors are said: of several workers that do the same, one speaks.
void sayOnlyErrors();
bool saysOnlyErrors();

/// Stops at Ctrl-C or SIGTERM: the first one asks running work to end, the second ends the program.
std::stop_token interruptToken();

/// Set in the environment of a command that somebody watches from another machine.
inline constexpr const char* kWatched = "HEADSCOPE_TERMINAL";

/// A line that counts up on a terminal, here or there, and is wiped when done; silent elsewhere, and for work that
/// finishes quickly.
class ProgressLine {
public:
    explicit ProgressLine(std::string what);
    ~ProgressLine();

    std::function<void(int done, int total)> callback();

private:
    void show(int done, int total);

    std::string m_what;
    double m_start = 0;
    bool m_isShown = false;
};

}  // namespace hs::app
