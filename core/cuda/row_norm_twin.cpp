#include "cuda/row_norm.h"

#include <cmath>

namespace hs::cuda {

void rowNormTwin(const RowNormProblem& problem, std::int64_t begin, std::int64_t end)
{
    const auto* const scale = static_cast<const float*>(problem.scale);
    const auto* const bias = static_cast<const float*>(problem.bias);
    for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t first = row * problem.width;
        const float* const x = static_cast<const float*>(problem.x) + first;
        const float* const addend =
            problem.addend ? static_cast<const float*>(problem.addend) + first : nullptr;
        float* const y = static_cast<float*>(problem.y) + first;
        double sum = 0;
        for (int i = 0; i < problem.width; ++i)
            sum += x[i];
        const float mean = problem.isRms ? 0.0f : static_cast<float>(sum / problem.width);
        double squares = 0;
        for (int i = 0; i < problem.width; ++i)
            squares += static_cast<double>(x[i] - mean) * (x[i] - mean);
        const auto inverse = static_cast<float>(1 / std::sqrt(squares / problem.width + problem.eps));
        for (int i = 0; i < problem.width; ++i)
            y[i] = (addend ? addend[i] : 0.0f) + (x[i] - mean) * inverse * (scale ? scale[i] : 1.0f) +
                   (bias ? bias[i] : 0.0f);
    }
}

}  // namespace hs::cuda
