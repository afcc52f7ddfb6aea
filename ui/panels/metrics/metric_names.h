#pragma once

#include "stats/metric_table.h"

#include <QString>

#include <vector>

namespace hs::panels {

/// A metric's name as documents and files hold it.
QString nameOf(const stats::Metric& metric);

/// A metric's name for people, and what it means in one sentence.
QString metricTitle(const stats::Metric& metric);
QString metricHelp(const stats::Metric& metric);

/// All metrics in the order of the table: the telling ones first, then as metric_table has them.
std::vector<const stats::Metric*> metricsInTableOrder();

}  // namespace hs::panels
