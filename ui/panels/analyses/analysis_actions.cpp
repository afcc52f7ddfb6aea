#include "panels/analyses/analysis_actions.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "control/analyses/analysis_runs.h"
#include "panels/widgets/copied_commands.h"
#include "panels/widgets/plot_frame.h"
#include "panels/widgets/shown_tokens.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QStringList>

#include <algorithm>

namespace hs::panels {
namespace {

bool hasAny(const SideHeads& heads)
{
    return !heads[0].empty() || !heads[1].empty();
}

/// The analysis whose ranks a panel's badges show: a graph ranks heads by one of its edges.
service::AnalysisKind rankingKind(service::AnalysisKind kind)
{
    return kind == service::AnalysisKind::Graph ? service::AnalysisKind::EdgeHeads : kind;
}

}  // namespace

SideShapes shapesOf(const control::Explorer& explorer)
{
    SideShapes shapes;
    for (const Side side : kSides)
        if (const auto& model = explorer.state(side).model)
            shapes[indexOf(side)] = model->heads;
    return shapes;
}

AnalysisActions::AnalysisActions(control::Explorer& explorer, service::AnalysisKind kind, Source source,
                                 QWidget* parent)
    : QMenu(parent), m_explorer(explorer), m_kind(kind), m_source(std::move(source))
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &AnalysisActions::fill);
}

void AnalysisActions::addPlot(PlotFrame& plot, const QString& title)
{
    m_plots.push_back({&plot, title});
}

void AnalysisActions::addPicture(const QWidget& picture, const QString& title, Paint paint)
{
    m_pictures.push_back({&picture, title, std::move(paint)});
}

void AnalysisActions::fill()
{
    clear();
    m_chosen = m_source.chosen();
    m_ranked = m_source.ranked();
    if (m_kind != service::AnalysisKind::Lens) {  // which is not about heads
        addGridEntries();
        addAblationEntries();
    }
    addFileEntries();
}

QAction* AnalysisActions::addEntry(const char* name, const QString& text, bool isEnabled,
                                   const std::function<void()>& run)
{
    QAction* const action = addAction(text, this, run);
    action->setObjectName(QLatin1String(name));
    action->setEnabled(isEnabled);
    return action;
}

QAction* AnalysisActions::addEdit(const char* name, const QString& text, bool isEnabled,
                                  const std::function<void(control::Document&)>& change)
{
    QString what = text;
    what.remove(QLatin1Char('&'));
    return addEntry(name, text, isEnabled, [this, what, change] { m_explorer.edit(what, change); });
}

/// "Demo, dense: 19 heads · Demo, sparse: 2 heads".
QString AnalysisActions::whichHeads() const
{
    QStringList sides;
    for (const Side side : kSides) {
        const auto count = m_chosen[indexOf(side)].size();
        if (count > 0)
            sides << tr("%1: %2").arg(sideTitle(m_explorer, side),
                                      count == 1 ? tr("1 head") : tr("%1 heads").arg(count));
    }
    return sides.join(QStringLiteral(" · "));
}

void AnalysisActions::addGridEntries()
{
    const SideShapes shapes = shapesOf(m_explorer);
    const SideHeads ranked = m_ranked;
    addSection(tr("All heads"));
    addEdit("orderGrids", tr("&Order grids by this"), hasAny(ranked),
            [=](control::Document& document) { hs::panels::orderGrids(document, ranked, shapes); });
    const control::Document& document = m_explorer.document();
    const control::TileBadges& badges = document.badges;
    const service::AnalysisKind kind = rankingKind(m_kind);
    const bool hasBadges = badges.kind == control::TileBadges::Kind::Rank && badges.analysis == kind;
    QAction* const ranks = addEdit("rankBadges", tr("&Ranks on tiles"), hasAny(ranked) || hasBadges,
                                   [kind, hasBadges](control::Document& edited) {
                                       edited.badges.kind = hasBadges ? control::TileBadges::Kind::None
                                                                      : control::TileBadges::Kind::Rank;
                                       edited.badges.analysis = kind;
                                   });
    ranks->setCheckable(true);
    ranks->setChecked(hasBadges);
    const bool isList =
        std::any_of(document.sides.begin(), document.sides.end(), [](const control::SideSetup& side) {
            return side.grid.form == control::GridChoice::Form::List;
        });
    addEdit("backToMatrix", tr("Back to the &matrix"), isList,
            [](control::Document& edited) { hs::panels::backToMatrix(edited); });
}

