#include "window/damaged_settings.h"

#include "render/translate.h"

#include <QFile>
#include <QSettings>

namespace hs::window {

QString keepDamagedSettings(const QSettings& settings)
{
    if (settings.status() != QSettings::FormatError)
        return {};
    const QString copy = settings.fileName() + QStringLiteral(".damaged");
    QFile::remove(copy);
    QFile::copy(settings.fileName(), copy);
    return tr("The settings in %1 are damaged; what could not be read is as at the "
              "first start. The damaged file is kept as %2.")
        .arg(settings.fileName(), copy);
}

}  // namespace hs::window
