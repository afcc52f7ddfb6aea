#pragma once

namespace hs::figures {

/// A probability; only an upper bound for a token beyond those a run lists.
struct Probability {
    double value = 0;
    bool isBound = false;

    friend bool operator==(const Probability&, const Probability&) = default;
};

/// Of a token, before and after ablation.
struct ProbabilityChange {
    Probability before;
    Probability after;

    friend bool operator==(const ProbabilityChange&, const ProbabilityChange&) = default;
};

}  // namespace hs::figures
