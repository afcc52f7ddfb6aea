#include "cuda/cached_attention.h"
#include "cuda/cpu_exponential.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace hs::cuda {
namespace {

constexpr int kLanes = 4;  // that every processor adds at once
using Lanes __attribute__((vector_size(kLanes * sizeof(float)))) = float;

float dotProduct(const float* left, const float* right, int size)
{
    Lanes sums = {};
    int at = 0;
    for (; at + kLanes <= size; at += kLanes) {
        Lanes a;
        Lanes b;
        std::memcpy(&a, left + at, sizeof a);
        std::memcpy(&b, right + at, sizeof b);
        sums += a * b;
    }
    float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; at < size; ++at)
        sum += left[at] * right[at];
    return sum;
}

void turnHead(const CachedAttentionProblem& problem, const float* head, float* turned)
{
    std::copy_n(head, problem.headDim, turned);
    const int pairs = problem.rotatedPairs;
    for (int pair = 0; pair < pairs; ++pair) {
        const float cos = problem.cos[pair], sin = problem.sin[pair];
        turned[pair] = head[pair] * cos - head[pair + pairs] * sin;
        turned[pair + pairs] = head[pair + pairs] * cos + head[pair] * sin;
    }
}

/// `weights` is room for one number a key.
void attendOne(const CachedAttentionProblem& problem, const float* query, const float* keys,
               const float* values, float* weights, float* z)
{
    const int seen = problem.seen(), size = problem.headDim;
    float largest = -INFINITY;
    for (int key = 0; key < seen; ++key) {
        float score = problem.scale * dotProduct(query, keys + static_cast<std::ptrdiff_t>(key) * size, size);
        if (problem.cap > 0)
            score = problem.cap * std::tanh(score / problem.cap);
        weights[key] = score;
        largest = std::max(largest, score);
    }
    float sum = 0;
    for (int key = 0; key < seen; ++key) {
        weights[key] = exponential(weights[key] - largest);
        sum += weights[key];
    }
    std::fill_n(z, size, 0.0f);
    for (int key = 0; key < seen; ++key) {
        const float weight = weights[key] / sum;
        const float* const value = values + static_cast<std::ptrdiff_t>(key) * size;
        for (int at = 0; at < size; ++at)
            z[at] += weight * value[at];
    }
}

}  // namespace

void cachedAttentionTwin(const CachedAttentionProblem& problem, int document, int kvHead)
{
    const int size = problem.headDim;
    const int perGroup = problem.heads / problem.kvHeads;
    const float* const row =
        static_cast<const float*>(problem.qkv) +
        static_cast<std::ptrdiff_t>(document) * (problem.heads + 2 * problem.kvHeads) * size;
    const std::ptrdiff_t cache =
        (static_cast<std::ptrdiff_t>(document) * problem.kvHeads + kvHead) * problem.room * size;
    float* const keys = static_cast<float*>(problem.keys) + cache;
    float* const values = static_cast<float*>(problem.values) + cache;
    const std::ptrdiff_t newest = static_cast<std::ptrdiff_t>(problem.position) * size;
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(problem.first) * size;
    turnHead(problem, row + static_cast<std::ptrdiff_t>(problem.heads + kvHead) * size, keys + newest);
    std::copy_n(row + static_cast<std::ptrdiff_t>(problem.heads + problem.kvHeads + kvHead) * size, size,
                values + newest);
    std::vector<float> room(static_cast<std::size_t>(size + problem.seen()));
    for (int head = kvHead * perGroup; head < (kvHead + 1) * perGroup; ++head) {
        turnHead(problem, row + static_cast<std::ptrdiff_t>(head) * size, room.data());
        attendOne(problem, room.data(), keys + first, values + first, room.data() + size,
                  static_cast<float*>(problem.z) +
                      (static_cast<std::ptrdiff_t>(document) * problem.heads + head) * size);
    }
}

}  // namespace hs::cuda
