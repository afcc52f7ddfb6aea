#include "grid/head_grid_window.h"

#include "grid/head_grid_view.h"

#include <QAction>
#include <QActionGroup>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>

namespace hs {
namespace {

constexpr int kMessageMilliseconds = 8000;

QString windowTitleOf(const GridFigure& figure)
{
    QStringList titles;
    for (const GridPanel& panel : figure.panels)
        titles << panel.title;
    titles.removeAll(QString());
    return titles.isEmpty() ? QStringLiteral("HeadScope")
                            : QStringLiteral("%1 — HeadScope").arg(titles.join(QStringLiteral(" | ")));
}

/// A menu of which exactly one entry is ticked.
class ChoiceMenu {
public:
    explicit ChoiceMenu(QMenu* menu) : m_menu(menu), m_group(new QActionGroup(menu)) {}

    template <class Chosen>
    void add(const QString& text, bool isTicked, const QKeySequence& shortcut, Chosen chosen)
    {
        QAction* action = m_menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(isTicked);
        action->setShortcut(shortcut);
        m_group->addAction(action);
        QObject::connect(action, &QAction::triggered, m_menu, chosen);
    }

private:
    QMenu* m_menu;
    QActionGroup* m_group;
};

}  // namespace

HeadGridWindow::HeadGridWindow(GridFigure figure, QWidget* parent)
    : QMainWindow(parent), m_view(new HeadGridView(std::move(figure), this))
{
    setWindowTitle(windowTitleOf(m_view->figure()));
    setCentralWidget(m_view);
    fillFileMenu();
    fillViewMenu();
}

const GridFigure& HeadGridWindow::figure() const
{
    return m_view->figure();
}

void HeadGridWindow::fillFileMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    QAction* save = menu->addAction(tr("&Save picture…"), this, &HeadGridWindow::savePicture);
    save->setShortcut(QKeySequence::Save);
    menu->addSeparator();
    QAction* quit = menu->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setShortcut(QKeySequence::Quit);
    quit->setMenuRole(QAction::QuitRole);
}

void HeadGridWindow::fillViewMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    ChoiceMenu maps(menu->addMenu(tr("&Colour map")));
    for (const QString& name : ColourMap::names())
        maps.add(name, name == figure().colourMap, {}, [this, name] { m_view->setColourMap(name); });
    ChoiceMenu scales(menu->addMenu(tr("&Scale")));
    const auto addScale = [&](const QString& text, Scale scale, const QKeySequence& shortcut) {
        scales.add(text, figure().scale == scale, shortcut, [this, scale] { m_view->setScale(scale); });
    };
    addScale(tr("&Linear"), Scale::Linear, tr("Ctrl+1"));
    addScale(tr("S&quare root"), Scale::SquareRoot, tr("Ctrl+2"));
}

void HeadGridWindow::savePicture()
{
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Save picture"), QStringLiteral("attention-heads.pdf"),
                                     tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"));
    if (file.isEmpty())
        return;
    const auto written = writeFigure(figure(), QFile::encodeName(file).toStdString());
    if (written)
        statusBar()->showMessage(tr("Saved %1").arg(file), kMessageMilliseconds);
    else
        QMessageBox::warning(this, tr("Save picture"), QString::fromStdString(written.error().message));
}

}  // namespace hs
