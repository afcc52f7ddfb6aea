#include "engine/run/row_product_tensors.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>

namespace hs::engine {
namespace {

constexpr std::int64_t kLanes = 16;            // sums side by side, as wide registers take them
constexpr std::int64_t kLeastCells = 1 << 15;  // of the weight, for a thread of its own

[[gnu::always_inline]] inline float dotOf(const float* a, const float* b, std::int64_t count)
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

float dot(const float* a, const float* b, std::int64_t count)
{
    return dotOf(a, b, count);
}

#ifdef __x86_64__
/// The same with registers of 16 numbers, without which memory would have to wait for the processor.
__attribute__((target("avx512f"))) float dotWide(const float* a, const float* b, std::int64_t count)
{
    return dotOf(a, b, count);
}
#endif

}  // namespace

Dot widestDot()
{
#ifdef __x86_64__
    static const bool kIsWide = __builtin_cpu_supports("avx512f");
    if (kIsWide)
        return dotWide;
#endif
    return dot;
}

bool hasPlainRows(const at::Tensor& x)
{
    return x.device().is_cpu() && x.scalar_type() == at::kFloat && x.is_contiguous() &&
           !c10::GradMode::is_enabled();
}

at::Tensor product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias)
{
    if (x.dim() != 2 || x.size(0) != 1 || !hasPlainRows(x) || !hasPlainRows(weight))
        return at::linear(x, weight, bias);
    const std::int64_t rows = weight.size(0), width = weight.size(1);
    at::Tensor y = at::empty({1, rows}, x.options());
    const float* const from = x.data_ptr<float>();
    const float* const cells = weight.data_ptr<float>();
    float* const to = y.data_ptr<float>();
    const Dot dotOfRow = widestDot();
    at::parallel_for(0, rows, std::max<std::int64_t>(1, kLeastCells / std::max<std::int64_t>(width, 1)),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t row = begin; row < end; ++row)
                             to[row] = dotOfRow(cells + row * width, from, width);
                     });
    return bias.defined() ? y.add_(bias) : y;
}

}  // namespace hs::engine
