#pragma once

#include "train/losses_tensors.h"
#include "train/optimizer_tensors.h"
#include "train/parameters_tensors.h"
#include "train/recorder_tensors.h"
#include "train/workers/shared_gradient_tensors.h"

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

/// One update of all weights: forward, loss, gradient, AdamW, average. Several workers each take a share of the
/// batch and make the same update, of the whole batch's gradient.
class TrainingStep {
public:
    /// `teacher` is the dense model's vector in the type of the computation; undefined without one.
    TrainingStep(const model::ArchSpec& spec, const Options& options, at::ScalarType type, int groups,
                 TrainingVectors& vectors, const at::Tensor& teacher, Operations operations,
                 std::shared_ptr<const Workers> workers = oneWorker());

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
    Losses losses(const engine::ModelWeights& weights, const BatchTensors& batch,
                  const engine::DecoderFrame& frame) const;
    at::Tensor sumsOf(const Losses& losses) const;
    StepReport read(const at::Tensor& report) const;

    const model::ArchSpec& m_spec;
    const Options& m_options;
    ParameterLayout m_layout;
    at::ScalarType m_type;
    int m_groups;
    TrainingVectors& m_vectors;
    engine::ModelWeights m_teacher;
    Operations m_operations;
    std::shared_ptr<const Workers> m_workers;
    StepScalars m_scalars;
    Recorder m_recorder;
};

}  // namespace hs::train
