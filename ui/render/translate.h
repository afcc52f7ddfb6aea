#pragma once

#include <QCoreApplication>

namespace hs::render {

/// A text of the program in the user's language, for code outside of QObjects, which have a `tr` of their
/// own. In `hs` itself, so that every folder says `tr`; texts in tables are marked with
/// QT_TRANSLATE_NOOP("HeadScope", …).
inline QString tr(const char* text)
{
    return QCoreApplication::translate("HeadScope", text);
}

}  // namespace hs::render
