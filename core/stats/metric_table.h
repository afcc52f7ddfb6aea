#pragma once

#include "stats/head_stats.h"

#include <span>
#include <string_view>

namespace hs::stats {

/// One number of HeadStats under the name that tables, filters and files give it. A new metric is
/// a field of HeadStats, its sum in head_summary.cpp and an entry here.
struct Metric {
    std::string_view name;
    double (*of)(const HeadStats&);
    void (*put)(HeadStats&, double);  // what `of` gives then; of a count, the nearest one
};

/// Every metric, in the order of a table's columns.
std::span<const Metric> allMetrics();
/// Null where there is none of that name.
const Metric* findMetric(std::string_view name);

}  // namespace hs::stats
