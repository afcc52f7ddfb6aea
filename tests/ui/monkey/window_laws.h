#pragma once

#include "window/main_window.h"

#include <QString>

namespace hs::test {

/// What the window shows that its document does not say, in a sentence; empty while all is well.
/// Holds at every moment.
QString brokenLaw(window::MainWindow& window);

/// The same of what follows the document after a while: runs, and fields that wait for a pause in
/// typing. Holds whenever the window is at rest.
QString brokenLawAtRest(window::MainWindow& window);

}  // namespace hs::test
