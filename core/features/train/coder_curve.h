#pragma once

#include "features/train/coder_measure.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hs::features {

/// A training of transcoders at one step: the means since the previous point, and the held-out part if it was
/// measured.
struct CoderPoint {
    std::int64_t step = 0;   // steps made
    std::int64_t steps = 0;  // steps in all; 0: not decided yet
    double fvu = 0;          // mean over layers, as l0
    double l0 = 0;
    std::int64_t dead = 0;  // features of all layers that have not fired for long
    double rate = 0;
    double gradientNorm = 0;
    double tokensPerSecond = 0;
    double secondsLeft = 0;
    std::optional<CoderMeasure> heldOut;
    std::vector<std::string> notes;  // sentences for the user; not part of the CSV
};

double meanOverLayers(const std::vector<double>& values);

/// The CSV's first line and one line for a point; both end with a newline. train::curveUpTo cuts it.
std::string coderCurveHeader(int layers);
std::string coderCurveLine(const CoderPoint& point);

}  // namespace hs::features
