// What a new user meets first: the start page and the tour.
#include "control/explorer/explorer.h"
#include "control/session/recent_models.h"
#include "grid/head_grids.h"
#include "remote/ssh_hosts.h"
#include "service/far_source.h"
#include "start/start_page.h"
#include "start/tour.h"
#include "window/dock_tabs.h"
#include "window/far_model_dialog.h"
#include "window/file_commands.h"
#include "window/main_window.h"

#include <QMenuBar>

#include <algorithm>
#include <memory>

namespace hs::window {

void MainWindow::composeStart(start::FindModels find)
{
    m_startPage = new start::StartPage(*m_explorer, *m_grids, std::move(find),
                                       [this] { return control::RecentModels(*m_settings).list(); });
    connect(m_startPage, &start::StartPage::folderWanted, m_files, &FileCommands::askForModelFolder);
    connect(m_startPage, &start::StartPage::fileWanted, m_files, &FileCommands::askForModelFile);
    connect(m_startPage, &start::StartPage::nameWanted, m_files, &FileCommands::askForModelName);
    connect(m_startPage, &start::StartPage::farWanted, this, &MainWindow::askForFarModel);
    connect(m_startPage, &start::StartPage::guideWanted, this,
            [this](const QString& page) { openGuide(page); });
    connect(m_startPage, &start::StartPage::listed, this, &MainWindow::refreshRecent);
    connect(m_startPage, &start::StartPage::closed, this, &MainWindow::focusGrids);

    const auto within = [this](const QWidget& part, const QRect& rect) {
        return part.isVisible() ? rect.translated(part.mapTo(this, QPoint())) : QRect();
    };
    const start::Tour::Places places = {
        [this, within] {
            QAction* const tab = m_tabs->tabOf(*m_analyses.at(service::AnalysisKind::Sweep));
            const QWidget& button = *m_tabs->widgetForAction(tab);
            return within(button, button.rect());
        },
        [this, within] { return within(*m_menus, m_menus->actionGeometry(m_menus->actions().front())); },
    };
    m_tour = new start::Tour(*m_explorer, *m_grids, *this, places);
}

/// Begins once both models of the demo pair are on show.
void MainWindow::offerTour()
{
    const auto isDemo = [this](Side side) {
        return m_explorer->document().side(side).model.startsWith(QStringLiteral("demo:"));
    };
    if (!m_explorer->preferences().offersTour || !isDemo(Side::Left) || !isDemo(Side::Right))
        return;
    auto* const waiting = new QObject(this);
    connect(m_explorer, &control::Explorer::stateChanged, waiting, [this, waiting] {
        const bool isThere = std::all_of(kSides.begin(), kSides.end(), [this](Side side) {
            return m_explorer->state(side).run != nullptr;
        });
        if (!isThere)
            return;
        waiting->deleteLater();
        m_explorer->disconnect(waiting);
        m_tour->start();
    });
}

void MainWindow::askForFarModel(Side side)
{
    QStringList hosts;
    for (const QString& model : control::RecentModels(*m_settings).list())
        if (const auto far = service::farSource(model.toStdString()))
            hosts << QString::fromStdString(far->host);
    for (const std::string& host : remote::configuredHosts())
        hosts << QString::fromStdString(host);
    hosts.removeDuplicates();
    FarModelDialog dialog(
        [machines = m_machines](const std::string& host, const std::string& path, const Hooks& hooks) {
            return machines->list(host, path, hooks);
        },
        hosts, side, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_explorer->edit(tr("Model on another machine"), [&](control::Document& document) {
        for (const Side chosen : dialog.sides())
            document.side(chosen).setModel(dialog.source());
    });
}

}  // namespace hs::window
