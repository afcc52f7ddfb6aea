#pragma once

#include "service/analysis.h"

#include <string>

namespace hs::service {

/// The line that gives the same numbers in a terminal, for a shell. Fails with the reason where no command says it:
/// heads patched from another prompt, tokens that a model wrote, a set of prompts. `answer` is the token that the
/// request means where it has no target.
Result<std::string> commandOf(const AnalysisRequest& request, const std::string& answer = {});

/// Of a run: its predictions, and its maps as run.npz.
Result<std::string> commandOf(const SideRequest& request);

/// A change of a head as --ablate takes it: "L5H1", "L2H0:mean" or "L4H3[14<10]:renormalise".
std::string ablationWords(HeadId head, const HeadChange& change);

}  // namespace hs::service
