#pragma once

#include <QByteArray>
#include <QString>

namespace hs {

/// The content of a file that is compiled in from resources/, by its name there.
QByteArray readPanelResource(const QString& name);

}  // namespace hs
