#pragma once

#include "composer/spec_form.h"

namespace hs {

/// The page: width, typeface, lines, pixels and ground.
SpecForm* newPageForm(Explorer& explorer, QWidget* parent);

/// Caption, and the labels of tiles.
SpecForm* newTextForm(Explorer& explorer, QWidget* parent);

}  // namespace hs
