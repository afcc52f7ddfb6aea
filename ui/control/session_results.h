#pragma once

#include "base/json.h"
#include "control/analysis.h"

#include <string>
#include <vector>

namespace hs {

/// Results of sweeps and circuits as a session stores them.
nlohmann::ordered_json writeResults(const std::vector<KeptResult>& results);

/// Reads what writeResults wrote from an untrusted file of that name. Throws Failure.
std::vector<KeptResult> readResults(const Json& json, const std::string& file);

}  // namespace hs
