#pragma once

#include "render/figure.h"

namespace hs {

/// What the pointer says about a head: its name and its statistics, as a small table in rich text.
QString headTooltip(const GridPanel& panel, HeadId head);

}  // namespace hs
