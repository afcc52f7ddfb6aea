#pragma once

#include "control/document/analysis_setup.h"

namespace hs::window {
class MainWindow;
}

namespace hs::app {

/// What is done to a window on the demo pair before its picture is taken: each shows one thing that the
/// program does, reached as a user would.
void ablateTheAnswer(window::MainWindow& window);
void rankHeads(window::MainWindow& window);
void pinCell(window::MainWindow& window);
void inspectHead(window::MainWindow& window);
/// With room for both maps and their tokens.
void inspectWidely(window::MainWindow& window);
void readTwoPrompts(window::MainWindow& window);
/// A chat, with a cell for each pair of messages.
void readBlocks(window::MainWindow& window);
void showDifference(window::MainWindow& window);
void analyse(window::MainWindow& window, service::AnalysisKind kind);
/// Picks the feature whose way to the answer is strongest, on the prompt of opposites.
void pickFeature(window::MainWindow& window);
/// Patches the most important head with its output on the corrupted prompt, and zeroes another.
void patchHeads(window::MainWindow& window);
/// Lets both models write on, and looks at the step where they part.
void writeOn(window::MainWindow& window);
/// A task's prompts in the list, and the mean of all of them in the grids.
void averagePrompts(window::MainWindow& window);
void showGridsAlone(window::MainWindow& window);
void composeFigure(window::MainWindow& window);
/// Without models, as after a start on none.
void closeModels(window::MainWindow& window);
/// With a model on one side, and one on the other that is not there.
void openAbsentModel(window::MainWindow& window);
void showStartPage(window::MainWindow& window);
void showTour(window::MainWindow& window, int step);

}  // namespace hs::app
