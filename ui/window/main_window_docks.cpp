#include "control/analyses/analysis_runs.h"
#include "control/explorer/explorer.h"
#include "panels/heads/edges_panel.h"
#include "panels/heads/head_toggles_panel.h"
#include "panels/inspector/inspector_panel.h"
#include "panels/metrics/metrics_panel.h"
#include "panels/prompt/predictions_panel.h"
#include "panels/prompt/prompt_panel.h"
#include "window/analysis_panels.h"
#include "window/main_window.h"

#include <QAction>
#include <QDockWidget>

namespace hs::window {
namespace {

constexpr int kLeastPlotHeight = 236;

}  // namespace

QDockWidget* MainWindow::addDock(const QString& title, const QString& name, QWidget* panel,
                                 Qt::DockWidgetArea area)
{
    auto* const dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(panel);
    addDockWidget(area, dock);
    m_docks << dock;
    return dock;
}

void MainWindow::composeDocks()
{
    control::Explorer& explorer = *m_explorer;
    auto* const inspector = new panels::InspectorPanel(explorer);
    auto* const metrics = new panels::MetricsPanel(explorer);
    m_prompt = new panels::PromptPanel(explorer);
    m_prompt->keepHistoryIn(*m_settings);
    addDock(tr("Prompt"), QStringLiteral("promptDock"), m_prompt, Qt::TopDockWidgetArea);
    m_inspectorDock =
        addDock(tr("Inspector"), QStringLiteral("inspectorDock"), inspector, Qt::RightDockWidgetArea);
    addDock(tr("Predictions"), QStringLiteral("predictionsDock"), new panels::PredictionsPanel(explorer),
            Qt::RightDockWidgetArea);
    QDockWidget* const table =
        addDock(tr("Metrics"), QStringLiteral("metricsDock"), metrics, Qt::BottomDockWidgetArea);
    QDockWidget* const toggles = addDock(tr("Heads"), QStringLiteral("headsDock"),
                                         new panels::HeadTogglesPanel(explorer), Qt::BottomDockWidgetArea);
    QDockWidget* const edges = addDock(tr("Edges"), QStringLiteral("edgesDock"),
                                       new panels::EdgesPanel(explorer), Qt::BottomDockWidgetArea);
    tabifyDockWidget(table, toggles);
    tabifyDockWidget(toggles, edges);
    addAnalyses(edges);
    table->raise();
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    resizeDocks({m_inspectorDock, m_docks[2]}, {400, 400}, Qt::Horizontal);
    resizeDocks({m_inspectorDock, m_docks[2]}, {480, 300}, Qt::Vertical);
    resizeDocks({table}, {210}, Qt::Vertical);
    connect(metrics, &panels::MetricsPanel::openRequested, this, &MainWindow::openHead);
}

void MainWindow::addAnalyses(QDockWidget* before)
{
    for (const AnalysisPanel& part : newAnalysisPanels(*m_explorer, [this] { openComposer(); })) {
        QDockWidget* const dock = addDock(QString(part.title).remove(QLatin1Char('&')), part.dockName,
                                          part.panel, Qt::BottomDockWidgetArea);
        tabifyDockWidget(before, dock);
        before = dock;
        auto* const show = new QAction(part.title, this);
        show->setShortcut(part.shortcut);
        connect(show, &QAction::triggered, this, [this, kind = part.kind] { showAnalysis(kind); });
        m_analyses[part.kind] = {dock, show};
    }
}

void MainWindow::showAnalysis(control::AnalysisKind kind)
{
    QDockWidget* const dock = m_analyses.at(kind).dock;
    dock->show();
    dock->raise();
    if (!dock->isFloating() && dock->height() < kLeastPlotHeight)
        resizeDocks({dock}, {kLeastPlotHeight}, Qt::Vertical);
}

void MainWindow::startAnalysis(control::AnalysisKind kind)
{
    showAnalysis(kind);
    m_explorer->analyses().start(kind);
}

}  // namespace hs::window
