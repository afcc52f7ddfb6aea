#pragma once

namespace hs::panels {

/// Lets screen readers see a TokenStrip as a list with an item for each token.
void installTokenStripAccessibility();

}  // namespace hs::panels
