#pragma once

#include "app/report/report_models.h"
#include "train/pair_report.h"
#include "train/passages.h"

namespace hs::app {

/// The text of a report: what was given, or what the dense model writes.
struct ReportText {
    train::MeasuredText text;
    std::string source;
};
/// Throws Failure.
ReportText reportText(ReportModels& models, const ReportOptions& options);

/// Both models on passages of the text, of every length, with and without a first token. Throws Failure.
std::vector<train::TextReport> measureText(ReportModels& models, const train::MeasuredText& text,
                                           const ReportOptions& options);

}  // namespace hs::app
