#pragma once

#include "base/json.h"

#include <cstdint>
#include <optional>

namespace hs::train {

/// How a dense model is made sparse: open cells have a price, as high as the loss allows.
struct SparsityOptions {
    bool isSampled = false;  // gates drawn at random while training, instead of score + bias > 0
    double firstBias = 0;    // of the gate, falling to 0 over `biasSteps`
    std::int64_t biasSteps = 0;
    double divergenceWeight = 1;    // of KL(dense || sparse) in the loss
    double crossEntropyWeight = 0;  // of the data's cross entropy in the loss
    double tolerance = 0.02;        // nats per token by which the model may be worse than the dense one
    double scoreTolerance = 0.005;  // share of answers by which each task may be worse
    bool constrainsWorst = true;    // the worst task is held to the tolerance, not the mean
    double memory = 0.98;           // of the moving average that the constraint is compared with
    double speed = 0.005;           // most the price may grow or shrink per step, as a share
    double firstPrice = 1;
    double headPenalty = 0;  // what a head's first open cell costs beyond the price of a cell
    int silentHeads = 0;     // that many, those missed least, have no open cell from the start

    friend bool operator==(const SparsityOptions&, const SparsityOptions&) = default;
};

/// Everything that decides what a training computes, besides model and data.
struct Options {
    std::int64_t steps = 5000;
    double rate = 1e-3;         // highest learning rate
    double lastRate = 0.01;     // share of it that is left at the end of the decay
    double held = 0;            // share of the steps after the warm-up in which it stays highest
    std::int64_t warmUp = 100;  // steps
    double decay = 0.01;        // AdamW's, of matrices
    double beta1 = 0.9;
    double beta2 = 0.98;
    double clip = 1;          // largest norm of the gradient
    double averaging = 0.99;  // weights are averaged over steps with this memory; the average is kept
    std::uint64_t seed = 1;
    std::int64_t measureEvery = 250;  // steps between measurements of the held-out part
    std::optional<SparsityOptions> sparsity;

    friend bool operator==(const Options&, const Options&) = default;
};

/// For the record in a checkpoint, which is only resumed with equal options.
Json toJson(const Options& options);

/// The learning rate of a step: a linear rise, a plain, then half a cosine.
double rateAt(const Options& options, std::int64_t step);

/// The gate's bias at a step.
double biasAt(const SparsityOptions& options, std::int64_t step);

}  // namespace hs::train
