#include "render/font_check.h"

#include "render/translate.h"

#include <QFont>
#include <QGuiApplication>
#include <QRawFont>

namespace hs::render {
namespace {

/// Qt names families without one, and draws boxes in their place; only a font that came from a file has tables.
bool hasFont()
{
    return !QRawFont::fromFont(QGuiApplication::font()).fontTable("head").isEmpty();
}

}  // namespace

QString fontProblem()
{
    if (hasFont())
        return {};
    return tr("Text cannot be drawn: no fonts are installed. Install some, such as "
              "Debian's fonts-dejavu-core.");
}

}  // namespace hs::render
