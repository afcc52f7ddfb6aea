#pragma once

#include "app/report/report_options.h"
#include "train/pair_report.h"

#include <string>

namespace hs::app {

/// Measures both models. Throws Failure; nothing is written before all is measured.
train::PairReport measureReport(const ReportOptions& options);

/// For a terminal.
std::string reportTable(const train::PairReport& report);

}  // namespace hs::app
