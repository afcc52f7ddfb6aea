#pragma once

#include "control/document/preferences.h"

#include <span>

class QWidget;

namespace hs::window {
class MainWindow;
}

namespace hs::app {

/// One picture: what is done to a fresh window on the demo pair before it is taken, and which part is
/// shown.
struct Scene {
    const char* name;
    control::Preferences::Theme theme;
    void (*arrange)(window::MainWindow&);
    QWidget& (*shown)(window::MainWindow&);
};

/// Whole windows, for people who do not know the program.
std::span<const Scene> windowScenes();

/// What the guide talks about, mostly single panels.
std::span<const Scene> guideScenes();

}  // namespace hs::app
