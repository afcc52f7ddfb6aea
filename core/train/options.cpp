#include "train/options.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hs::train {

Json toJson(const Options& options)
{
    Json json = {{"steps", options.steps},        {"rate", options.rate},
                 {"last_rate", options.lastRate}, {"held", options.held},
                 {"warm_up", options.warmUp},     {"decay", options.decay},
                 {"beta1", options.beta1},        {"beta2", options.beta2},
                 {"clip", options.clip},          {"averaging", options.averaging},
                 {"seed", options.seed},          {"measure_every", options.measureEvery}};
    if (const auto& sparsity = options.sparsity)
        json["sparsity"] = {{"sampled", sparsity->isSampled},
                            {"first_bias", sparsity->firstBias},
                            {"bias_steps", sparsity->biasSteps},
                            {"divergence_weight", sparsity->divergenceWeight},
                            {"cross_entropy_weight", sparsity->crossEntropyWeight},
                            {"tolerance", sparsity->tolerance},
                            {"score_tolerance", sparsity->scoreTolerance},
                            {"constrains_worst", sparsity->constrainsWorst},
                            {"memory", sparsity->memory},
                            {"speed", sparsity->speed},
                            {"first_price", sparsity->firstPrice},
                            {"head_penalty", sparsity->headPenalty},
                            {"silent_heads", sparsity->silentHeads}};
    return json;
}

double rateAt(const Options& options, std::int64_t step)
{
    if (step < options.warmUp)
        return options.rate * static_cast<double>(step + 1) / static_cast<double>(options.warmUp);
    const double after = std::max(1.0, static_cast<double>(options.steps - options.warmUp));
    const double decaySteps = std::max(1.0, after * (1 - options.held));
    const double decayed = static_cast<double>(step - options.warmUp) - (after - decaySteps);
    const double share = std::clamp(decayed / decaySteps, 0.0, 1.0);
    const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * share));
    return options.rate * (options.lastRate + (1 - options.lastRate) * cosine);
}

double biasAt(const SparsityOptions& options, std::int64_t step)
{
    if (step >= options.biasSteps)
        return 0;
    return options.firstBias * (1 - static_cast<double>(step) / static_cast<double>(options.biasSteps));
}

}  // namespace hs::train
