#include "model/arch_spec.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hs::model {
namespace {

/// Llama 3.1's scaling: long wavelengths are stretched, short ones kept, those between blended.
double scaledLlama3(double frequency, const Rope& rope)
{
    const double wavelength = 2 * std::numbers::pi / frequency;
    if (wavelength > rope.originalContext / rope.lowFrequencyFactor)
        return frequency / rope.factor;
    if (wavelength < rope.originalContext / rope.highFrequencyFactor)
        return frequency;
    const double keep = (rope.originalContext / wavelength - rope.lowFrequencyFactor) /
                        (rope.highFrequencyFactor - rope.lowFrequencyFactor);
    return (1 - keep) * frequency / rope.factor + keep * frequency;
}

/// YaRN's: the same, blended by the number of the pair instead of its wavelength.
double scaledYarn(double frequency, int pair, const Rope& rope, int rotaryDims)
{
    const auto pairWithTurns = [&](double turns) {
        return rotaryDims * std::log(rope.originalContext / (turns * 2 * std::numbers::pi)) /
               (2 * std::log(rope.theta));
    };
    const double fast = pairWithTurns(rope.betaFast);
    const double slow = pairWithTurns(rope.betaSlow);
    const double first = std::max(rope.truncates ? std::floor(fast) : fast, 0.0);
    double last = std::min(rope.truncates ? std::ceil(slow) : slow, rotaryDims - 1.0);
    if (last == first)
        last += 0.001;
    const double stretch = std::clamp((pair - first) / (last - first), 0.0, 1.0);
    return frequency * ((1 - stretch) + stretch / rope.factor);
}

double scaled(double frequency, int pair, const Rope& rope, int rotaryDims, std::int64_t length)
{
    switch (rope.kind) {
    case Rope::Kind::Plain: break;
    case Rope::Kind::Linear: return frequency / rope.factor;
    case Rope::Kind::Llama3: return scaledLlama3(frequency, rope);
    case Rope::Kind::Yarn: return scaledYarn(frequency, pair, rope, rotaryDims);
    case Rope::Kind::LongRope: {
        const bool isLong = static_cast<double>(length) > rope.originalContext;
        return frequency / (isLong ? rope.longFactors : rope.shortFactors)[static_cast<std::size_t>(pair)];
    }
    }
    return frequency;
}

}  // namespace

double ArchSpec::scoreScale(int layer) const
{
    const double scale = scoreFactor.value_or(1 / std::sqrt(static_cast<double>(headDim)));
    return scalesScoresByLayer ? scale / (layer + 1) : scale;
}

std::vector<float> rotaryFrequencies(const Rope& rope, int rotaryDims, std::int64_t length)
{
    std::vector<float> frequencies;
    for (int dim = 0; dim < rotaryDims; dim += 2) {
        // In float, as transformers does: far from the start a last digit more is another angle.
        const float plain = 1 / std::pow(static_cast<float>(rope.theta),
                                         static_cast<float>(dim) / static_cast<float>(rotaryDims));
        frequencies.push_back(static_cast<float>(scaled(plain, dim / 2, rope, rotaryDims, length)));
    }
    return frequencies;
}

}  // namespace hs::model
