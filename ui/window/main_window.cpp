#include "window/main_window.h"

#include "composer/figure_composer.h"
#include "control/explorer/explorer.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "guide/window.h"
#include "panels/prompt/prompt_panel.h"
#include "render/font_check.h"
#include "start/start_page.h"
#include "start/tour.h"
#include "window/damaged_settings.h"
#include "window/dock_states.h"
#include "window/dock_tabs.h"
#include "window/document_choices.h"
#include "window/file_commands.h"
#include "window/head_actions.h"
#include "window/message_bar.h"
#include "window/session_keeper.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QUndoStack>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace hs::window {
namespace {

constexpr QSize kComfortableSize(1440, 900);

/// The local path being dragged if there is exactly one; else empty.
QString pathIn(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

control::Preferences preferencesFor(const QSettings& settings, const std::string& device)
{
    control::Preferences preferences = control::loadPreferences(settings);
    if (!device.empty())
        preferences.device = device;
    return preferences;
}

}  // namespace

MainWindow::MainWindow(Setup setup, QWidget* parent)
    : QMainWindow(parent), m_settings(std::move(setup.settings)), m_machines(std::move(setup.machines)),
      m_device(setup.device), m_fresh(setup.document),
      m_explorer(
          new control::Explorer(std::move(setup.backend), preferencesFor(*m_settings, m_device), this)),
      m_choices(new DocumentChoices(*m_explorer, this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(QIcon(QStringLiteral(":/headscope/icons/headscope.svg")));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setDockNestingEnabled(true);
    composeHead();
    composeCentre();
    composeDocks();
    m_keeper = new SessionKeeper(*m_explorer, [this] { return viewState(); }, setup.recoveryFolder, this);
    m_files = new FileCommands(*m_explorer, *m_keeper, *m_messages, this);
    m_headActions = new HeadActions(*m_explorer, *m_grids, this);
    composeMenus();
    composeStatusBar();
    composeStart(std::move(setup.findModels));
    connectParts();

    resize(kComfortableSize.boundedTo(screen()->availableSize()));
    m_defaultState = m_docks->save();
    restoreLayout();
    m_files->startNew(m_fresh);
    for (const QString& problem : {keepDamagedSettings(*m_settings), render::fontProblem()})
        if (!problem.isEmpty())
            m_messages->show({control::Message::Kind::Warning, problem, {}});
    if (!setup.sessionFile.empty())
        m_files->openSession(setup.sessionFile);
    m_files->offerRecovery(setup.recoveryFolder);
    refreshTitle();
    refreshRecent();
    focusGrids();
    if (setup.offersTour && setup.sessionFile.empty())
        offerTour();
}

MainWindow::~MainWindow()
{
    // What refers to the Explorer and the settings is deleted before them; emptying the history must not
    // notify a half-deleted window.
    m_explorer->history().disconnect(this);
    m_composer.reset();
    const QList<QDockWidget*> docks = m_tabs->docks();
    delete m_tabs;
    qDeleteAll(docks);
    delete takeCentralWidget();
    delete m_head;
    delete m_keeper;
}

void MainWindow::composeCentre()
{
    auto* const centre = new QWidget;
    auto* const column = new QVBoxLayout(centre);
    column->setContentsMargins(4, 2, 4, 0);
    column->setSpacing(4);
    m_messages = new MessageBar;
    m_grids = new grid::HeadGrids(*m_explorer, centre);
    column->addWidget(m_messages);
    column->addWidget(m_grids, 1);
    setCentralWidget(centre);
}

void MainWindow::connectParts()
{
    connect(m_explorer, &control::Explorer::messageRaised, this, [this](const control::Message& message) {
        if (!m_startPage->problem().contains(message.text))  // said there, with what can be opened instead
            m_messages->show(message);
    });
    connect(m_explorer, &control::Explorer::stateChanged, m_messages,
            [this, problems = std::array<QString, 2>()](Side side) mutable {
                const QString& problem = m_explorer->state(side).problem;
                if (const QString before = std::exchange(problems[indexOf(side)], problem); before != problem)
                    m_messages->withdraw(before);
            });
    connect(m_grids, &grid::HeadGrids::openRequested, this, &MainWindow::openHead);
    connect(m_headActions, &HeadActions::openRequested, this, &MainWindow::openHead);
    connect(m_grids, &grid::HeadGrids::contextMenuWanted, this, &MainWindow::showGridMenu);
    // In an event of its own: docks take as long to restore as the document.
    connect(m_files, &FileCommands::viewRestored, this, &MainWindow::applyView, Qt::QueuedConnection);
    connect(m_files, &FileCommands::promptsOpened, this, [this] { unfold(QStringLiteral("promptsDock")); });
    connect(m_keeper, &SessionKeeper::fileChanged, this, &MainWindow::refreshTitle);
    connect(&m_explorer->history(), &QUndoStack::cleanChanged, this, &MainWindow::refreshTitle);
    connect(m_explorer, &control::Explorer::stateChanged, this, &MainWindow::refreshRecent);
    connect(m_explorer, &control::Explorer::preferencesChanged, this, &MainWindow::storePreferences);
}

composer::FigureComposer& MainWindow::openComposer()
{
    if (!m_composer)
        m_composer = std::make_unique<composer::FigureComposer>(*m_explorer);
    m_tour->note(start::Tour::Keep);
    m_composer->show();
    m_composer->raise();
    m_composer->activateWindow();
    return *m_composer;
}

guide::Window& MainWindow::openGuide(const QString& page)
{
    if (!m_guide)
        m_guide = std::make_unique<guide::Window>();
    m_guide->open(page);
    m_guide->show();
    m_guide->raise();
    m_guide->activateWindow();
    return *m_guide;
}

void MainWindow::storePreferences()
{
    control::Preferences preferences = m_explorer->preferences();
    if (preferences.device == m_device)
        preferences.device = control::loadPreferences(*m_settings).device;
    control::savePreferences(preferences, *m_settings);
}

void MainWindow::openHead(HeadId head)
{
    m_explorer->setCurrent(m_explorer->activeSide(), head);
    m_tabs->unfold(*m_inspectorDock);
}

control::ViewState MainWindow::viewState() const
{
    control::ViewState view;
    view.zoom = m_grids->zoom();
    view.isLinked = m_grids->isLinked();
    view.selection = m_explorer->selection();
    view.currentHead = m_explorer->currentHead();
    view.activeSide = m_explorer->activeSide();
    view.windowState = m_docks->save();
    view.geometry = saveGeometry();
    return view;
}

void MainWindow::applyView(const control::ViewState& view)
{
    if (!view.geometry.isEmpty())
        restoreGeometry(view.geometry);
    if (!view.windowState.isEmpty())
        m_docks->restore(view.windowState);
    m_grids->setLinked(view.isLinked);
    m_grids->setZoom(view.zoom);
    m_explorer->setCurrent(view.activeSide, view.currentHead);
    m_explorer->select(view.selection);
    focusGrids();
}

void MainWindow::focusGrids()
{
    const Side side = m_explorer->activeSide();
    if (m_startPage->covers(side))
        m_startPage->setFocus();
    else
        m_grids->grid(side).setFocus();
}

void MainWindow::focusPrompt()
{
    m_docks->setAlone(false);
    m_prompt->focusPrompt();
}

void MainWindow::restoreLayout()
{
    restoreGeometry(m_settings->value(QStringLiteral("window/geometry")).toByteArray());
    m_docks->restore(m_settings->value(QStringLiteral("window/state")).toByteArray());
    m_grids->setLinked(m_explorer->preferences().isLinked);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_files->mayLeave()) {
        event->ignore();
        return;
    }
    m_settings->setValue(QStringLiteral("window/geometry"), saveGeometry());
    m_settings->setValue(QStringLiteral("window/state"), m_docks->save());
    m_settings->sync();
    m_keeper->close();
    if (m_composer)
        m_composer->close();
    if (m_guide)
        m_guide->close();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!pathIn(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_files->openPath(sideAt(event->position().toPoint()), pathIn(*event->mimeData()));
    event->acceptProposedAction();
}

Side MainWindow::sideAt(QPoint position) const
{
    for (const Side side : kSides)
        if (const QWidget& grid = m_grids->grid(side);
            grid.isVisible() && grid.rect().contains(grid.mapFrom(this, position)))
            return side;
    return m_explorer->activeSide();
}

void MainWindow::refreshTitle()
{
    const std::filesystem::path& file = m_keeper->file();
    const QString name = file.empty() ? tr("Untitled") : QString::fromStdString(file.filename().string());
    setWindowTitle(tr("%1[*] — HeadScope").arg(name));
    setWindowModified(m_keeper->isModified());
}

}  // namespace hs::window
