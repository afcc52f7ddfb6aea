#pragma once

#include <QByteArray>
#include <QString>

namespace hs::control {

/// The content of a file compiled in from resources/, by its name there.
QByteArray readShippedFile(const QString& name);

}  // namespace hs::control
