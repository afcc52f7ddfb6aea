#include "app/desktop/application.h"

#include <QCoreApplication>
#include <QGuiApplication>

#include <cstdlib>

namespace hs::app {

bool hasDisplay()
{
    return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY") || std::getenv("QT_QPA_PLATFORM");
}

void drawWithoutDisplay()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
}

void nameApplication()
{
    QCoreApplication::setOrganizationName(QStringLiteral("HeadScope"));
    QCoreApplication::setApplicationName(QStringLiteral("HeadScope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(HS_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.headscope.HeadScope"));
}

}  // namespace hs::app
