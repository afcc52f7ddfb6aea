#pragma once

#include "composer/spec_form.h"

namespace hs::composer {

/// How weights become colours.
SpecForm* newColourForm(control::Explorer& explorer, QWidget* parent);
/// The page: width, typeface, lines, pixels and background.
SpecForm* newPageForm(control::Explorer& explorer, QWidget* parent);
/// The caption, and the labels of tiles.
SpecForm* newTextForm(control::Explorer& explorer, QWidget* parent);

}  // namespace hs::composer
