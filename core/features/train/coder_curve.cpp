#include "features/train/coder_curve.h"

#include <cstdio>
#include <numeric>

namespace hs::features {
namespace {

std::string cell(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, ",%.6g", value);
    return text;
}

}  // namespace

double meanOverLayers(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string coderCurveHeader(int layers)
{
    std::string line = "step,fvu,l0,dead,rate,gradient_norm,tokens_per_second,held_out_fvu,held_out_l0,"
                       "held_out_dead,loss,replaced_loss,held_out_kl,same_top_token";
    for (int layer = 0; layer < layers; ++layer)
        line += ",fvu L" + std::to_string(layer);
    return line + "\n";
}

std::string coderCurveLine(const CoderPoint& point)
{
    std::string line = std::to_string(point.step);
    for (const double value : {point.fvu, point.l0, static_cast<double>(point.dead), point.rate,
                               point.gradientNorm, point.tokensPerSecond})
        line += cell(value);
    if (const auto& heldOut = point.heldOut) {
        const auto dead = std::accumulate(heldOut->dead.begin(), heldOut->dead.end(), std::int64_t{0});
        for (const double value :
             {meanOverLayers(heldOut->fvu), meanOverLayers(heldOut->l0), static_cast<double>(dead),
              heldOut->loss, heldOut->replacedLoss, heldOut->divergence, heldOut->agreement})
            line += cell(value);
        for (const double fvu : heldOut->fvu)
            line += cell(fvu);
    }
    return line + "\n";
}

}  // namespace hs::features
