#pragma once

#include "analyses/history.h"
#include "base/json_reader.h"

namespace hs::analyses {

/// Every metric of every head, a row a head.
Json metricRows(const HeadShape& heads, const std::vector<stats::HeadStats>& stats);

Json toJson(const History& history);
/// Reads what toJson wrote. Throws Failure.
History historyFrom(const JsonReader& reader);

}  // namespace hs::analyses
