#pragma once

#include "control/document/document.h"

namespace hs::control {

/// The tokens that a side's model wrote and that are in the text shown.
std::vector<std::int64_t> generatedShown(const Document& document, Side side);

/// How many tokens the longer of both sides' generated texts has: the last step.
int lastStep(const Document& document);

/// Takes away what was written behind another prompt than the changed document's, or by another model than its side has.
void forgetGenerated(Document& changed, const Document& before);

}  // namespace hs::control
