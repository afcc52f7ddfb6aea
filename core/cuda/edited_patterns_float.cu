#include "cuda/pattern_kernel.cuh"

namespace hs::cuda {

template void launchEditedPatterns<float>(const PatternProblem&, const PatternResult&, Stream);

}  // namespace hs::cuda
