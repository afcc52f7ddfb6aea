#include "cuda/pattern_kernel.cuh"

namespace hs::cuda {

extern template void launchPatterns<float>(const PatternProblem&, const PatternResult&, Stream);
extern template void launchEditedPatterns<float>(const PatternProblem&, const PatternResult&, Stream);
extern template void launchPatterns<Bfloat16>(const PatternProblem&, const PatternResult&, Stream);
extern template void launchEditedPatterns<Bfloat16>(const PatternProblem&, const PatternResult&, Stream);
extern template void launchPatterns<Half>(const PatternProblem&, const PatternResult&, Stream);
extern template void launchEditedPatterns<Half>(const PatternProblem&, const PatternResult&, Stream);

std::size_t patternScratchBytes(const PatternProblem& problem)
{
    const Scratch layout(problem, nullptr);
    return reinterpret_cast<std::size_t>(layout.rowCells) +
           roundedUp(Scratch::slots(problem) * static_cast<std::size_t>(problem.length) *
                     static_cast<std::size_t>(problem.tileSide));
}

void attentionPatterns(const PatternProblem& problem, const PatternResult& result, Stream stream)
{
    withAnyType(problem.precision, [&](auto number) {
        using Number = decltype(number);
        launchPatterns<Number>(problem, result, stream);
        if (problem.edits)
            launchEditedPatterns<Number>(problem, result, stream);
    });
}

}  // namespace hs::cuda
