#include "cuda/map_sums.h"

#include <cstdint>

namespace hs::cuda {
namespace {

constexpr int kThreads = 256;

/// mantissa * 2^exponent as a multiple of 2^-kMapFraction.
__device__ MapUnits unitsOf(std::uint64_t mantissa, int exponent)
{
    const int shift = exponent + kMapFraction;
    if (shift >= 0)
        return static_cast<MapUnits>(mantissa) << shift;
    return shift > -64 ? static_cast<MapUnits>(mantissa >> -shift) : 0;
}

/// A thread has one cell in all prompts.
__global__ void __launch_bounds__(kThreads) mapSumKernel(MapSums problem)
{
    const std::int64_t side = problem.length;
    const std::int64_t cells = problem.heads * side * side;
    const std::int64_t cell = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (cell >= cells || cell % side > cell / side % side)
        return;
    MapUnits sum = 0;
    MapUnits squares = 0;
    float largest = 0;
    for (int prompt = 0; prompt < problem.prompts; ++prompt) {
        const float weight = problem.maps[prompt * cells + cell];
        const std::uint32_t bits = __float_as_uint(weight);
        const int exponent = static_cast<int>(bits >> 23);  // a weight is not negative
        const std::uint64_t mantissa = (bits & 0x7fffff) | (exponent ? 0x800000 : 0);
        const int last = (exponent ? exponent : 1) - 150;
        sum += unitsOf(mantissa, last);
        squares += unitsOf(mantissa * mantissa, 2 * last);
        largest = fmaxf(largest, weight);
    }
    problem.sums[cell] += sum;
    problem.squares[cell] += squares;
    problem.largest[cell] = fmaxf(problem.largest[cell], largest);
}

}  // namespace

void addMaps(const MapSums& problem, Stream stream)
{
    const std::int64_t cells = static_cast<std::int64_t>(problem.heads) * problem.length * problem.length;
    mapSumKernel<<<static_cast<unsigned>((cells + kThreads - 1) / kThreads), kThreads, 0, stream>>>(problem);
}

}  // namespace hs::cuda
