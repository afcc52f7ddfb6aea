#include "grid/head_tooltip.h"

#include <QCoreApplication>

#include <cmath>

namespace hs {
namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("HeadTooltip", text);
}

QString row(const char* name, const QString& value)
{
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>")
        .arg(translated(name), value);
}

QString number(double value)
{
    return std::isnan(value) ? QStringLiteral("–") : QString::number(value, 'f', 3);
}

}  // namespace

QString headTooltip(const GridPanel& panel, HeadId head)
{
    QString name = QString::fromStdString(toString(head));
    if (panel.ablated.contains(head))
        name += translated(" (ablated)");
    const HeadStats& stats = panel.result.statsOf(head);
    return QStringLiteral("<b>%1</b><table>").arg(name) + row("previous token", number(stats.previousToken)) +
           row("current token", number(stats.currentToken)) + row("first token", number(stats.firstToken)) +
           row("duplicate token", number(stats.duplicateToken)) + row("induction", number(stats.induction)) +
           row("entropy (nats)", number(stats.entropy)) + row("peak", number(stats.peak)) +
           row("mean distance", number(stats.meanDistance)) +
           row("active edges", QStringLiteral("%1 %").arg(100 * stats.density, 0, 'f', 2)) +
           QStringLiteral("</table>");
}

}  // namespace hs
