#pragma once

#include "features/train/coder_trainer.h"

#include <string>

namespace hs::app {

/// "step 250 of 2,000: 4.31 % unexplained, 8 features fire, 12 dead, 5,120 tokens/s, 3 min left".
std::string describeCoderPoint(const features::CoderPoint& point);

/// "held out: 3.9 % unexplained, …; loss 0.9 with the MLPs replaced (0.82 without) …".
std::string describeCoderMeasure(const features::CoderMeasure& measure);

/// What was written where, and how good it is, layer by layer.
std::string describeCoderOutcome(const features::CoderOutcome& outcome, const std::string& out);

}  // namespace hs::app
