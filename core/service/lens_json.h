#pragma once

#include "base/json.h"
#include "service/lens_findings.h"

namespace hs::service {

/// Every reading, as `headscope lens --json` writes them, with tokens by their ids.
Json jsonOf(const PromptLens& found);

}  // namespace hs::service
