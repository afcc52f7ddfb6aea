#pragma once

#include "app/report/report_options.h"

#include <string>

namespace hs::app {

/// What `compare --report` takes besides the options of compare, as the user typed it.
struct ReportArguments {
    bool isWanted = false;
    std::string data;
    std::string from;
    std::string out;
    std::string tasks;
    ReportOptions options;
};

void addReportOptions(CLI::App& command, ReportArguments& arguments);

/// Measures or reads the report, prints its table and writes its files. The options have models, text and run;
/// `json` is as for compare, but empty means none. Throws Failure.
void runReport(ReportArguments arguments, const std::string& json);

}  // namespace hs::app
