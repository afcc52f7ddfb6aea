#pragma once

#include "composer/spec_form.h"

namespace hs {

/// How weights become colours.
SpecForm* newColourForm(Explorer& explorer, QWidget* parent);

}  // namespace hs
