#pragma once

#include "control/document/preferences.h"
#include "control/session/session.h"
#include "window/setup.h"

#include <QMainWindow>

#include <map>

class QDockWidget;
class QMenuBar;
class QToolBar;

namespace hs::composer {
class FigureComposer;
}

namespace hs::control {
class Explorer;
}

namespace hs::grid {
class HeadGrids;
}

namespace hs::guide {
class Window;
}

namespace hs::panels {
class PromptPanel;
}

namespace hs::start {
class StartPage;
class Tour;
}  // namespace hs::start

namespace hs::window {

class DockStates;
class DockTabs;
class DocumentChoices;
class FileCommands;
class HeadActions;
class MessageBar;
class ModelMenu;
class SessionKeeper;

/// The window: composes grids, panels, menus and status line around one Explorer, and only connects them.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Setup setup, QWidget* parent = nullptr);
    ~MainWindow() override;

    control::Explorer& explorer() { return *m_explorer; }
    grid::HeadGrids& grids() { return *m_grids; }
    FileCommands& files() { return *m_files; }
    MessageBar& messages() { return *m_messages; }
    DockTabs& tabs() { return *m_tabs; }
    DockStates& docks() { return *m_docks; }
    start::StartPage& startPage() { return *m_startPage; }
    start::Tour& tour() { return *m_tour; }

    control::ViewState viewState() const;
    void applyView(const control::ViewState& view);
    /// Shows a head in the inspector.
    void openHead(HeadId head);
    /// Unfolds the dock of that name.
    void unfold(const QString& dock);
    /// Unfolds the analysis' dock and starts it.
    void startAnalysis(service::AnalysisKind kind);
    /// The window in which the document's figure is composed.
    composer::FigureComposer& openComposer();
    /// The guide, opened at a page.
    guide::Window& openGuide(const QString& page);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    QMenu* createPopupMenu() override;

private:
    void composeHead();
    void composeCentre();
    void composeDocks();
    QDockWidget* addDock(const QString& title, const QString& name, QWidget* panel, Qt::DockWidgetArea area,
                         const QKeySequence& shortcut = {});
    void composeMenus();
    void composeFileMenu();
    void composeEditMenu();
    void composeViewMenu();
    void composeModelMenu();
    void composeAnalysisMenu();
    void composeHelpMenu();
    void composeArrangements(QMenu* parent);
    void composeToolBar();
    void composeStatusBar();
    /// A menu that is also in the tool bar: one set of actions, one set of shortcuts.
    QMenu* addSharedMenu(QMenu* parent, const QString& title, void (*fill)(QMenu&, DocumentChoices&));
    void showGridMenu(QPoint where);
    void composeStart(start::FindModels find);
    void offerTour();
    void askForFarModel(Side side);
    void connectParts();
    void restoreLayout();
    void askForPreferences();
    void setTheme(control::Preferences::Theme theme);
    void focusGrids();
    void focusPrompt();
    void storePreferences();
    void refreshTitle();
    void refreshRecent();
    Side sideAt(QPoint position) const;  // in window coordinates

    std::unique_ptr<QSettings> m_settings;
    std::shared_ptr<service::Machines> m_machines;  // null: none can be reached
    std::string m_device;                           // for this start only; empty: as in the preferences
    control::Document m_fresh;                      // what "New" starts with
    control::Explorer* m_explorer;                  // this and the following are owned by the window
    DocumentChoices* m_choices;
    QWidget* m_head = nullptr;  // menus, tool bar and prompt
    QMenuBar* m_menus = nullptr;
    QToolBar* m_gridBar = nullptr;
    MessageBar* m_messages = nullptr;
    grid::HeadGrids* m_grids = nullptr;
    start::StartPage* m_startPage = nullptr;
    start::Tour* m_tour = nullptr;
    SessionKeeper* m_keeper = nullptr;
    FileCommands* m_files = nullptr;
    HeadActions* m_headActions = nullptr;
    std::array<ModelMenu*, 2> m_modelMenus = {};  // [Side]
    panels::PromptPanel* m_prompt = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    std::map<service::AnalysisKind, QDockWidget*> m_analyses;
    DockTabs* m_tabs = nullptr;
    DockStates* m_docks = nullptr;
    QAction* m_alone = nullptr;  // shows the grids alone
    QList<QMenu*> m_sharedMenus;
    QByteArray m_defaultState;
    std::unique_ptr<composer::FigureComposer> m_composer;  // null until it is opened
    std::unique_ptr<guide::Window> m_guide;                // likewise
};

}  // namespace hs::window
