#pragma once

#include <QString>

namespace hs::window {

/// A tool tip that shows its text as it is: Qt would take markup in it for its own.
inline QString plainToolTip(const QString& text)
{
    return QStringLiteral("<qt>%1</qt>").arg(text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
}

}  // namespace hs::window
