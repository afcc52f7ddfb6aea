#include "cuda/activation_math.h"
#include "cuda/mlp_activation.h"

namespace hs::cuda {

void activateMlpTwin(const MlpActivation& problem, std::int64_t begin, std::int64_t end)
{
    const std::int64_t stride = problem.isGated ? 2 * problem.width : problem.width;
    for (std::int64_t row = begin; row < end; ++row) {
        float* const inner = static_cast<float*>(problem.inner) + row * stride;
        for (int i = 0; i < problem.width; ++i)
            inner[i] = activated(problem.activation, inner[i]).value *
                       (problem.isGated ? inner[problem.width + i] : 1.0f);
    }
}

}  // namespace hs::cuda
