#include "app/desktop/window_at_rest.h"

#include "base/failure.h"
#include "control/explorer/explorer.h"
#include "control/work/late_work.h"
#include "service/engine_need.h"
#include "service/far_source.h"
#include "window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace hs::app {
namespace {

/// Whether the maps that the inspector shows have been loaded; requests those that have not.
bool hasInspectedMaps(control::Explorer& explorer)
{
    const std::optional<HeadId> head = explorer.currentHead();
    return !head || std::all_of(kSides.begin(), kSides.end(), [&](Side side) {
        const auto& model = explorer.state(side).model;
        const auto isThere = [&](engine::MapKind kind) {
            return !service::whyNotPossible(*model, kind).empty() ||
                   explorer.map({side, head->layer, kind, false});
        };
        // Of another machine, maps come as they are looked at.
        return !model || !model->heads.contains(*head) || service::farSource(model->request.source) ||
               (isThere(engine::MapKind::Weights) && isThere(engine::MapKind::Scores));
    });
}

/// In all windows.
bool isLateWorkDone()
{
    const QWidgetList windows = QApplication::topLevelWidgets();
    return std::all_of(windows.begin(), windows.end(),
                       [](const QWidget* window) { return control::LateWork::isDoneIn(*window); });
}

}  // namespace

void waitUntil(const std::function<bool()>& holds, std::chrono::seconds limit)
{
    QElapsedTimer timer;
    timer.start();
    // A time limit of processEvents would make it poll, and take a processor from the engine.
    QTimer alarm;
    alarm.start(20);
    while (!holds()) {
        if (std::chrono::milliseconds(timer.elapsed()) > limit)
            fail(ErrorCode::Internal, "The window did not come to rest within " +
                                          std::to_string(limit.count()) + " s; try a faster machine.");
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
}

bool showsDocument(window::MainWindow& window)
{
    control::Explorer& explorer = window.explorer();
    const bool isShown = std::all_of(kSides.begin(), kSides.end(), [&explorer](Side side) {
        const control::SideState& state = explorer.state(side);
        const bool isEmpty = explorer.document().side(side).model.isEmpty();
        return (isEmpty || state.run || !state.problem.isEmpty()) && !state.isStale && !state.isLoading;
    });
    return isShown && hasInspectedMaps(explorer) && isLateWorkDone();
}

void waitUntilSettled(window::MainWindow& window)
{
    waitUntil([&window] { return !window.explorer().activity().isBusy && showsDocument(window); });
    QCoreApplication::processEvents();
}

}  // namespace hs::app
