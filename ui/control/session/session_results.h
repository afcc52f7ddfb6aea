#pragma once

#include "base/json_reader.h"
#include "control/document/findings.h"

#include <vector>

namespace hs::control {

/// Results of sweeps and circuits as a session stores them.
nlohmann::ordered_json writeResults(const std::vector<KeptResult>& results);

/// Reads what writeResults wrote. Throws Failure.
std::vector<KeptResult> readResults(const JsonReader& list);

}  // namespace hs::control
