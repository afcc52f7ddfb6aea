#pragma once

#include "control/document/findings.h"

namespace hs::panels {

/// "Outdated: the prompt and the target changed since. Run it again." What differs between the request that a
/// result was made for and the one wanted now.
QString outdatedNote(const service::AnalysisRequest& made, const service::AnalysisRequest& wanted);

}  // namespace hs::panels
