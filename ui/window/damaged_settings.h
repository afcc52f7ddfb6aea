#pragma once

#include <QString>

class QSettings;

namespace hs::window {

/// Keeps a copy of a settings file that cannot be read as a whole, before it is written again, and says
/// so in a sentence; empty while there is nothing wrong with it.
QString keepDamagedSettings(const QSettings& settings);

}  // namespace hs::window
