#pragma once

#include <chrono>
#include <functional>

namespace hs::window {
class MainWindow;
}

namespace hs::app {

/// Drives a window from a command: processes events until a condition holds. Throws Failure if that takes
/// longer than the limit.
void waitUntil(const std::function<bool()>& holds, std::chrono::seconds limit = std::chrono::minutes(5));

/// Whether both sides show what the document asks for, or why they do not, and have drawn it.
bool showsDocument(window::MainWindow& window);

/// Waits until both sides show what the document asks for and all other threads are idle.
void waitUntilSettled(window::MainWindow& window);

}  // namespace hs::app