void AnalysisActions::addAblationEntries()
{
    const SideShapes shapes = shapesOf(m_explorer);
    const SideHeads chosen = m_chosen;
    const control::Document& document = m_explorer.document();
    const engine::HeadAblation::Kind kind = plainKind(document.tool);
    const bool canPatch = !document.corrupted.isEmpty();
    const bool isThere = hasAny(chosen);
    addSection(isThere ? whichHeads() : tr("Heads that are picked"));
    addEdit("showOnly", tr("&Show only these heads"), isThere,
            [=](control::Document& edited) { hs::panels::showOnly(edited, chosen); });
    addEntry("selectThese", tr("Se&lect these heads"), isThere, [this, chosen] {
        std::set<HeadId> heads;
        for (const std::vector<HeadId>& side : chosen)
            heads.insert(side.begin(), side.end());
        m_explorer.select(std::move(heads));
    });
    addEdit("ablateThese", tr("&Ablate these heads"), isThere,
            [=](control::Document& edited) { hs::panels::ablate(edited, chosen, kind); });
    addEdit("ablateOthers", tr("Ablate all &but these"), isThere,
            [=](control::Document& edited) { hs::panels::ablateAllBut(edited, chosen, shapes, kind); });
    addEdit("patchOthers", tr("&Patch all but these"), isThere && canPatch,
            [=](control::Document& edited) {
                hs::panels::ablateAllBut(edited, chosen, shapes, engine::HeadAblation::Kind::Replace);
            })
        ->setToolTip(canPatch ? tr("The other heads' outputs come from the corrupted prompt.")
                              : tr("Type a corrupted prompt first: the other heads' outputs come from it."));
}

void AnalysisActions::addExport(const QString& title, const QWidget& shown,
                                const std::function<void(const QString&)>& write)
{
    addEntry("exportPlot", tr("Export %1…").arg(title), !shown.isHidden(), [this, write] {
        const QString file = QFileDialog::getSaveFileName(this, tr("Export plot"), QStringLiteral("plot.pdf"),
                                                          tr("Pictures (*.pdf *.png)"));
        if (!file.isEmpty())
            write(file);
    });
}

void AnalysisActions::addFileEntries()
{
    addSeparator();
    for (const Plot& plot : m_plots)
        addExport(plot.title, *plot.plot,
                  [this, plot](const QString& file) { exportPlot(*plot.plot, file); });
    for (const Picture& picture : m_pictures)
        addExport(picture.title, *picture.picture,
                  [this, shown = picture.picture](const QString& file) { exportPicture(*shown, file); });
    const figures::DataTable table = m_source.table();
    const bool hasRows = !table.columns.empty() && !table.columns.front().values.empty();
    addEntry("exportData", tr("Export &data…"), hasRows, [this] {
        const QString file = QFileDialog::getSaveFileName(this, tr("Export data"), QStringLiteral("data.csv"),
                                                          tr("Data (*.csv *.json *.npz)"));
        if (!file.isEmpty())
            exportData(file);
    });
    const Result<QString> lines = commands();
    addEntry("copyCommand", tr("&Copy as command"), lines.ok(), [this] {
        if (const Result<QString> now = commands())
            QGuiApplication::clipboard()->setText(*now);
    })->setToolTip(lines ? *lines : QString::fromStdString(lines.error().message));
    const auto preset = presetOf(m_kind);
    if (!preset)
        return;
    addEntry("makeFigure", tr("Make &figure…"), hasRows,
             [this, preset, chosen = m_chosen, ranked = m_ranked] {
                 m_explorer.edit(tr("Make figure"), [&](control::Document& document) {
                     takeFigure(document, m_kind, hasAny(chosen) ? chosen : ranked, m_source.drawn());
                 });
                 Q_EMIT figureRequested(*preset);
             });
}

Result<QString> AnalysisActions::commands() const
{
    using Kind = service::AnalysisKind;
    switch (m_kind) {
    case Kind::Graph: return copiedCommands(m_explorer, {Kind::Graph, Kind::EdgeHeads});
    case Kind::Lens: return copiedCommands(m_explorer, {Kind::Lens, Kind::Saliency});
    default: return copiedCommands(m_explorer, {m_kind});
    }
}

void AnalysisActions::exportPlot(PlotFrame& plot, const QString& file)
{
    if (const auto written = plot.save(file.toStdString()); !written)
        raise(written.error());
}

void AnalysisActions::exportPicture(const QWidget& picture, const QString& file)
{
    const auto known = std::find_if(m_pictures.begin(), m_pictures.end(),
                                    [&picture](const Picture& one) { return one.picture == &picture; });
    if (known == m_pictures.end())
        return;
    if (const auto written = writePicture(file.toStdString(), picture.size(), known->paint); !written)
        raise(written.error());
}

void AnalysisActions::exportData(const QString& file)
{
    const std::filesystem::path path = file.toStdString();
    const auto written = file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)
                             ? guarded([&] {
                                   writeFile(path, m_source.json());
                                   return path;
                               })
                             : figures::writeTable(m_source.table(), path);
    if (!written)
        raise(written.error());
}

void AnalysisActions::raise(const Error& error)
{
    Q_EMIT m_explorer.messageRaised({control::Message::Kind::Error, QString::fromStdString(error.message),
                                     QString::fromStdString(error.detail)});
}

}  // namespace hs::panels
