#pragma once

#include "composer/spec_form.h"

namespace hs::composer {

/// How weights become colours.
SpecForm* newColourForm(control::Explorer& explorer, QWidget* parent);

}  // namespace hs::composer
