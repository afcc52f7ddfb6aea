#include "cuda/head_preparation.h"

#include <algorithm>
#include <cmath>

namespace hs::cuda {
namespace {

void normTwin(float* numbers, int count, const float* scale, float eps)
{
    double squares = 0;
    for (int i = 0; i < count; ++i)
        squares += static_cast<double>(numbers[i]) * numbers[i];
    const auto inverse = static_cast<float>(1 / std::sqrt(squares / count + eps));
    for (int i = 0; i < count; ++i)
        numbers[i] = numbers[i] * inverse * (scale ? scale[i] : 1.0f);
}

void normHeads(const HeadPreparation& problem, float* first, int heads, const void* scale)
{
    const bool isPerHead = problem.norm == HeadNorm::PerHead;
    const int width = isPerHead ? problem.headDim : heads * problem.headDim;
    for (int group = 0; group < (isPerHead ? heads : 1); ++group)
        normTwin(first + group * width, width, static_cast<const float*>(scale), problem.eps);
}

void turn(const HeadPreparation& problem, float* head, int position)
{
    const int pairs = problem.rotatedPairs;
    for (int d = 0; d < pairs; ++d) {
        const std::size_t angle = std::size_t(position) * std::size_t(pairs) + std::size_t(d);
        const float first = head[d];
        const float second = head[d + pairs];
        head[d] = first * problem.cos[angle] - second * problem.sin[angle];
        head[d + pairs] = second * problem.cos[angle] + first * problem.sin[angle];
    }
}

}  // namespace

void prepareHeadsTwin(const HeadPreparation& problem, int begin, int end)
{
    const int slots = problem.heads + 2 * problem.kvHeads;
    const int width = slots * problem.headDim;
    for (int position = begin; position < end; ++position) {
        float* const row = static_cast<float*>(problem.qkv) + std::size_t(position) * std::size_t(width);
        if (problem.clip > 0)
            for (int i = 0; i < width; ++i)
                row[i] = std::clamp(row[i], -problem.clip, problem.clip);
        if (problem.norm != HeadNorm::None) {
            normHeads(problem, row, problem.heads, problem.queryScale);
            normHeads(problem, row + problem.heads * problem.headDim, problem.kvHeads, problem.keyScale);
        }
        for (int slot = 0; slot < problem.heads + problem.kvHeads; ++slot)
            turn(problem, row + slot * problem.headDim, position);
    }
}

}  // namespace hs::cuda
