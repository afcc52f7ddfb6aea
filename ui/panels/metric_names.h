#pragma once

#include "analysis/metric_table.h"

#include <QString>

#include <vector>

namespace hs {

/// A metric's name as documents and files hold it.
QString nameOf(const Metric& metric);

/// A metric's name for people, and what it means in one sentence.
QString metricTitle(const Metric& metric);
QString metricHelp(const Metric& metric);

/// All metrics in the order of the table: the telling ones first, then as metric_table has them.
std::vector<const Metric*> metricsInTableOrder();

}  // namespace hs
