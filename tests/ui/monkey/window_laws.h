#pragma once

#include "window/main_window.h"

#include <QString>

namespace hs::test {

/// Where the window does not show what its document says, in a sentence; empty while all is well. Must hold
/// at every moment.
QString brokenLaw(window::MainWindow& window);

/// As above, for what follows the document after a while: runs, and fields that wait for a pause in typing.
/// Must hold whenever the window is at rest.
QString brokenLawAtRest(window::MainWindow& window);

}  // namespace hs::test
