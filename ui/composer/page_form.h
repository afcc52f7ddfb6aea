#pragma once

#include "composer/spec_form.h"

namespace hs::composer {

/// The page: width, typeface, lines, pixels and ground.
SpecForm* newPageForm(control::Explorer& explorer, QWidget* parent);

/// Caption, and the labels of tiles.
SpecForm* newTextForm(control::Explorer& explorer, QWidget* parent);

}  // namespace hs::composer
