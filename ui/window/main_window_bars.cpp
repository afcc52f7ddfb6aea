// The rows above and below the grids: menus, tool bar and prompt; tabs and status.
#include "control/explorer/explorer.h"
#include "grid/head_grids.h"
#include "panels/prompt/prompt_panel.h"
#include "window/dock_states.h"
#include "window/dock_tabs.h"
#include "window/machine_line.h"
#include "window/main_window.h"
#include "window/status_line.h"

#include <QAction>
#include <QBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace hs::window {

/// One row for menus and tool bar, and the prompt below it, over the whole width of the window.
void MainWindow::composeHead()
{
    m_head = new QWidget;
    m_gridBar = new QToolBar(tr("Grids"));
    m_gridBar->layout()->setContentsMargins({});
    m_gridBar->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_menus = new QMenuBar;
    m_menus->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);  // the tool bar gives way instead
    auto* const row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_menus);
    row->addStretch(1);
    row->addWidget(m_gridBar);
    m_prompt = new panels::PromptPanel(*m_explorer);
    m_prompt->keepHistoryIn(*m_settings);
    auto* const column = new QVBoxLayout(m_head);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_prompt);
    setMenuWidget(m_head);
    connect(m_prompt, &panels::PromptPanel::predictionsRequested, this,
            [this] { unfold(QStringLiteral("predictionsDock")); });
}

void MainWindow::composeToolBar()
{
    QToolBar* const bar = m_gridBar;
    for (QMenu* const menu : std::as_const(m_sharedMenus)) {
        bar->addAction(menu->menuAction());
        qobject_cast<QToolButton*>(bar->widgetForAction(menu->menuAction()))
            ->setPopupMode(QToolButton::InstantPopup);
    }
    bar->addSeparator();
    bar->addAction(findChild<QAction*>(QStringLiteral("linked")));
    bar->addAction(tr("Fit"), m_grids, &grid::HeadGrids::fit);
    bar->addAction(QStringLiteral("−"), m_grids, &grid::HeadGrids::zoomOut)->setToolTip(tr("Zoom out"));
    bar->addAction(QStringLiteral("+"), m_grids, &grid::HeadGrids::zoomIn)->setToolTip(tr("Zoom in"));
}

void MainWindow::composeStatusBar()
{
    QStatusBar& bar = *statusBar();
    bar.setSizeGripEnabled(false);
    bar.addWidget(m_tabs);
    auto* const line = new StatusLine(*m_explorer, bar);
    connect(line, &StatusLine::promptRequested, this, &MainWindow::focusPrompt);
    if (m_machines) {
        auto* const machines = new MachineLine(m_machines, &bar);
        bar.addPermanentWidget(machines);
        connect(machines, &MachineLine::cameBack, m_explorer, &control::Explorer::rerun);
        connect(m_explorer, &control::Explorer::hoverChanged, machines, [this] { m_machines->nudge(); });
    }
    auto* const alone = new QToolButton;
    alone->setDefaultAction(m_alone);
    alone->setAutoRaise(true);
    bar.addPermanentWidget(alone);

    m_docks = new DockStates(*this, {m_head, m_tabs});
    connect(m_alone, &QAction::toggled, m_docks, &DockStates::setAlone);
    connect(m_docks, &DockStates::aloneChanged, m_alone, &QAction::setChecked);
    connect(m_docks, &DockStates::aloneChanged, this, &MainWindow::focusGrids);
    connect(m_tabs, &DockTabs::aboutToUnfold, m_docks, [this] { m_docks->setAlone(false); });
}

}  // namespace hs::window
