#pragma once

#include "train/losses_tensors.h"
#include "train/optimizer_tensors.h"
#include "train/parameters_tensors.h"
#include "train/recorder_tensors.h"

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

/// One update of all weights: forward, loss, gradient, AdamW, average.
class TrainingStep {
public:
    /// `teacher` is the dense model's vector in the type of the computation; undefined without one.
    TrainingStep(const model::ArchSpec& spec, const Options& options, at::ScalarType type, int groups,
                 TrainingVectors& vectors, const at::Tensor& teacher, Operations operations);

    StepReport run(const Batch& batch, std::int64_t step, double price);

private:
    at::Tensor update(const BatchTensors& batch, const engine::DecoderFrame& frame);
    Losses losses(const at::Tensor& weights, const BatchTensors& batch,
                  const engine::DecoderFrame& frame) const;
    StepReport read(const at::Tensor& report) const;

    const model::ArchSpec& m_spec;
    const Options& m_options;
    ParameterLayout m_layout;
    at::ScalarType m_type;
    int m_groups;
    TrainingVectors& m_vectors;
    engine::ModelWeights m_teacher;
    Operations m_operations;
    StepScalars m_scalars;
    Recorder m_recorder;
};

}  // namespace hs::train
