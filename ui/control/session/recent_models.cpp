#include "control/session/recent_models.h"

#include "model/environment.h"
#include "service/far_source.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace hs::control {
namespace {

constexpr const char* kKey = "recentModels";

/// Equal for the same model, as far as its path shows.
QString tidied(const QString& source)
{
    if (source.startsWith(QLatin1String("demo:")) || service::farSource(source.toStdString()))
        return source;
    const QString path =
        QString::fromStdString(model::Environment::fromProcess().expanded(source.toStdString()).string());
    const bool isPath =
        QDir::isAbsolutePath(path) || path.startsWith(QLatin1Char('.')) || QFileInfo::exists(path);
    return isPath ? QDir::cleanPath(QFileInfo(path).absoluteFilePath()) : source;
}

}  // namespace

QStringList RecentModels::list() const
{
    QStringList models = m_settings.value(kKey).toStringList();
    models.removeAll(QString());
    models.removeDuplicates();
    return models.mid(0, kMost);
}

void RecentModels::add(const QString& source)
{
    const QString model = tidied(source.trimmed());
    if (model.isEmpty())
        return;
    QStringList models = list();
    models.removeAll(model);
    models.prepend(model);
    m_settings.setValue(kKey, models.mid(0, kMost));
}

void RecentModels::remove(const QString& source)
{
    QStringList models = list();
    models.removeAll(tidied(source.trimmed()));
    m_settings.setValue(kKey, models);
}

void RecentModels::clear()
{
    m_settings.remove(kKey);
}

}  // namespace hs::control
