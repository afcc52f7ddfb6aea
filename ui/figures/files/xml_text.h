#pragma once

#include <QByteArray>
#include <QString>

namespace hs::figures {

/// A text between tags or in a quoted attribute, UTF-8; what XML cannot hold becomes U+FFFD.
QByteArray xmlText(const QString& text);

/// JSON between tags, such that reading gives the same bytes back. Characters that XML cannot hold
/// stand inside of JSON strings alone and become \uXXXX, which is the same JSON.
QByteArray xmlJson(const std::string& json);

}  // namespace hs::figures
