#include "cuda/pattern_kernel.cuh"

namespace hs::cuda {

template void launchPatterns<Bfloat16, false>(const PatternProblem&, const PatternResult&, Stream);
template void launchPatterns<Half, false>(const PatternProblem&, const PatternResult&, Stream);

}  // namespace hs::cuda
