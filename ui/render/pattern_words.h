#pragma once

#include "stats/pattern_shape.h"

#include <QString>

namespace hs::render {

/// "7 queries × 19 keys", or "24 tokens, bidirectional".
QString patternWords(const stats::PatternShape& pattern);

}  // namespace hs::render
