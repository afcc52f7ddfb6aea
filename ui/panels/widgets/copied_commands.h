#pragma once

#include "control/explorer/explorer.h"
#include "service/analysis.h"

#include <QString>

#include <initializer_list>

namespace hs::panels {

/// The lines that give in a terminal what the first of these analyses has found on both sides, and what the others have
/// found for the document as it is; or why there are none.
Result<QString> copiedCommands(const control::Explorer& explorer,
                               std::initializer_list<service::AnalysisKind> kinds);

}  // namespace hs::panels
