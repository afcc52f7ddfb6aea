#pragma once

#include "stats/metric_table.h"

#include <QString>

#include <vector>

namespace hs::panels {

/// A metric's name in documents and files.
QString nameOf(const stats::Metric& metric);

/// A metric's name for people, and what it means in one sentence.
QString metricTitle(const stats::Metric& metric);
QString metricHelp(const stats::Metric& metric);

/// All metrics in table order: the most informative first, then as in metric_table.
std::vector<const stats::Metric*> metricsInTableOrder();

}  // namespace hs::panels
