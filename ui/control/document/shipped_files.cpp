#include "control/document/shipped_files.h"

#include <QFile>

/// Outside any namespace, as the macro requires; without it a static library's resources are not found.
static void registerResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace hs::control {

QByteArray readShippedFile(const QString& name)
{
    registerResources();
    QFile file(QStringLiteral(":/headscope/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace hs::control
