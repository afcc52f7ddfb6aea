#include "app/screenshots/scenes.h"

#include "app/desktop/window_at_rest.h"
#include "app/screenshots/arrangements.h"
#include "composer/figure_composer.h"
#include "guide/window.h"
#include "start/tour.h"
#include "window/main_window.h"

#include <QDockWidget>

namespace hs::app {
namespace {

template <service::AnalysisKind kind>
void analysed(window::MainWindow& window)
{
    analyse(window, kind);
}

template <int step>
void touring(window::MainWindow& window)
{
    showTour(window, step);
}

void nothing(window::MainWindow&) {}

QWidget& whole(window::MainWindow& window)
{
    return window;
}

QWidget& grids(window::MainWindow& window)
{
    return *window.centralWidget();
}

QWidget& prompt(window::MainWindow& window)
{
    return *window.findChild<QWidget*>(QStringLiteral("promptPanel"));
}

QWidget& composer(window::MainWindow& window)
{
    return window.openComposer();
}

QWidget& guide(window::MainWindow& window)
{
    return window.openGuide(QStringLiteral("tour.md"));
}

constexpr char kPredictions[] = "predictionsDock";
constexpr char kEdges[] = "edgesDock";
constexpr char kInspector[] = "inspectorDock";
constexpr char kHeads[] = "headsDock";
constexpr char kSweep[] = "sweepDock";
constexpr char kCircuit[] = "circuitDock";
constexpr char kGraph[] = "graphDock";

QDockWidget* dockOf(window::MainWindow& window, const char* name)
{
    return window.findChild<QDockWidget*>(QString::fromLatin1(name));
}

/// The content of a dock.
template <const char* name>
QWidget& inside(window::MainWindow& window)
{
    return *dockOf(window, name)->widget();
}

/// Arranges the window, and unfolds the dock with more room than usual.
template <const char* name, void (*arrange)(window::MainWindow&)>
void roomy(window::MainWindow& window)
{
    arrange(window);
    window.unfold(QString::fromLatin1(name));
    window.resizeDocks({dockOf(window, name)}, {window.height() * 9 / 20}, Qt::Vertical);
}

template <const char* name, void (*arrange)(window::MainWindow&)>
constexpr Scene panel(const char* file)
{
    return {file, control::Preferences::Theme::Light, roomy<name, arrange>, inside<name>};
}

constexpr auto kLight = control::Preferences::Theme::Light;
constexpr auto kDark = control::Preferences::Theme::Dark;
constexpr Scene kWindowScenes[] = {
    {"start", kLight, nothing, whole},
    {"start-dark", kDark, nothing, whole},
    {"start-page", kLight, closeModels, whole},
    {"start-page-dark", kDark, showStartPage, whole},
    {"start-failed", kLight, openAbsentModel, whole},
    {"start-failed-dark", kDark, openAbsentModel, whole},
    {"tour-read", kLight, touring<start::Tour::Read>, whole},
    {"tour-zoom", kLight, touring<start::Tour::Zoom>, whole},
    {"tour-ablate", kLight, touring<start::Tour::Ablate>, whole},
    {"tour-search", kLight, touring<start::Tour::Search>, whole},
    {"tour-keep", kLight, touring<start::Tour::Keep>, whole},
    {"tour-dark", kDark, touring<start::Tour::Ablate>, whole},
    {"alone", kLight, showGridsAlone, whole},
    {"matrix-light", kLight, ablateTheAnswer, whole},
    {"matrix-dark", kDark, ablateTheAnswer, whole},
    {"ranked-list", kLight, rankHeads, whole},
    {"key-query", kLight, pinCell, whole},
    {"key-query-dark", kDark, pinCell, whole},
    {"inspector", kLight, inspectHead, whole},
    {"inspector-dark", kDark, inspectHead, whole},
    {"difference", kLight, showDifference, whole},
    {"difference-dark", kDark, showDifference, whole},
    {"two-prompts", kLight, readTwoPrompts, whole},
    {"two-prompts-dark", kDark, readTwoPrompts, whole},
    {"blocks", kLight, readBlocks, whole},
    {"blocks-dark", kDark, readBlocks, whole},
    {"sweep", kLight, analysed<service::AnalysisKind::Sweep>, whole},
    {"circuit", kLight, analysed<service::AnalysisKind::Circuit>, whole},
    {"circuit-dark", kDark, analysed<service::AnalysisKind::Circuit>, whole},
    {"attribution", kLight, analysed<service::AnalysisKind::Attribution>, whole},
    {"scatter", kLight, analysed<service::AnalysisKind::Scatter>, whole},
    {"compare", kLight, analysed<service::AnalysisKind::Compare>, whole},
    {"flow", kLight, analysed<service::AnalysisKind::Flow>, whole},
    {"lens", kLight, analysed<service::AnalysisKind::Lens>, whole},
    {"features", kLight, roomy<kGraph, pickFeature>, whole},
    {"features-dark", kDark, roomy<kGraph, pickFeature>, whole},
    {"prompts", kLight, averagePrompts, whole},
    {"prompts-dark", kDark, averagePrompts, whole},
    {"patching", kLight, patchHeads, whole},
    {"generating", kLight, writeOn, whole},
    {"generating-dark", kDark, writeOn, whole},
    {"composer", kLight, composeFigure, composer},
    {"composer-dark", kDark, composeFigure, composer},
    {"guide", kLight, nothing, guide},
    {"guide-dark", kDark, nothing, guide},
};

constexpr Scene kGuideScenes[] = {
    {"window", kLight, nothing, whole},
    panel<kEdges, pinCell>("edges"),
    panel<kInspector, inspectWidely>("inspector"),
    panel<kPredictions, ablateTheAnswer>("predictions"),
    panel<kSweep, analysed<service::AnalysisKind::Sweep>>("sweep"),
    panel<kCircuit, analysed<service::AnalysisKind::Circuit>>("circuit"),
    panel<kGraph, pickFeature>("features"),
    {"difference", kLight, showDifference, grids},
    {"two-prompts", kLight, readTwoPrompts, whole},
    {"blocks", kLight, readBlocks, whole},
    {"generating", kLight, writeOn, prompt},
    panel<kHeads, patchHeads>("heads"),
    {"composer", kLight, composeFigure, composer},
};

}  // namespace

std::span<const Scene> windowScenes()
{
    return kWindowScenes;
}

std::span<const Scene> guideScenes()
{
    return kGuideScenes;
}

}  // namespace hs::app
