#pragma once

#include "cuda/attention_tiles.cuh"
#include "cuda/gate_noise.h"
#include "cuda/half_products.cuh"

#include <cuda_runtime_api.h>

namespace hs::cuda {

/// Queries, keys or values (in this order in the packed projections) of one head of one prompt; T is
/// const to read them.
template <class T>
__device__ HeadRows<T> packedRows(const AttentionProblem& problem, T* qkv, int prompt, int slot,
                                  bool isVector)
{
    const std::int64_t stride =
        static_cast<std::int64_t>(problem.heads + 2 * problem.kvHeads) * problem.headDim;
    const bool isTurned = slot < problem.heads + problem.kvHeads;
    return {qkv + prompt * problem.length * stride + static_cast<std::int64_t>(slot) * problem.headDim,
            stride,
            problem.headDim,
            isTurned ? problem.rotatedPairs : 0,
            problem.cos,
            problem.sin,
            isVector};
}

/// Rows of z or of its gradient.
template <class T>
__device__ HeadRows<T> outputRows(const AttentionProblem& problem, T* z, int prompt, int head, bool isVector)
{
    const std::int64_t stride = static_cast<std::int64_t>(problem.heads) * problem.headDim;
    return {z + prompt * problem.length * stride + static_cast<std::int64_t>(head) * problem.headDim,
            stride,
            problem.headDim,
            0,
            nullptr,
            nullptr,
            isVector};
}

__device__ inline int realLength(const AttentionProblem& problem, int prompt)
{
    return min(problem.lengths[prompt], problem.length);
}

__device__ inline bool isVisible(const AttentionProblem& problem, int query, int key)
{
    return key <= query && (problem.window == 0 || query - key < problem.window);
}

__device__ inline float sigmoid(float x)
{
    return __fdividef(1.0f, 1.0f + __expf(-x));
}

struct CellGate {
    bool isOpen = true;
    float chance = 0;  // of being open
    float soft = 0;    // what the straight-through gradient goes through
};

/// A hidden cell has the score -infinity and comes out shut.
__device__ inline CellGate gateOf(GateKind kind, float raisedScore, std::uint64_t rowNoise, int key)
{
    CellGate gate;
    gate.chance = sigmoid(raisedScore);
    float shaken = raisedScore;
    if (kind == GateKind::Sampled) {
        const float u = noiseOfCell(rowNoise, key);
        shaken += __logf(__fdividef(u, 1.0f - u));
        gate.soft = sigmoid(shaken);
    } else {
        gate.soft = gate.chance;
    }
    gate.isOpen = shaken > 0;
    return gate;
}

/// What the backward passes need to know about a query besides its projections.
struct QueryFacts {
    float logSumExp;
    float delta;  // z times its gradient: the sum over keys of weight * its gradient
    std::uint64_t noise;
};

struct CellGradient {
    float weight = 0;  // as it weighed the value: zero where the gate was shut
    float dScore = 0;
};

/// `product` is that of query and key, `c` that of z's gradient and the value.
__device__ inline CellGradient gradientOf(const AttentionProblem& problem, float product, float c, int query,
                                          int key, int realQueries, const QueryFacts& facts, float bias,
                                          float dExpected)
{
    if (query >= realQueries || !isVisible(problem, query, key))
        return {};
    const float score = problem.scale * product;
    const float weight = __expf(score - facts.logSumExp);
    if (problem.gate == GateKind::None)
        return {weight, weight * (c - facts.delta)};
    const CellGate gate = gateOf(problem.gate, score + bias, facts.noise, key);
    const float openC = gate.isOpen ? c : 0.0f;
    return {gate.isOpen ? weight : 0.0f, weight * (openC - facts.delta + c * gate.soft * (1 - gate.soft)) +
                                             dExpected * gate.chance * (1 - gate.chance)};
}

/// cells = rows of `a` times rows of `b`: float in float, bfloat16 on the tensor cores.
template <class Form, int kN = Form::kCols / 8>
__device__ void multiplyRows(float (&cells)[kN][4], const typename Form::Number* a,
                             const typename Form::Number* b, const Lane& lane)
{
    if constexpr (std::is_same_v<typename Form::Number, float>)
        multiplyFloatRows<Form>(cells, a, b, lane);
    else
        multiplyHalfRows<typename Form::Number, Form>(cells, a, b, lane);
}

/// sums += cells times rows of `b`, in the same way.
template <class Form, int kN = Form::kCols / 8>
__device__ void weighRows(float (&sums)[Form::kDim / 8][4], const float (&cells)[kN][4],
                          const typename Form::Number* b, const Lane& lane)
{
    if constexpr (std::is_same_v<typename Form::Number, float>)
        weighFloatRows<Form>(sums, cells, b, lane);
    else
        weighHalfRows<typename Form::Number, Form>(sums, cells, b, lane);
}

/// Calls `call(TileForm)` with the form that fits the problem.
template <class Call>
void withTileForm(const AttentionProblem& problem, const Call& call)
{
    withType(problem.precision, [&](auto number) {
        using T = decltype(number);
        const auto withDim = [&](auto dim) {
            if (problem.length <= kShortLength)
                call(TileForm<T, dim.value, true>());
            else
                call(TileForm<T, dim.value, false>());
        };
        // Each form is code in the program: floats, which training takes to compare with, have few. Tensor cores take sixteen
        // dimensions at a time.
        if constexpr (std::is_same_v<T, float>) {
            if (problem.headDim <= 24)
                return withDim(std::integral_constant<int, 24>());
        } else {
            if (problem.headDim <= 32)
                return withDim(std::integral_constant<int, 32>());
            if (problem.headDim <= 48)
                return withDim(std::integral_constant<int, 48>());
        }
        if (problem.headDim <= 64)
            withDim(std::integral_constant<int, 64>());
        else if (problem.headDim <= 128)
            withDim(std::integral_constant<int, 128>());
        else
            call(TileForm<T, kMostHeadDim, true>());
    });
}

/// Whether every row and every turning half of it can be read four numbers at a time.
inline bool canReadVectors(const AttentionProblem& problem)
{
    const std::size_t bytes = problem.precision == Precision::Float ? 16 : 8;
    return problem.headDim % 4 == 0 && problem.rotatedPairs % 4 == 0 && isAligned(problem.qkv, bytes) &&
           isAligned(problem.cos, 16) && isAligned(problem.sin, 16);
}

/// Kernels that want more than 48 KB of shared memory have to say so.
template <class Kernel>
void allowSharedMemory(Kernel* kernel, std::size_t bytes)
{
    if (bytes > 48 * 1024)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

}  // namespace hs::cuda
