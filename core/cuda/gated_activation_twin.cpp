#include "cuda/activation_math.h"
#include "cuda/gated_activation.h"

namespace hs::cuda {

void gatedActivationForwardTwin(const ActivationProblem& problem, float* y, std::int64_t begin,
                                std::int64_t end)
{
    const int width = problem.width;
    for (std::int64_t row = begin; row < end; ++row) {
        const float* const gate = static_cast<const float*>(problem.inner) + 2 * row * width;
        for (int i = 0; i < width; ++i)
            y[row * width + i] = activated(problem.activation, gate[i]).value * gate[width + i];
    }
}

void gatedActivationBackwardTwin(const ActivationProblem& problem, const float* dy, float* dInner,
                                 std::int64_t begin, std::int64_t end)
{
    const int width = problem.width;
    for (std::int64_t row = begin; row < end; ++row) {
        const float* const gate = static_cast<const float*>(problem.inner) + 2 * row * width;
        float* const dGate = dInner + 2 * row * width;
        for (int i = 0; i < width; ++i) {
            const Activated active = activated(problem.activation, gate[i]);
            dGate[i] = dy[row * width + i] * active.slope * gate[width + i];
            dGate[width + i] = dy[row * width + i] * active.value;
        }
    }
}

}  // namespace hs::cuda
