#pragma once

#include "control/analysis_setup.h"

namespace hs {

class MainWindow;

/// What is done to a window on the demo pair before its picture is taken: each shows one thing that the
/// program does, as a user would have brought it about.
void ablateTheAnswer(MainWindow& window);
void rankHeads(MainWindow& window);
void pinCell(MainWindow& window);
void inspectHead(MainWindow& window);
/// With room for both maps and their tokens.
void inspectWidely(MainWindow& window);
void showDifference(MainWindow& window);
void analyse(MainWindow& window, AnalysisKind kind);
/// The head that matters most has the output that it has on the corrupted prompt, another one none.
void patchHeads(MainWindow& window);
void composeFigure(MainWindow& window);

}  // namespace hs
