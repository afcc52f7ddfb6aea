#pragma once

#include "train/options.h"

#include <ATen/ATen.h>

namespace hs::train {

/// What a training changes from step to step: vectors over all weights, in float.
struct TrainingVectors {
    at::Tensor weights;
    at::Tensor mean;      // AdamW's first moment of the gradient
    at::Tensor variance;  // and second
    at::Tensor average;   // of the weights over steps
};

/// Numbers that change from step to step, on the device: a recorded step reads them there.
class StepScalars {
public:
    explicit StepScalars(at::Device device);

    /// `firstRow` is the number of the first row that this worker has of the batch.
    void set(const Options& options, std::int64_t step, double price, int firstRow = 0);

    at::Tensor rate() const { return m_values[0]; }
    at::Tensor meanCorrection() const { return m_values[1]; }
    at::Tensor varianceCorrection() const { return m_values[2]; }
    at::Tensor averageShare() const { return m_values[3]; }  // of a step's weights in their average
    at::Tensor price() const { return m_values[4]; }
    at::Tensor bias() const { return m_values.narrow(0, 5, 1); }
    at::Tensor noise() const { return m_noise; }

private:
    at::Tensor m_values;  // [6] float
    at::Tensor m_noise;   // [2] int64, seed and first row
};

/// AdamW in place: clips the gradient, moves the weights, of which the first `matrixSize` decay, and their
/// average. Returns the gradient's norm before clipping.
at::Tensor descend(TrainingVectors& vectors, const at::Tensor& gradient, std::int64_t matrixSize,
                   const Options& options, const StepScalars& scalars);

}  // namespace hs::train
