#include "window/shortcut_sheet.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace hs::window {
namespace {

QString row(const QString& keys, const QString& meaning)
{
    return QStringLiteral(
               "<tr><td style='padding:2px 24px 2px 0'><b>%1</b></td><td style='padding:2px 0'>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), meaning.toHtmlEscaped());
}

QString section(const QString& title, const QString& rows)
{
    return rows.isEmpty() ? QString()
                          : QStringLiteral("<h3>%1</h3><table>%2</table>").arg(title.toHtmlEscaped(), rows);
}

QString plain(QString text)
{
    return text.remove(QLatin1Char('&')).remove(QChar(0x2026));
}

QString rowsOf(const QMenu& menu)
{
    QString rows;
    for (const QAction* const action : menu.actions()) {
        if (action->menu())
            rows += rowsOf(*action->menu());
        else if (!action->shortcut().isEmpty())
            rows += row(action->shortcut().toString(QKeySequence::NativeText), plain(action->text()));
    }
    return rows;
}

QString gridRows()
{
    return row(ShortcutSheet::tr("Click"), ShortcutSheet::tr("Ablate the head, or restore it")) +
           row(ShortcutSheet::tr("Ctrl+Click"),
               ShortcutSheet::tr("Add the head to the selection, or take it out")) +
           row(ShortcutSheet::tr("Shift+Click"),
               ShortcutSheet::tr("Cut a cell of a large tile, or restore it")) +
           row(ShortcutSheet::tr("Drag"), ShortcutSheet::tr("Select with a rubber band")) +
           row(ShortcutSheet::tr("Double click, Enter"),
               ShortcutSheet::tr("Open the head in the inspector")) +
           row(ShortcutSheet::tr("Wheel, pinch"), ShortcutSheet::tr("Zoom at the pointer")) +
           row(ShortcutSheet::tr("Middle drag, Alt+Drag"), ShortcutSheet::tr("Move the view")) +
           row(ShortcutSheet::tr("Arrows"), ShortcutSheet::tr("Go from head to head")) +
           row(ShortcutSheet::tr("Space"), ShortcutSheet::tr("Ablate the current head, or restore it")) +
           row(ShortcutSheet::tr("+  −  0  1"), ShortcutSheet::tr("Zoom in, out, to fit, to full size")) +
           row(ShortcutSheet::tr("L  B  S"),
               ShortcutSheet::tr("Zoom to the layer, the block of layers, the selection")) +
           row(ShortcutSheet::tr("Hold F"), ShortcutSheet::tr("See the other model's same heads")) +
           row(ShortcutSheet::tr("P"), ShortcutSheet::tr("Pin the cell under the pointer")) +
           row(ShortcutSheet::tr("Escape"),
               ShortcutSheet::tr("Release pins and the selection; after that, stop a run that takes long"));
}

QString stripRows()
{
    return row(ShortcutSheet::tr("Click"), ShortcutSheet::tr("Pin the token as key; the next one as query")) +
           row(ShortcutSheet::tr("K, Q"), ShortcutSheet::tr("Pin the current token as key, as query")) +
           row(ShortcutSheet::tr("P, double click"),
               ShortcutSheet::tr("Read the predictions at this token")) +
           row(ShortcutSheet::tr("Left, Right"), ShortcutSheet::tr("Go from token to token"));
}

QString composerRows()
{
    return row(ShortcutSheet::tr("Ctrl+Wheel"), ShortcutSheet::tr("Zoom the preview at the pointer")) +
           row(ShortcutSheet::tr("Drag"), ShortcutSheet::tr("Move the page")) +
           row(ShortcutSheet::tr("0  1  2  4"),
               ShortcutSheet::tr("Fit the page, or show it at 100 %, 200 %, 400 % of its true size")) +
           row(ShortcutSheet::tr("Alt+Up, Alt+Down"),
               ShortcutSheet::tr("Move the chosen heads in their order")) +
           row(ShortcutSheet::tr("Delete"), ShortcutSheet::tr("Take the chosen heads out of the list")) +
           row(ShortcutSheet::tr("Ctrl+E"), ShortcutSheet::tr("Export the figure")) +
           row(ShortcutSheet::tr("Ctrl+Shift+C"), ShortcutSheet::tr("Copy the figure as an image"));
}

}  // namespace

ShortcutSheet::ShortcutSheet(const QMainWindow& window, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Keys and gestures"));
    QString text = section(tr("Grids"), gridRows()) + section(tr("Token strip"), stripRows()) +
                   section(tr("Figure composer"), composerRows());
    for (const QAction* const action : window.findChild<QMenuBar*>()->actions())
        if (action->menu())
            text += section(plain(action->text()), rowsOf(*action->menu()));
    auto* const sheet = new QTextBrowser;
    sheet->setObjectName(QStringLiteral("shortcuts"));
    sheet->setAccessibleName(windowTitle());
    sheet->setHtml(text);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* const column = new QVBoxLayout(this);
    column->addWidget(sheet);
    column->addWidget(buttons);
    resize(560, 640);
}

}  // namespace hs::window
