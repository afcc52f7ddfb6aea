#include "composer/figure_composer.h"
#include "control/analyses/analysis_runs.h"
#include "control/explorer/explorer.h"
#include "control/figures/figure_maker.h"
#include "control/session/recent_models.h"
#include "grid/head_grids.h"
#include "guide/window.h"
#include "panels/prompt/prompt_panel.h"
#include "start/start_page.h"
#include "start/tour.h"
#include "window/about.h"
#include "window/dock_states.h"
#include "window/dock_tabs.h"
#include "window/document_choices.h"
#include "window/file_commands.h"
#include "window/head_actions.h"
#include "window/layout_dialog.h"
#include "window/main_window.h"
#include "window/message_bar.h"
#include "window/model_menu.h"
#include "window/preferences_dialog.h"
#include "window/shortcut_sheet.h"
#include "window/theme.h"
#include "window/view_menu.h"
#include "window/window_arrangements.h"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>

#include <algorithm>

namespace hs::window {

void MainWindow::composeMenus()
{
    composeFileMenu();
    composeEditMenu();
    composeViewMenu();
    composeModelMenu();
    composeAnalysisMenu();
    m_headActions->addTo(m_menus->addMenu(tr("&Heads")));
    composeHelpMenu();
    composeToolBar();
    // A menu bar that is hidden with all else around the grids would keep its keys from working.
    for (QAction* const action : findChildren<QAction*>())
        if (!action->shortcut().isEmpty() && action->shortcutContext() == Qt::WindowShortcut)
            addAction(action);
}

QMenu* MainWindow::addSharedMenu(QMenu* parent, const QString& title, void (*fill)(QMenu&, DocumentChoices&))
{
    QMenu* const menu = parent->addMenu(title);
    fill(*menu, *m_choices);
    m_sharedMenus << menu;
    return menu;
}

void MainWindow::composeFileMenu()
{
    QMenu* const menu = m_menus->addMenu(tr("&File"));
    menu->addAction(tr("&New session"), this,
                    [this] {
                        if (m_files->mayLeave())
                            m_files->startNew(m_fresh);
                    })
        ->setShortcut(QKeySequence::New);
    menu->addAction(tr("S&tart page…"), this, [this] { m_startPage->ask(); });
    menu->addAction(tr("Open &session…"), m_files, &FileCommands::askForSession)
        ->setShortcut(tr("Ctrl+Alt+O"));
    menu->addAction(tr("Open attention &maps…"), this,
                    [this] { m_files->askForMaps(m_explorer->activeSide()); })
        ->setShortcut(tr("Ctrl+Alt+M"));
    m_choices->addAct(
        menu, tr("Open &prompts…"), [this](control::Explorer&) { m_files->askForPrompts(); },
        QKeySequence(tr("Ctrl+Alt+P")),
        [](const control::Explorer& explorer) { return explorer.whyNoRun(); });
    menu->addSeparator();
    menu->addAction(tr("&Save session"), m_files, &FileCommands::save)->setShortcut(QKeySequence::Save);
    menu->addAction(tr("Save session &as…"), m_files, &FileCommands::saveAs)->setShortcut(tr("Ctrl+Shift+S"));
    QAction* const recover = menu->addAction(tr("&Recover unsaved work"), m_files, &FileCommands::recover);
    recover->setShortcut(tr("Ctrl+Shift+R"));
    recover->setEnabled(m_files->canRecover());
    connect(m_files, &FileCommands::recoveryChanged, recover,
            [this, recover] { recover->setEnabled(m_files->canRecover()); });
    menu->addSeparator();
    menu->addAction(tr("&Figure…"), this, [this] { openComposer(); })->setShortcut(tr("Ctrl+E"));
    menu->addAction(tr("&Export picture as shown…"), m_files, &FileCommands::askForPicture)
        ->setShortcut(tr("Ctrl+Shift+E"));
    menu->addAction(tr("S&hare as a page…"), m_files, &FileCommands::askForPage);
    menu->addSeparator();
    QAction* const quit = menu->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setShortcut(tr("Ctrl+Q"));
    quit->setMenuRole(QAction::QuitRole);
}

void MainWindow::composeEditMenu()
{
    QMenu* const menu = m_menus->addMenu(tr("&Edit"));
    QUndoStack& history = m_explorer->history();
    QAction* const undo = history.createUndoAction(this, tr("&Undo"));
    QAction* const redo = history.createRedoAction(this, tr("&Redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    menu->addActions({undo, redo});
    menu->addSeparator();
    addSharedMenu(menu, tr("&Ablation"), fillAblationMenu);
    menu->addSeparator();
    QAction* const preferences = menu->addAction(tr("&Preferences…"), this, &MainWindow::askForPreferences);
    preferences->setShortcut(tr("Ctrl+,"));
    preferences->setMenuRole(QAction::PreferencesRole);
}

void MainWindow::composeViewMenu()
{
    QMenu* const menu = m_menus->addMenu(tr("&View"));
    menu->addAction(tr("Zoom &in"), m_grids, &grid::HeadGrids::zoomIn)->setShortcut(QKeySequence::ZoomIn);
    menu->addAction(tr("Zoom &out"), m_grids, &grid::HeadGrids::zoomOut)->setShortcut(QKeySequence::ZoomOut);
    menu->addAction(tr("&Fit"), m_grids, &grid::HeadGrids::fit)->setShortcut(tr("Ctrl+0"));
    menu->addAction(tr("&100 %"), m_grids, &grid::HeadGrids::actualSize)->setShortcut(tr("Ctrl+9"));
    QAction* const linked = menu->addAction(tr("&Link both grids"));
    linked->setObjectName(QStringLiteral("linked"));
    linked->setCheckable(true);
    linked->setChecked(m_grids->isLinked());
    linked->setShortcut(tr("Ctrl+U"));
    connect(linked, &QAction::toggled, this, [this](bool isLinked) {
        m_grids->setLinked(isLinked);
        control::Preferences preferences = m_explorer->preferences();
        preferences.isLinked = isLinked;
        m_explorer->setPreferences(preferences);
    });
    connect(m_grids, &grid::HeadGrids::linkedChanged, linked, &QAction::setChecked);
    menu->addSeparator();
    addSharedMenu(menu, tr("&Grids"), fillArrangementMenu);
    addSharedMenu(menu, tr("La&yout"), fillLayoutMenu)->addAction(tr("&More…"), this, [this] {
        LayoutDialog(*m_explorer, this).exec();
    });
    addSharedMenu(menu, tr("O&rder"), fillOrderMenu);
    addSharedMenu(menu, tr("&Tiles show"), fillValueMenu);
    fillBlockMenu(*menu->addMenu(tr("Cells are o&f")), *m_choices);
    addSharedMenu(menu, tr("Bad&ges"), fillBadgeMenu);
    menu->addSeparator();
    addSharedMenu(menu, tr("&Scale"), fillScaleMenu);
    addSharedMenu(menu, tr("&Colours"), fillColourMenu);
    fillLabelMenu(*menu->addMenu(tr("La&bels")), *m_choices);
    QMenu* const themes = menu->addMenu(tr("&Theme"));
    using Theme = control::Preferences::Theme;
    themes->addAction(tr("As the &desktop"), this, [this] { setTheme(Theme::System); });
    themes->addAction(tr("&Light"), this, [this] { setTheme(Theme::Light); });
    themes->addAction(tr("D&ark"), this, [this] { setTheme(Theme::Dark); });
    menu->addSeparator();
    menu->addAction(tr("Go to the &prompt"), this, &MainWindow::focusPrompt)
        ->setShortcuts({QKeySequence(tr("Ctrl+L")), QKeySequence(tr("Alt+P"))});
    menu->addAction(tr("Go to the g&rids"), this, &MainWindow::focusGrids)->setShortcut(tr("Ctrl+G"));
    menu->addMenu(tr("&Panels"))->addActions(m_tabs->actions());
    composeArrangements(menu);
    m_alone = menu->addAction(tr("Grids &alone"));
    m_alone->setObjectName(QStringLiteral("gridsAlone"));
    m_alone->setCheckable(true);
    m_alone->setShortcut(tr("F9"));
    QAction* const full = menu->addAction(tr("F&ull screen"), this,
                                          [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    full->setShortcut(tr("F11"));
}

void MainWindow::composeModelMenu()
{
    QMenu* const menu = m_menus->addMenu(tr("&Model"));
    for (const Side side : kSides) {
        QMenu* const submenu = menu->addMenu(side == Side::Left ? tr("&Left") : tr("&Right"));
        auto* const part = new ModelMenu(*m_explorer, side, *submenu, *m_choices);
        connect(part, &ModelMenu::openFolderRequested, m_files, &FileCommands::askForModelFolder);
        connect(part, &ModelMenu::openFileRequested, m_files, &FileCommands::askForModelFile);
        connect(part, &ModelMenu::openNameRequested, m_files, &FileCommands::askForModelName);
        m_modelMenus[indexOf(side)] = part;
    }
    menu->addAction(tr("On another &machine…"), this, [this] { askForFarModel(Side::Left); })
        ->setEnabled(m_machines != nullptr);
    menu->addAction(tr("&Swap sides"), m_explorer, &control::Explorer::swapSides)
        ->setShortcut(tr("Ctrl+Shift+X"));
    menu->addAction(tr("&Keep this as the other side"), m_explorer, &control::Explorer::keepAsOtherSide)
        ->setShortcut(tr("Ctrl+Shift+Y"));
    const auto addAlike = [&](const QString& text, bool control::Alike::* link) {
        m_choices->add(
            menu, text, [link](const control::Document& document) { return document.alike.*link; },
            [link](control::Document& document) { document.alike.*link = !(document.alike.*link); });
    };
    menu->addSeparator();
    addAlike(tr("Same &model on both sides"), &control::Alike::model);
    addAlike(tr("Same &prompt on both sides"), &control::Alike::prompt);
    addAlike(tr("Same &ablations on both sides"), &control::Alike::ablations);
    menu->addSeparator();
    menu->addAction(tr("R&un again"), m_explorer, &control::Explorer::rerun)->setShortcut(tr("F5"));
    menu->addAction(tr("&Cancel"), m_explorer, &control::Explorer::cancel)->setShortcut(tr("Ctrl+."));
}

void MainWindow::composeAnalysisMenu()
{
    QMenu* const menu = m_menus->addMenu(tr("&Analysis"));
    menu->setToolTipsVisible(true);
    const auto addStart = [this, menu](const QString& text, service::AnalysisKind kind,
                                       const QKeySequence& shortcut) {
        m_choices->addAct(
            menu, text, [this, kind](control::Explorer&) { startAnalysis(kind); }, shortcut,
            [kind](const control::Explorer& explorer) { return explorer.whyNotPossible(kind); });
    };
    addStart(tr("&Run the sweep"), service::AnalysisKind::Sweep, QKeySequence(tr("F6")));
    addStart(tr("F&ind the circuit"), service::AnalysisKind::Circuit, QKeySequence(tr("F7")));
    control::AnalysisRuns& analyses = m_explorer->analyses();
    QAction* const stop = menu->addAction(tr("St&op"), this, [&analyses] {
        for (const service::AnalysisKind kind :
             {service::AnalysisKind::Sweep, service::AnalysisKind::Circuit, service::AnalysisKind::Prompts})
            analyses.stop(kind);
    });
    stop->setShortcut(tr("Shift+F6"));
    stop->setEnabled(false);
    connect(&analyses, &control::AnalysisRuns::changed, stop, [&analyses, stop] {
        stop->setEnabled(std::any_of(
            service::kAnalyses.begin(), service::kAnalyses.end(), [&analyses](service::AnalysisKind kind) {
                return !control::AnalysisRuns::isLive(kind) && analyses.isRunning(kind);
            }));
    });
    menu->addSeparator();
    for (const auto& [kind, dock] : m_analyses)
        menu->addAction(m_tabs->tabOf(*dock));
}

void MainWindow::showGridMenu(QPoint where)
{
    QMenu menu;
    m_headActions->addTo(&menu);
    menu.addSeparator();
    const QString problem = control::asShownProblem(m_explorer->document());
    menu.setToolTipsVisible(true);
    QAction* const shown =
        menu.addAction(tr("&Figure of what is shown…"), this, [this] { openComposer().takeShown(); });
    QAction* const selected =
        menu.addAction(tr("Fi&gure of the selected heads…"), this, [this] { openComposer().takeSelected(); });
    shown->setEnabled(problem.isEmpty());
    shown->setToolTip(problem);
    selected->setEnabled(problem.isEmpty() && !m_explorer->selection().empty());
    selected->setToolTip(problem);
    menu.exec(where);
}

void MainWindow::composeHelpMenu()
{
    QMenu* const menu = m_menus->addMenu(tr("&Help"));
    const auto addPage = [this, menu](const QString& text, const QString& page) {
        return menu->addAction(text, this, [this, page] { openGuide(page); });
    };
    addPage(tr("&Guide"), QStringLiteral("index.md"))->setShortcut(QKeySequence::HelpContents);
    addPage(tr("Ten-minute &tour"), QStringLiteral("tour.md"));
    menu->addAction(tr("T&our"), this, [this] { m_tour->start(); });
    addPage(tr("What a &message means"), QStringLiteral("troubleshooting.md"));
    menu->addAction(tr("&Keys and gestures"), this, [this] { ShortcutSheet(*this, this).exec(); })
        ->setShortcut(tr("?"));
    menu->addSeparator();
    menu->addAction(tr("Copy &system information"), this, [this] { copySystemInformation(*m_explorer); });
    menu->addSeparator();
    menu->addAction(tr("&About HeadScope"), this, [this] { showAbout(this); })
        ->setMenuRole(QAction::AboutRole);
}

void MainWindow::composeArrangements(QMenu* parent)
{
    const auto arrange = [this](std::initializer_list<const char*> unfolded) {
        m_docks->restore(m_defaultState);
        for (const char* const dock : unfolded)
            unfold(QString::fromLatin1(dock));
    };
    const std::vector<WindowArrangements::Fixed> fixed = {
        {tr("&Browse"), [arrange] { arrange({}); }},
        {tr("&Circuit"), [arrange] { arrange({"inspectorDock", "circuitDock"}); }},
        {tr("&Figure"),
         [this, arrange] {
             arrange({"metricsDock"});
             openComposer();
         }},
    };
    const auto restore = [this](const QByteArray& state) {
        if (!m_docks->restore(state))
            m_messages->show({control::Message::Kind::Note,
                              tr("This arrangement was saved by another version of HeadScope. Arrange the "
                                 "window and save it again."),
                              {}});
    };
    QMenu* const menu = parent->addMenu(tr("&Window arrangement"));
    new WindowArrangements(*m_settings, *menu, fixed, {[this] { return m_docks->save(); }, restore});
    menu->menuAction()->setIconText(tr("Window"));
    m_sharedMenus << menu;
}

void MainWindow::refreshRecent()
{
    control::RecentModels recent(*m_settings);
    for (const Side side : kSides)
        if (const auto& model = m_explorer->state(side).model)
            recent.add(QString::fromStdString(model->request.source));
    QStringList sources = recent.list() + m_startPage->downloaded();
    sources.removeDuplicates();
    for (ModelMenu* const menu : m_modelMenus)
        menu->setRecent(sources);
}

void MainWindow::askForPreferences()
{
    PreferencesDialog dialog(m_explorer->preferences(), this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_explorer->setPreferences(dialog.preferences());
    setTheme(dialog.preferences().theme);
}

void MainWindow::setTheme(control::Preferences::Theme theme)
{
    control::Preferences preferences = m_explorer->preferences();
    preferences.theme = theme;
    m_explorer->setPreferences(preferences);
    applyTheme(*qobject_cast<QApplication*>(QCoreApplication::instance()), theme);
}

}  // namespace hs::window
