#pragma once

#include <QString>

class QSettings;

namespace hs::window {

/// Copies a settings file that cannot be read completely, before it is overwritten, and returns a sentence
/// about it; empty while the file is sound.
QString keepDamagedSettings(const QSettings& settings);

}  // namespace hs::window
