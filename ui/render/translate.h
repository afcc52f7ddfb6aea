#pragma once

#include <QCoreApplication>

namespace hs {

/// A text of the program in the user's language, for code outside QObjects, which have a `tr` of their
/// own. Texts in tables are marked with QT_TRANSLATE_NOOP("HeadScope", …).
inline QString tr(const char* text)
{
    return QCoreApplication::translate("HeadScope", text);
}

}  // namespace hs
