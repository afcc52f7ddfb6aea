#include "cuda/pattern_kernel.cuh"

namespace hs::cuda {

template void launchPatterns<Bfloat16>(const PatternProblem&, const PatternResult&, Stream);
template void launchPatterns<Half>(const PatternProblem&, const PatternResult&, Stream);

}  // namespace hs::cuda
