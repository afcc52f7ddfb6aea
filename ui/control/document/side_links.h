#pragma once

#include "control/document/document.h"

namespace hs::control {

/// Makes the sides of a changed document alike in what they have in common: a change of either side is a change of both, and
/// what has just been linked is as the left side has it.
void keepAlike(Document& changed, const Document& before);

/// Shows a side, as it is now, on the other one, which from now on does not follow it.
void keepAsOther(Document& document, Side kept);

}  // namespace hs::control
