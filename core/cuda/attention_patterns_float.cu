#include "cuda/pattern_kernel.cuh"

namespace hs::cuda {

template void launchPatterns<float>(const PatternProblem&, const PatternResult&, Stream);

}  // namespace hs::cuda
