#pragma once

#include "control/figure_maker.h"

namespace hs {

/// The heads that a figure draws of a side, in its order; none where it does not draw heads one by one.
std::optional<std::vector<HeadId>> drawnHeads(const std::shared_ptr<const MadeFigure>& figure, Side side);

}  // namespace hs
