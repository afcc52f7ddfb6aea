#include "cuda/rms_norm.h"

#include <cmath>

namespace hs::cuda {

void rmsNormForwardTwin(const NormProblem& problem, float* y, float* inverse, std::int64_t begin,
                        std::int64_t end)
{
    const auto* const scale = static_cast<const float*>(problem.scale);
    for (std::int64_t row = begin; row < end; ++row) {
        const float* const x = static_cast<const float*>(problem.x) + row * problem.width;
        float* const target = y + row * problem.width;
        float squares = 0;
        for (int i = 0; i < problem.width; ++i)
            squares += x[i] * x[i];
        inverse[row] = 1 / std::sqrt(squares / static_cast<float>(problem.width) + problem.eps);
        for (int i = 0; i < problem.width; ++i)
            target[i] = x[i] * inverse[row] * (scale ? scale[i] : 1);
    }
}

void rmsNormBackwardTwin(const NormProblem& problem, const NormGradient& gradient, std::int64_t begin,
                         std::int64_t end)
{
    const auto* const scale = static_cast<const float*>(problem.scale);
    for (std::int64_t row = begin; row < end; ++row) {
        const float* const x = static_cast<const float*>(problem.x) + row * problem.width;
        const float* const dy = static_cast<const float*>(gradient.dy) + row * problem.width;
        float* const dx = static_cast<float*>(gradient.dx) + row * problem.width;
        const float inverse = gradient.inverse[row];
        float along = 0;  // how far the gradient points along the normed row
        for (int i = 0; i < problem.width; ++i) {
            along += dy[i] * (scale ? scale[i] : 1) * x[i] * inverse;
            if (gradient.dScale)
                gradient.dScale[i] += dy[i] * x[i] * inverse;
        }
        along /= static_cast<float>(problem.width);
        for (int i = 0; i < problem.width; ++i)
            dx[i] = inverse * (dy[i] * (scale ? scale[i] : 1) - x[i] * inverse * along);
    }
}

}  // namespace hs::cuda
