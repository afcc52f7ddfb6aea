#pragma once

#include "control/analysis.h"

namespace hs {

/// "Outdated: the prompt and the target changed since." What a result was made from that is not what
/// is asked for now.
QString outdatedNote(const AnalysisRequest& made, const AnalysisRequest& wanted);

}  // namespace hs
