#include "cuda/adam_math.h"

namespace hs::cuda {

void adamStepTwin(const AdamProblem& problem, std::int64_t begin, std::int64_t end)
{
    withAdamTypes(problem, [&](auto gradient, auto state) {
        for (std::int64_t index = begin; index < end; ++index)
            adamNumber<decltype(gradient), decltype(state)>(problem, *problem.scalars, index);
    });
}

}  // namespace hs::cuda
