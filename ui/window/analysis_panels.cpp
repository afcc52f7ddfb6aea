#include "window/analysis_panels.h"

#include "panels/attribution_panel.h"
#include "panels/circuit_panel.h"
#include "panels/compare_panel.h"
#include "panels/head_scatter_panel.h"
#include "panels/sweep_panel.h"
#include "panels/token_flow_panel.h"
#include "render/translate.h"

namespace hs {
namespace {

using FigureWanted = std::function<void()>;

template <class Panel>
QWidget* make(Explorer& explorer, const FigureWanted& figureWanted)
{
    auto* const panel = new Panel(explorer);
    QObject::connect(panel, &Panel::figureRequested, panel, figureWanted);
    return panel;
}

struct Entry {
    AnalysisKind kind;
    const char* title;
    const char* dockName;
    const char* shortcut;
    QWidget* (*make)(Explorer&, const FigureWanted&);
};

constexpr Entry kEntries[] = {
    {AnalysisKind::Sweep, QT_TRANSLATE_NOOP("HeadScope", "&Sweep"), "sweepDock", "Alt+1", make<SweepPanel>},
    {AnalysisKind::Circuit, QT_TRANSLATE_NOOP("HeadScope", "&Circuit"), "circuitDock", "Alt+2",
     make<CircuitPanel>},
    {AnalysisKind::Attribution, QT_TRANSLATE_NOOP("HeadScope", "&Attribution"), "attributionDock", "Alt+3",
     make<AttributionPanel>},
    {AnalysisKind::Scatter, QT_TRANSLATE_NOOP("HeadScope", "Sca&tter"), "scatterDock", "Alt+4",
     make<HeadScatterPanel>},
    {AnalysisKind::Compare, QT_TRANSLATE_NOOP("HeadScope", "Co&mpare"), "compareDock", "Alt+5",
     make<ComparePanel>},
    {AnalysisKind::Flow, QT_TRANSLATE_NOOP("HeadScope", "&Flow"), "flowDock", "Alt+6", make<TokenFlowPanel>},
};

}  // namespace

std::vector<AnalysisPanel> newAnalysisPanels(Explorer& explorer, const FigureWanted& figureWanted)
{
    std::vector<AnalysisPanel> panels;
    for (const Entry& entry : kEntries)
        panels.push_back({entry.kind, tr(entry.title), QString::fromLatin1(entry.dockName),
                          QKeySequence(QString::fromLatin1(entry.shortcut)),
                          entry.make(explorer, figureWanted)});
    return panels;
}

}  // namespace hs
