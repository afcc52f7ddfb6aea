#pragma once

#include "control/document/preferences.h"
#include "control/session/session.h"
#include "window/setup.h"

#include <QMainWindow>

#include <map>

class QDockWidget;

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

namespace hs::window {

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

    control::ViewState viewState() const;
    void applyView(const control::ViewState& view);
    /// Shows a head in the inspector.
    void openHead(HeadId head);
    /// Raises an analysis' panel above the others.
    void showAnalysis(control::AnalysisKind kind);
    void startAnalysis(control::AnalysisKind kind);
    /// The window in which the document's figure is composed.
    composer::FigureComposer& openComposer();
    /// The guide, opened at a page.
    guide::Window& openGuide(const QString& page);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct AnalysisDock {
        QDockWidget* dock = nullptr;
        QAction* show = nullptr;
    };

    void composeCentre();
    void composeDocks();
    QDockWidget* addDock(const QString& title, const QString& name, QWidget* panel, Qt::DockWidgetArea area);
    void addAnalyses(QDockWidget* before);
    void composeMenus();
    void composeFileMenu();
    void composeEditMenu();
    void composeViewMenu();
    void composeModelMenu();
    void composeAnalysisMenu();
    void composeHelpMenu();
    void composeToolBar();
    /// A menu that is also in the tool bar: one set of actions, one set of shortcuts.
    QMenu* addSharedMenu(QMenu* parent, const QString& title, void (*fill)(QMenu&, DocumentChoices&));
    void showGridMenu(QPoint where);
    void connectParts();
    void restoreLayout();
    void resetLayout();
    void askForPreferences();
    void setTheme(control::Preferences::Theme theme);
    void restoreDocks(const QByteArray& state);
    void focusGrids();
    void storePreferences();
    void refreshTitle();
    void refreshRecent();
    control::Side sideAt(QPoint position) const;  // in window coordinates

    std::unique_ptr<QSettings> m_settings;
    std::string m_device;           // for this start only; empty: as in the preferences
    QStringList m_downloaded;       // models of the download cache
    control::Document m_fresh;      // what "New" starts with
    control::Explorer* m_explorer;  // this and the following are owned by the window
    DocumentChoices* m_choices;
    MessageBar* m_messages = nullptr;
    grid::HeadGrids* m_grids = nullptr;
    SessionKeeper* m_keeper = nullptr;
    FileCommands* m_files = nullptr;
    HeadActions* m_headActions = nullptr;
    std::array<ModelMenu*, 2> m_modelMenus = {};  // [Side]
    panels::PromptPanel* m_prompt = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    QList<QDockWidget*> m_docks;
    std::map<control::AnalysisKind, AnalysisDock> m_analyses;
    QList<QMenu*> m_sharedMenus;
    QByteArray m_defaultState;
    std::unique_ptr<composer::FigureComposer> m_composer;  // null until it is opened
    std::unique_ptr<guide::Window> m_guide;                // likewise
};

}  // namespace hs::window
