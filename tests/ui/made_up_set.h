#pragma once

#include "service/backend.h"

namespace hs::test {

/// A made-up run as the averages of its request's set, of as many prompts as its file has or, of a part, the first half.
service::SideResult asSet(service::SideResult run, bool isPart);

/// Made-up losses and answers of a set, or of its first half. A model with a gate answers every third prompt otherwise.
analyses::SetResult madeUpScores(const service::AnalysisRequest& request, bool isPart);

}  // namespace hs::test
