#pragma once

#include "control/figures/figure_maker.h"

namespace hs::composer {

/// The heads of a side that a figure draws, in its order; none if it does not draw heads one by one.
std::optional<std::vector<HeadId>> drawnHeads(const std::shared_ptr<const control::MadeFigure>& figure,
                                              Side side);

}  // namespace hs::composer
