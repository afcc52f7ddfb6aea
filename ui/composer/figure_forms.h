#pragma once

#include "composer/spec_form.h"

namespace hs::composer {

/// Chooses the figure's preset, and takes over what the grids show.
SpecForm* newPresetForm(control::Explorer& explorer, QWidget* parent);
/// Takes over heads, order, pinned cell and look of the grids, as one undoable step.
void takeShown(SpecForm& form, control::Explorer& explorer);
/// The same with only the selected heads.
void takeSelected(SpecForm& form, control::Explorer& explorer);
/// A preset's analysis settings: cell, threshold, metric, tokens, share and level.
SpecForm* newAnalysisForm(control::Explorer& explorer, QWidget* parent);
/// What the figure shows from each side, one side at a time.
QWidget* newHeadsEditor(control::Explorer& explorer, QWidget* parent);
/// How weights become colours.
SpecForm* newColourForm(control::Explorer& explorer, QWidget* parent);
/// The page: width, typeface, lines, pixels and background.
SpecForm* newPageForm(control::Explorer& explorer, QWidget* parent);
/// The caption, and the labels of tiles.
SpecForm* newTextForm(control::Explorer& explorer, QWidget* parent);

}  // namespace hs::composer
