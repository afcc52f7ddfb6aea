#pragma once

#include "control/document/analysis.h"

namespace hs::panels {

/// "Outdated: the prompt and the target changed since." What a result was made from that is not what
/// is asked for now.
QString outdatedNote(const control::AnalysisRequest& made, const control::AnalysisRequest& wanted);

}  // namespace hs::panels
