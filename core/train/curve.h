#pragma once

#include "train/held_out.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hs::train {

/// A training at one step: the means since the previous point, and the held-out part if it was measured.
struct CurvePoint {
    std::int64_t step = 0;   // steps made
    std::int64_t steps = 0;  // steps in all; 0: not decided yet
    double loss = 0;
    double crossEntropy = 0;
    double excess = 0;  // how much worse than the dense model, in nats per token; 0 without one
    double expectedDensity = 0;
    double density = 0;
    double price = 0;
    double rate = 0;
    double gradientNorm = 0;
    double tokensPerSecond = 0;
    double secondsLeft = 0;
    std::optional<HeldOutMeasure> heldOut;
    std::vector<std::string> notes;  // sentences for the user; not part of the CSV
};

/// The CSV's first line and one line for a point; both end with a newline.
std::string curveHeader(const std::vector<std::string>& groups);
std::string curveLine(const CurvePoint& point);

/// The lines of a curve up to and including a step, its header first: what a resumed training continues
/// from.
std::string curveUpTo(const std::string& csv, std::int64_t step);

}  // namespace hs::train
