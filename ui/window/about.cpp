#include "window/about.h"

#include "base/text_format.h"
#include "control/explorer/explorer.h"
#include "render/translate.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMessageBox>
#include <QSysInfo>

namespace hs::window {

void showAbout(QWidget* parent)
{
    QMessageBox::about(parent, tr("About HeadScope"),
                       QStringLiteral("<h3>HeadScope %1</h3><p>%2</p><p>%3</p>")
                           .arg(QStringLiteral(HS_VERSION),
                                tr("An explorer for the attention heads of transformer language models."),
                                tr("Free software under the GNU General Public License, version 3 or later. "
                                   "Built with Qt, libtorch, QCustomPlot and qpdf.")));
}

QString systemInformation(const control::Explorer& explorer)
{
    QStringList lines = {
        QStringLiteral("HeadScope %1").arg(QStringLiteral(HS_VERSION)),
        QStringLiteral("Qt %1").arg(QString::fromLatin1(qVersion())),
        QStringLiteral("%1, %2").arg(QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture()),
        QStringLiteral("Platform %1").arg(QGuiApplication::platformName())};
    for (const Side side : kSides)
        if (const auto& model = explorer.state(side).model)
            lines << QStringLiteral("%1: %2 layers × %3 heads, %4 of weights on %5, %6")
                         .arg(QString::fromStdString(model->title))
                         .arg(model->heads.layers)
                         .arg(model->heads.heads)
                         .arg(QString::fromStdString(formatBytes(model->weightBytes)),
                              QString::fromStdString(model->device),
                              QString::fromStdString(model->precision));
    return lines.join(QLatin1Char('\n'));
}

void copySystemInformation(const control::Explorer& explorer)
{
    QGuiApplication::clipboard()->setText(systemInformation(explorer));
}

}  // namespace hs::window
