#pragma once

#include "train/losses_tensors.h"
#include "train/optimizer_tensors.h"
#include "train/recorder_tensors.h"
#include "train/shared_gradient_tensors.h"

#include <vector>

namespace hs::train {

/// The results of one step.
struct StepReport {
    double loss = 0;
    double gradientNorm = 0;
    double expectedDensity = 1;
    double density = 1;
    std::vector<double> crossEntropy;  // [group] nats per token; NaN if the batch has no row of the group
    std::vector<double> excess;        // [group] how much worse than the dense model; empty without one
};

/// What a step works with.
struct StepSetup {
    const model::ArchSpec& spec;
    const Options& options;
    const Trainable& trainable;
    at::ScalarType type = at::kFloat;               // of the computation
    const engine::ModelWeights* teacher = nullptr;  // the dense model in that type; null: none
    int groups = 1;                                 // of the batches' rows
    Operations operations = Operations::Fused;
    bool recomputes = false;                               // layers run again in the backward pass
    std::shared_ptr<const Workers> workers = oneWorker();  // each with a share of every batch
};

/// One update of all that is trained: forward, loss, gradient, AdamW, average. Several workers each take a share
/// of the batch and make the same update, of the whole batch's gradient.
class TrainingStep {
public:
    TrainingStep(const StepSetup& setup, TrainingVectors& vectors);

    /// Throws WorkerLost before anything has changed.
    StepReport run(const Batch& batch, std::int64_t step, double price);

private:
    /// The sums of a step's report over rows, and the gradient of its loss.
    struct Slope {
        at::Tensor sums;
        at::Tensor gradient;
    };

    at::Tensor update(const Slope& slope);
    Slope slopeAlone(const BatchTensors& batch, const engine::DecoderFrame& frame) const;
    Slope slopeTogether(const BatchTensors& batch, const engine::DecoderFrame& frame) const;
    SharedGradient sharedGradient() const;
    Slope summed(SharedGradient& gradient, const at::Tensor& sums) const;  // over workers
    Losses losses(const RunWeights& weights, const BatchTensors& batch,
                  const engine::DecoderFrame& frame) const;
    at::Tensor sumsOf(const Losses& losses) const;
    StepReport read(const at::Tensor& report) const;

    StepSetup m_setup;
    TrainingVectors& m_vectors;
    StepScalars m_scalars;
    std::vector<HeadId> m_silent;
    Recorder m_recorder;
};

}  // namespace hs::train
