#include "cuda/map_sums.h"

#include <cstdint>

namespace hs::cuda {
namespace {

constexpr int kCells = 64;  // of a block
constexpr int kParts = 4;   // of the prompts, which threads of a block share out

/// mantissa * 2^exponent as a multiple of 2^-kMapFraction.
__device__ MapUnits unitsOf(std::uint64_t mantissa, int exponent)
{
    const int shift = exponent + kMapFraction;
    if (shift >= 0)
        return static_cast<MapUnits>(mantissa) << shift;
    return shift > -64 ? static_cast<MapUnits>(mantissa >> -shift) : 0;
}

struct CellTotals {
    MapUnits sum = 0;
    MapUnits squares = 0;
    float largest = 0;

    __device__ void add(float weight)
    {
        const std::uint32_t bits = __float_as_uint(weight);
        const int exponent = static_cast<int>(bits >> 23);  // a weight is not negative
        const std::uint64_t mantissa = (bits & 0x7fffff) | (exponent ? 0x800000 : 0);
        const int last = (exponent ? exponent : 1) - 150;
        sum += unitsOf(mantissa, last);
        squares += unitsOf(mantissa * mantissa, 2 * last);
        largest = fmaxf(largest, weight);
    }
    __device__ void add(const CellTotals& other)
    {
        sum += other.sum;
        squares += other.squares;
        largest = fmaxf(largest, other.largest);
    }
};

/// Cells of a head's map in the rows above `query` whose key is not after their query.
__host__ __device__ std::int64_t cellsBefore(std::int64_t query)
{
    return query * (query + 1) / 2;
}

/// Where the n-th cell is whose key is not after its query, in a map of all heads one after another.
__device__ std::int64_t placeOf(std::int64_t number, std::int64_t side)
{
    const std::int64_t head = number / cellsBefore(side);
    const std::int64_t inHead = number % cellsBefore(side);
    auto query = static_cast<std::int64_t>((sqrt(8.0 * static_cast<double>(inHead) + 1) - 1) / 2);
    query += cellsBefore(query + 1) <= inHead;
    query -= cellsBefore(query) > inHead;
    return (head * side + query) * side + inHead - cellsBefore(query);
}

/// A thread adds up a cell over every kParts-th prompt; the first of a cell's threads adds up what the others found.
__global__ void __launch_bounds__(kCells* kParts) mapSumKernel(MapSums problem)
{
    __shared__ CellTotals parts[kParts][kCells];
    const std::int64_t side = problem.length;
    const std::int64_t number = static_cast<std::int64_t>(blockIdx.x) * kCells + threadIdx.x;
    const bool isCell = number < problem.heads * cellsBefore(side);
    const std::int64_t cell = isCell ? placeOf(number, side) : 0;
    CellTotals totals;
    if (isCell)
        for (int prompt = threadIdx.y; prompt < problem.prompts; prompt += kParts)
            totals.add(problem.maps[prompt * problem.heads * side * side + cell]);
    parts[threadIdx.y][threadIdx.x] = totals;
    __syncthreads();
    if (!isCell || threadIdx.y > 0)
        return;
    for (int part = 1; part < kParts; ++part)
        totals.add(parts[part][threadIdx.x]);
    problem.sums[cell] += totals.sum;
    problem.squares[cell] += totals.squares;
    problem.largest[cell] = fmaxf(problem.largest[cell], totals.largest);
}

}  // namespace

void addMaps(const MapSums& problem, Stream stream)
{
    const std::int64_t cells = problem.heads * cellsBefore(problem.length);
    mapSumKernel<<<static_cast<unsigned>((cells + kCells - 1) / kCells), dim3(kCells, kParts), 0, stream>>>(
        problem);
}

}  // namespace hs::cuda
