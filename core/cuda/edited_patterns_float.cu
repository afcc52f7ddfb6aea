#include "cuda/pattern_kernel.cuh"

namespace hs::cuda {

template void launchPatterns<float, true>(const PatternProblem&, const PatternResult&, Stream);

}  // namespace hs::cuda
