#include "control/analyses/analysis_runs.h"
#include "control/explorer/explorer.h"
#include "panels/heads/edges_panel.h"
#include "panels/heads/head_toggles_panel.h"
#include "panels/inspector/inspector_panel.h"
#include "panels/metrics/metrics_panel.h"
#include "panels/prompt/predictions_panel.h"
#include "window/analysis_panels.h"
#include "window/dock_tabs.h"
#include "window/main_window.h"

#include <QAction>
#include <QDockWidget>
#include <QMenu>

namespace hs::window {

QDockWidget* MainWindow::addDock(const QString& title, const QString& name, QWidget* panel,
                                 Qt::DockWidgetArea area, const QKeySequence& shortcut)
{
    auto* const dock = new QDockWidget(QString(title).remove(QLatin1Char('&')), this);
    dock->setObjectName(name);
    dock->setWidget(panel);
    addDockWidget(area, dock);
    m_tabs->add(dock, title, shortcut);
    return dock;
}

void MainWindow::composeDocks()
{
    control::Explorer& explorer = *m_explorer;
    m_tabs = new DockTabs(*this);
    auto* const metrics = new panels::MetricsPanel(explorer);
    m_inspectorDock = addDock(tr("&Inspector"), QStringLiteral("inspectorDock"),
                              new panels::InspectorPanel(explorer), Qt::RightDockWidgetArea);
    addDock(tr("&Predictions"), QStringLiteral("predictionsDock"), new panels::PredictionsPanel(explorer),
            Qt::RightDockWidgetArea);
    addDock(tr("&Metrics"), QStringLiteral("metricsDock"), metrics, Qt::BottomDockWidgetArea);
    addDock(tr("&Heads"), QStringLiteral("headsDock"), new panels::HeadTogglesPanel(explorer),
            Qt::BottomDockWidgetArea);
    addDock(tr("&Edges"), QStringLiteral("edgesDock"), new panels::EdgesPanel(explorer),
            Qt::BottomDockWidgetArea);
    for (const AnalysisPanel& part : newAnalysisPanels(explorer, [this] { openComposer(); }))
        m_analyses[part.kind] =
            addDock(part.title, part.dockName, part.panel, Qt::BottomDockWidgetArea, part.shortcut);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    connect(metrics, &panels::MetricsPanel::openRequested, this, &MainWindow::openHead);
    connect(m_tabs, &DockTabs::focusLeft, this, &MainWindow::focusGrids);
}

/// For a right click on a dock's title.
QMenu* MainWindow::createPopupMenu()
{
    auto* const menu = new QMenu(this);
    menu->addActions(m_tabs->actions());
    return menu;
}

void MainWindow::unfold(const QString& dock)
{
    m_tabs->unfold(*findChild<QDockWidget*>(dock));
}

void MainWindow::startAnalysis(service::AnalysisKind kind)
{
    m_tabs->unfold(*m_analyses.at(kind));
    m_explorer->analyses().start(kind);
}

}  // namespace hs::window
