#pragma once

#include "train/pair_report.h"

#include <string>

namespace hs::app {

/// Fails where writeReportPage would: call it before the work, so that none is lost. Throws Failure.
void requireReportPage(const std::string& file);

/// Draws a report on one page. Throws Failure.
void writeReportPage(const train::PairReport& report, const std::string& file);

}  // namespace hs::app
