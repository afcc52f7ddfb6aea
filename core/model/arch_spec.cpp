#include "model/arch_spec.h"

#include <cmath>
#include <numbers>

namespace hs::model {
namespace {

/// Llama 3.1's scaling: long wavelengths are stretched, short ones kept, those between blended.
double scaledLlama3(double frequency, const RopeScaling& scaling)
{
    const double wavelength = 2 * std::numbers::pi / frequency;
    if (wavelength > scaling.originalContext / scaling.lowFrequencyFactor)
        return frequency / scaling.factor;
    if (wavelength < scaling.originalContext / scaling.highFrequencyFactor)
        return frequency;
    const double keep = (scaling.originalContext / wavelength - scaling.lowFrequencyFactor) /
                        (scaling.highFrequencyFactor - scaling.lowFrequencyFactor);
    return (1 - keep) * frequency / scaling.factor + keep * frequency;
}

}  // namespace

double ArchSpec::scoreScale(int layer) const
{
    const double scale = scalesScores ? 1 / std::sqrt(static_cast<double>(headDim)) : 1.0;
    return scalesScoresByLayer ? scale / (layer + 1) : scale;
}

std::vector<float> rotaryFrequencies(const ArchSpec& spec)
{
    std::vector<float> frequencies;
    for (int dim = 0; dim < spec.rotaryDims; dim += 2) {
        double frequency = std::pow(spec.ropeTheta, -static_cast<double>(dim) / spec.rotaryDims);
        if (spec.ropeScaling.kind == RopeScaling::Kind::Linear)
            frequency /= spec.ropeScaling.factor;
        else if (spec.ropeScaling.kind == RopeScaling::Kind::Llama3)
            frequency = scaledLlama3(frequency, spec.ropeScaling);
        else if (spec.ropeScaling.kind == RopeScaling::Kind::Factors)
            frequency /= spec.ropeScaling.factors[static_cast<std::size_t>(dim) / 2];
        frequencies.push_back(static_cast<float>(frequency));
    }
    return frequencies;
}

}  // namespace hs::model
