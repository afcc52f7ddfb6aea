#include "cuda/pattern_kernel.cuh"

namespace hs::cuda {

template void launchPatterns<Half, false>(const PatternProblem&, const PatternResult&, Stream);

}  // namespace hs::cuda
