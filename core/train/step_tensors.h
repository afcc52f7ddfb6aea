#pragma once

#include "train/forward_tensors.h"
#include "train/options.h"
#include "train/parameters_tensors.h"
#include "train/recorder_tensors.h"

#include <vector>

namespace hs::train {

/// What a training changes from step to step: vectors over all weights, in float.
struct TrainingVectors {
    at::Tensor weights;
    at::Tensor mean;      // AdamW's first moment of the gradient
    at::Tensor variance;  // and second
    at::Tensor average;   // of the weights over steps
};

/// The results of one step.
struct StepReport {
    double loss = 0;
    double gradientNorm = 0;
    double expectedDensity = 1;
    double density = 1;
    std::vector<double> crossEntropy;  // [group] nats per token; NaN if the batch has no row of the group
    std::vector<double> excess;        // [group] how much worse than the dense model; empty without one
};

/// Numbers that change from step to step, on the device: a recorded step reads them there.
class StepScalars {
public:
    explicit StepScalars(at::Device device);

    void set(const Options& options, std::int64_t step, double price);

    at::Tensor rate() const { return m_values[0]; }
    at::Tensor meanCorrection() const { return m_values[1]; }
    at::Tensor varianceCorrection() const { return m_values[2]; }
    at::Tensor averageShare() const { return m_values[3]; }  // of a step's weights in their average
    at::Tensor price() const { return m_values[4]; }
    at::Tensor bias() const { return m_values.narrow(0, 5, 1); }
    at::Tensor seed() const { return m_seed; }

private:
    at::Tensor m_values;  // [6] float
    at::Tensor m_seed;    // [1] int64
};

/// One update of all weights: forward, loss, gradient, AdamW, average.
class TrainingStep {
public:
    /// `teacher` is the dense model's vector in the type of the computation; undefined without one.
    TrainingStep(const model::ArchSpec& spec, const Options& options, at::ScalarType type, int groups,
                 TrainingVectors& vectors, const at::Tensor& teacher, Operations operations);

    StepReport run(const Batch& batch, std::int64_t step, double price);

private:
    struct Losses;

    at::Tensor update(const BatchTensors& batch, const engine::DecoderFrame& frame);
    Losses losses(const at::Tensor& weights, const BatchTensors& batch,
                  const engine::DecoderFrame& frame) const;
    at::Tensor descend(const at::Tensor& gradient);
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
