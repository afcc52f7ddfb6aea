#include "render/font_check.h"

#include <QCoreApplication>
#include <QFontDatabase>

namespace hs {

QString fontProblem()
{
    if (!QFontDatabase::families().isEmpty())
        return {};
    return QCoreApplication::translate("hs::FontCheck",
                                       "Text cannot be drawn: no fonts are installed. Install some, such as "
                                       "Debian's fonts-dejavu-core.");
}

}  // namespace hs
