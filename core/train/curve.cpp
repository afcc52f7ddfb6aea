#include "train/curve.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace hs::train {
namespace {

std::string number(double value)
{
    if (std::isnan(value))
        return "";
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

}  // namespace

std::string curveHeader(const std::vector<std::string>& groups)
{
    std::string line = "step,loss,cross_entropy,excess,expected_density,density,price,rate,gradient_norm,"
                       "tokens_per_second,held_out_cross_entropy,held_out_kl,held_out_density,"
                       "heads_ever_active,most_heads_active";
    for (const std::string& group : groups)
        line += ",kl " + group + ",score " + group;
    return line + "\n";
}

std::string curveLine(const CurvePoint& point)
{
    std::string line = std::to_string(point.step);
    for (const double value :
         {point.loss, point.crossEntropy, point.excess, point.expectedDensity, point.density, point.price,
          point.rate, point.gradientNorm, point.tokensPerSecond})
        line += "," + number(value);
    if (const auto& heldOut = point.heldOut) {
        for (const double value : {heldOut->crossEntropy, heldOut->divergence, heldOut->density})
            line += "," + number(value);
        line +=
            "," + std::to_string(heldOut->headsEverActive) + "," + std::to_string(heldOut->mostHeadsActive);
        for (const GroupMeasure& group : heldOut->groups)
            line += "," + number(group.divergence) + "," + number(group.score);
    }
    return line + "\n";
}

std::string curveUpTo(const std::string& csv, std::int64_t step)
{
    std::istringstream lines(csv);
    std::string kept;
    std::string line;
    for (bool isHeader = true; std::getline(lines, line); isHeader = false)
        if (isHeader || std::atoll(line.c_str()) <= step)
            kept += line + "\n";
    return kept;
}

}  // namespace hs::train
