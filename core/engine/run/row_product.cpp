#include "engine/run/row_product_tensors.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <vector>

// Compiled once more for registers of 16 numbers, without which memory would have to wait for the processor.
#if defined(__x86_64__) && defined(__GNUC__)
#define HS_WIDE_REGISTERS __attribute__((target_clones("avx512f", "default")))
#else
#define HS_WIDE_REGISTERS
#endif

namespace hs::engine {
namespace {

constexpr std::int64_t kLanes = 16;            // sums side by side, as wide registers take them
constexpr std::int64_t kLeastCells = 1 << 15;  // of the weight, for a thread of its own
constexpr std::int64_t kFewRows = 8;           // of a block
constexpr std::int64_t kConverted = 1
                                    << 21;  // cells of a weight at a time, which stay in a processor's cache

/// Adds up `count` rows of a matrix, each times its weight.
HS_WIDE_REGISTERS void mix(const float* weights, const float* rows, std::int64_t count, std::int64_t width,
                           float* __restrict sums)
{
    std::fill_n(sums, width, 0.f);
    for (std::int64_t row = 0; row < count; ++row)
        for (std::int64_t at = 0; at < width; ++at)
            sums[at] += weights[row] * rows[row * width + at];
}

HS_WIDE_REGISTERS float sumOfProducts(const float* a, const float* b, std::int64_t count)
{
    std::array<float, kLanes> sums = {};
    const std::int64_t whole = count / kLanes * kLanes;
    for (std::int64_t at = 0; at < whole; at += kLanes)
        for (std::int64_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += a[at + lane] * b[at + lane];
    for (std::int64_t at = whole; at < count; ++at)
        sums[at - whole] += a[at] * b[at];
    for (std::int64_t half = kLanes / 2; half > 0; half /= 2)
        for (std::int64_t lane = 0; lane < half; ++lane)
            sums[lane] += sums[lane + half];
    return sums[0];
}

/// Whether rows of a block's matrix follow one another, wherever the next block is.
bool hasPlainBlocks(const at::Tensor& matrices)
{
    return matrices.device().is_cpu() && matrices.scalar_type() == at::kFloat && matrices.stride(2) == 1 &&
           matrices.stride(1) == matrices.size(2);
}

/// Calls `work` with a row of every block's, that block's matrix and where its result goes.
template <class Work>
at::Tensor rowByRow(const at::Tensor& rows, const at::Tensor& matrices, std::int64_t width, const Work& work)
{
    at::Tensor results = at::empty({rows.size(0), rows.size(1), width}, rows.options());
    const float* const from = rows.data_ptr<float>();
    const float* const matrix = matrices.data_ptr<float>();
    float* const to = results.data_ptr<float>();
    const std::int64_t cells = std::max<std::int64_t>(1, matrices.size(1) * matrices.size(2));
    at::parallel_for(0, rows.size(0) * rows.size(1), std::max<std::int64_t>(1, kLeastCells / cells),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t row = begin; row < end; ++row)
                             work(from + row * rows.size(2), matrix + row / rows.size(1) * matrices.stride(0),
                                  to + row * width);
                     });
    return results;
}

}  // namespace

float dot(const float* a, const float* b, std::int64_t count)
{
    return sumOfProducts(a, b, count);
}

bool hasPlainRows(const at::Tensor& x)
{
    return x.device().is_cpu() && x.scalar_type() == at::kFloat && x.is_contiguous() &&
           !c10::GradMode::is_enabled();
}

at::Tensor product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias)
{
    const at::ScalarType type = x.scalar_type();
    if (weight.scalar_type() != type || (bias.defined() && bias.scalar_type() != type)) {
        std::vector<at::Tensor> blocks;
        for (const at::Tensor& rows : weight.split(std::max<std::int64_t>(1, kConverted / weight.size(1))))
            blocks.push_back(product(x, rows.to(type)));
        const at::Tensor y = at::cat(blocks, 1);
        return bias.defined() ? y + bias.to(type) : y;
    }
    if (x.dim() != 2 || x.size(0) != 1 || !hasPlainRows(x) || !hasPlainRows(weight))
        return at::linear(x, weight, bias);
    const std::int64_t rows = weight.size(0), width = weight.size(1);
    at::Tensor y = at::empty({1, rows}, x.options());
    const float* const from = x.data_ptr<float>();
    const float* const cells = weight.data_ptr<float>();
    float* const to = y.data_ptr<float>();
    at::parallel_for(0, rows, std::max<std::int64_t>(1, kLeastCells / std::max<std::int64_t>(width, 1)),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t row = begin; row < end; ++row)
                             to[row] = sumOfProducts(cells + row * width, from, width);
                     });
    return bias.defined() ? y.add_(bias) : y;
}

at::Tensor scoresOfBlocks(const at::Tensor& queries, const at::Tensor& keys)
{
    if (queries.size(1) > kFewRows || !hasPlainRows(queries) || !hasPlainBlocks(keys))
        return at::bmm(queries, keys.transpose(1, 2));
    const std::int64_t count = keys.size(1), size = keys.size(2);
    return rowByRow(queries, keys, count, [&](const float* query, const float* key, float* scores) {
        for (std::int64_t at = 0; at < count; ++at)
            scores[at] = sumOfProducts(key + at * size, query, size);
    });
}

at::Tensor mixesOfBlocks(const at::Tensor& weights, const at::Tensor& values)
{
    if (weights.size(1) > kFewRows || !hasPlainRows(weights) || !hasPlainBlocks(values))
        return at::bmm(weights, values);
    const std::int64_t count = values.size(1), size = values.size(2);
    return rowByRow(weights, values, size, [&](const float* weight, const float* value, float* to) {
        mix(weight, value, count, size, to);
    });
}

}  // namespace hs::engine
