#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

/// Numbers of one step that a recorded step reads on the device.
struct AdamScalars {
    float rate;
    float meanCorrection;
    float varianceCorrection;
    float averageShare;  // of this step's weights in their average
};

/// One update of AdamW over vectors of one size.
struct AdamProblem {
    std::int64_t size = 0;
    std::int64_t matrixSize = 0;  // so many of the first weights decay
    float beta1 = 0;
    float beta2 = 0;
    float decay = 0;
    Precision gradientPrecision = Precision::Float;  // or Bfloat16
    Precision statePrecision = Precision::Float;     // of mean and deviation; or Bfloat16
    const void* gradient = nullptr;
    float* weights = nullptr;
    void* mean = nullptr;
    void* deviation = nullptr;  // root of the second moment
    float* average = nullptr;
    const AdamScalars* scalars = nullptr;
    const float* clip = nullptr;         // [1] what the gradient is multiplied by
    const std::int64_t* seed = nullptr;  // [1] of the noise with which states are rounded
};

void adamStep(const AdamProblem& problem, Stream stream);

/// The twin, for numbers [begin, end).
void adamStepTwin(const AdamProblem& problem, std::int64_t begin, std::int64_t end);

}  // namespace hs::cuda
