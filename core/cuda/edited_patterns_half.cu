#include "cuda/pattern_kernel.cuh"

namespace hs::cuda {

template void launchEditedPatterns<Bfloat16>(const PatternProblem&, const PatternResult&, Stream);
template void launchEditedPatterns<Half>(const PatternProblem&, const PatternResult&, Stream);

}  // namespace hs::cuda
