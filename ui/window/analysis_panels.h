#pragma once

#include "control/explorer/explorer.h"

#include <QKeySequence>

#include <functional>
#include <vector>

class QWidget;

namespace hs::window {

/// An analysis as the window offers it: its panel, and the title of its dock.
struct AnalysisPanel {
    service::AnalysisKind kind = service::AnalysisKind::Sweep;
    QString title;
    QString dockName;
    QKeySequence shortcut;
    QWidget* panel = nullptr;
};

/// A panel for every analysis, in menu order and without a parent yet. `figureWanted` is called when a
/// panel's result has become the document's figure.
std::vector<AnalysisPanel> newAnalysisPanels(control::Explorer& explorer,
                                             const std::function<void()>& figureWanted);

}  // namespace hs::window
