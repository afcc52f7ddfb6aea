#pragma once

#include "engine/request/run_request.h"

#include <QString>

namespace hs::panels {

/// "zero", "mean", "patched": one word for the kind of an ablation.
QString nameOf(const HeadChange& change);

/// "L3H1 is ablated to its mean": a sentence about a head.
QString describeAblation(HeadId head, const HeadChange& change);

/// "L1H2, L3H0 (mean), L4H4 (patched), …": the first few; zero is the default and not named.
QString namesOf(const std::map<HeadId, HeadChange>& ablations);

}  // namespace hs::panels
