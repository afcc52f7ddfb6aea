#pragma once

#include "app/report/report_models.h"
#include "train/pair_report.h"
#include "train/passages.h"

namespace hs::app {

/// How far the patterns of each head are from its counterpart's, over some passages of the text; nothing if the models have
/// heads of other names. Throws Failure.
train::MovedHeads measureMoved(ReportModels& models, const train::MeasuredText& text,
                               const train::PairReport& report);

}  // namespace hs::app
