#include "window/analysis_panels.h"

#include "panels/analyses/attribution/attribution_panel.h"
#include "panels/analyses/circuit/circuit_panel.h"
#include "panels/analyses/compare/compare_panel.h"
#include "panels/analyses/flow/token_flow_panel.h"
#include "panels/analyses/graph/graph_panel.h"
#include "panels/analyses/history/history_panel.h"
#include "panels/analyses/lens/lens_panel.h"
#include "panels/analyses/prompts/prompt_set_panel.h"
#include "panels/analyses/scatter/head_scatter_panel.h"
#include "panels/analyses/sweep/sweep_panel.h"
#include "render/translate.h"

namespace hs::window {
namespace {

using FigureWanted = std::function<void()>;

template <class Panel>
QWidget* make(control::Explorer& explorer, const FigureWanted& figureWanted)
{
    auto* const panel = new Panel(explorer);
    QObject::connect(panel, &Panel::figureRequested, panel, figureWanted);
    return panel;
}

struct Entry {
    service::AnalysisKind kind;
    const char* title;
    const char* dockName;
    const char* shortcut;
    QWidget* (*make)(control::Explorer&, const FigureWanted&);
};

constexpr Entry kEntries[] = {
    {service::AnalysisKind::Sweep, QT_TRANSLATE_NOOP("HeadScope", "&Sweep"), "sweepDock", "Alt+1",
     make<panels::SweepPanel>},
    {service::AnalysisKind::Circuit, QT_TRANSLATE_NOOP("HeadScope", "&Circuit"), "circuitDock", "Alt+2",
     make<panels::CircuitPanel>},
    {service::AnalysisKind::Attribution, QT_TRANSLATE_NOOP("HeadScope", "&Attribution"), "attributionDock",
     "Alt+3", make<panels::AttributionPanel>},
    {service::AnalysisKind::Scatter, QT_TRANSLATE_NOOP("HeadScope", "Sca&tter"), "scatterDock", "Alt+4",
     make<panels::HeadScatterPanel>},
    {service::AnalysisKind::Compare, QT_TRANSLATE_NOOP("HeadScope", "Co&mpare"), "compareDock", "Alt+5",
     make<panels::ComparePanel>},
    {service::AnalysisKind::Flow, QT_TRANSLATE_NOOP("HeadScope", "&Flow"), "flowDock", "Alt+6",
     make<panels::TokenFlowPanel>},
    {service::AnalysisKind::Graph, QT_TRANSLATE_NOOP("HeadScope", "F&eatures"), "graphDock", "Alt+7",
     make<panels::GraphPanel>},
    {service::AnalysisKind::Prompts, QT_TRANSLATE_NOOP("HeadScope", "P&rompts"), "promptsDock", "Alt+8",
     make<panels::PromptSetPanel>},
    {service::AnalysisKind::Lens, QT_TRANSLATE_NOOP("HeadScope", "&Lens"), "lensDock", "Alt+9",
     make<panels::LensPanel>},
    {service::AnalysisKind::History, QT_TRANSLATE_NOOP("HeadScope", "Over trainin&g"), "historyDock", "Alt+0",
     make<panels::HistoryPanel>},
};

}  // namespace

std::vector<AnalysisPanel> newAnalysisPanels(control::Explorer& explorer, const FigureWanted& figureWanted)
{
    std::vector<AnalysisPanel> panels;
    for (const Entry& entry : kEntries)
        panels.push_back({entry.kind, tr(entry.title), QString::fromLatin1(entry.dockName),
                          QKeySequence(QString::fromLatin1(entry.shortcut)),
                          entry.make(explorer, figureWanted)});
    return panels;
}

}  // namespace hs::window
