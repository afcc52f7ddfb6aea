#include "control/session/session_file.h"

#include "base/failure.h"
#include "render/translate.h"

#include <QFile>
#include <QFileInfo>

namespace hs::control {
namespace {

constexpr qint64 kMostBytes = qint64{64} << 20;

}  // namespace

std::string readSessionText(const std::filesystem::path& file)
{
    const QString name = QString::fromStdString(file.string());
    const QFileInfo info(name);
    if (info.exists() && !info.isFile())  // opening a pipe would wait for ever
        fail(ErrorCode::BadFile,
             tr("%1 is not a plain file; give the path of a session.").arg(name).toStdString());
    QFile source(name);
    if (!source.open(QIODevice::ReadOnly))
        fail(info.exists() ? ErrorCode::BadFile : ErrorCode::NotFound,
             tr("%1 cannot be opened (%2); check the path and its permissions.")
                 .arg(name, source.errorString())
                 .toStdString());
    const QByteArray text = source.read(kMostBytes + 1);
    if (text.size() > kMostBytes)
        fail(ErrorCode::TooLarge,
             tr("%1 is too large for a session; open another file.").arg(name).toStdString());
    return text.toStdString();
}

}  // namespace hs::control
