#pragma once

#include "cuda/adam_step.h"
#include "engine/device/torch.h"
#include "train/options.h"

namespace hs::train {

/// What a training changes from step to step: vectors over all that is trained. Moments may be narrow: in
/// bfloat16 they are rounded at random, up or down, so that they are right on average.
struct TrainingVectors {
    at::Tensor weights;    // float
    at::Tensor mean;       // AdamW's first moment of the gradient, float or bfloat16
    at::Tensor deviation;  // the root of its second, in the same type
    at::Tensor average;    // of the weights over steps, float
};

/// Before the first step; takes over `weights`.
TrainingVectors startingVectors(const at::Tensor& weights, at::ScalarType states);

/// Numbers that change from step to step, on the device: a recorded step reads them there.
class StepScalars {
public:
    explicit StepScalars(at::Device device);

    /// `firstRow` is the number of the first row that this worker has of the batch.
    void set(const Options& options, std::int64_t step, double price, int firstRow = 0);

    const cuda::AdamScalars* adam() const
    {
        return reinterpret_cast<const cuda::AdamScalars*>(m_values.data_ptr<float>());
    }
    at::Tensor price() const { return m_values[4]; }
    at::Tensor bias() const { return m_values.narrow(0, 5, 1); }
    at::Tensor noise() const { return m_noise; }

private:
    at::Tensor m_values;  // [6] float: those of cuda::AdamScalars, price, bias
    at::Tensor m_noise;   // [2] int64, seed and first row
};

/// AdamW in place, in one pass: clips the gradient (float or bfloat16), moves the weights, of which the first `matrixSize` decay, and their
/// average. Returns the gradient's norm before clipping.
at::Tensor descend(TrainingVectors& vectors, const at::Tensor& gradient, std::int64_t matrixSize,
                   const Options& options, const StepScalars& scalars);

}  // namespace hs::train
