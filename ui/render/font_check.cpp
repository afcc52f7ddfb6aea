#include "render/font_check.h"

#include "render/translate.h"

#include <QFont>
#include <QGuiApplication>
#include <QRawFont>

namespace hs::render {
namespace {

/// Without fonts Qt still names families and draws boxes; only a font loaded from a file has tables.
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
