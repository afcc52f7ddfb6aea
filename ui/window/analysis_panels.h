#pragma once

#include "control/explorer/explorer.h"

#include <QKeySequence>

#include <functional>
#include <vector>

class QWidget;

namespace hs::window {

/// An analysis as the window offers it: its panel, and what its dock is called.
struct AnalysisPanel {
    control::AnalysisKind kind = control::AnalysisKind::Sweep;
    QString title;
    QString dockName;
    QKeySequence shortcut;
    QWidget* panel = nullptr;
};

/// A panel for every analysis, in the order of the menu and without parents yet. `figureWanted` is
/// called when the document's figure has become one of a panel's result.
std::vector<AnalysisPanel> newAnalysisPanels(control::Explorer& explorer,
                                             const std::function<void()>& figureWanted);

}  // namespace hs::window
