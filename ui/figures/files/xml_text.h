#pragma once

#include <QByteArray>
#include <QString>

namespace hs::figures {

/// A text for use between tags or in a quoted attribute, UTF-8; what XML cannot hold becomes U+FFFD.
QByteArray xmlText(const QString& text);

/// JSON for use between tags, read back byte for byte, except that characters XML cannot hold become
/// \uXXXX; they occur only inside JSON strings, so it is the same JSON.
QByteArray xmlJson(const std::string& json);

}  // namespace hs::figures
