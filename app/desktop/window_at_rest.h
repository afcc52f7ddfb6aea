#pragma once

#include <functional>

namespace hs::window {
class MainWindow;
}

namespace hs::app {

/// Drives a window from a command: lets it work until a condition holds. Throws Failure when it
/// takes longer than a minute.
void waitUntil(const std::function<bool()>& holds);

/// Until both sides show what the document asks for and every other thread rests.
void waitUntilSettled(window::MainWindow& window);

}  // namespace hs::app
