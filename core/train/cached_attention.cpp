#include "train/cached_attention_tensors.h"

#include "cuda/cpu_exponential.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hs::train {
namespace {

constexpr int kLanes = 4;  // that every processor adds at once
using Lanes __attribute__((vector_size(kLanes * sizeof(float)))) = float;

float dotProduct(const float* left, const float* right, std::int64_t size)
{
    Lanes sums = {};
    std::int64_t at = 0;
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

/// One query over keys and values that lie one after another. `weights` is room for one number a key.
void attendOne(const float* query, const float* keys, const float* values, std::int64_t seen,
               std::int64_t size, std::optional<double> cap, float* weights, float* z)
{
    float largest = -INFINITY;
    for (std::int64_t key = 0; key < seen; ++key) {
        float score = dotProduct(query, keys + key * size, size);
        if (cap)
            score = static_cast<float>(*cap) * std::tanh(score / static_cast<float>(*cap));
        weights[key] = score;
        largest = std::max(largest, score);
    }
    float sum = 0;
    for (std::int64_t key = 0; key < seen; ++key) {
        weights[key] = cuda::exponential(weights[key] - largest);
        sum += weights[key];
    }
    std::fill_n(z, size, 0.0f);
    for (std::int64_t key = 0; key < seen; ++key) {
        const float weight = weights[key] / sum;
        const float* const value = values + key * size;
        for (std::int64_t at = 0; at < size; ++at)
            z[at] += weight * value[at];
    }
}

/// Torch multiplies many small matrices one by one on a processor.
at::Tensor attendOnCpu(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                       std::optional<double> cap)
{
    const at::Tensor z = at::empty_like(queries);
    const std::int64_t perGroup = queries.size(1);
    const std::int64_t size = queries.size(2);
    const std::int64_t seen = keys.size(1);
    const float* const query = queries.data_ptr<float>();
    const float* const key = keys.data_ptr<float>();
    const float* const value = values.data_ptr<float>();
    float* const out = z.data_ptr<float>();
    at::parallel_for(0, queries.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> weights(static_cast<std::size_t>(seen));
        for (std::int64_t group = begin; group < end; ++group)
            for (std::int64_t row = group * perGroup; row < (group + 1) * perGroup; ++row)
                attendOne(query + row * size, key + group * keys.stride(0), value + group * values.stride(0),
                          seen, size, cap, weights.data(), out + row * size);
    });
    return z;
}

}  // namespace

CachedAttention::CachedAttention(const model::ArchSpec& spec, std::int64_t documents, std::int64_t length,
                                 at::TensorOptions options)
    : m_spec(spec), m_documents(documents)
{
    for (int layer = 0; layer < spec.layers; ++layer) {
        m_keys.push_back(at::empty({documents * spec.kvHeads, length, spec.headDim}, options));
        m_values.push_back(at::empty_like(m_keys.back()));
    }
}

at::Tensor CachedAttention::attend(int layer, const engine::Projections& now, std::int64_t position)
{
    m_keys[layer].select(1, position).copy_(now.keys.squeeze(1));
    m_values[layer].select(1, position).copy_(now.values.squeeze(1));
    const int window = m_spec.windows[layer];
    const std::int64_t first = window > 0 ? std::max<std::int64_t>(0, position + 1 - window) : 0;
    const at::Tensor keys = m_keys[layer].narrow(1, first, position + 1 - first);
    const at::Tensor values = m_values[layer].narrow(1, first, position + 1 - first);
    // The query heads of a group are stacked.
    const std::int64_t perGroup = m_spec.heads / m_spec.kvHeads;
    const at::Tensor queries =
        now.queries.reshape({m_documents * m_spec.kvHeads, perGroup, m_spec.headDim}).to(keys.scalar_type());
    const bool isOnCpu = keys.device().is_cpu() && keys.scalar_type() == at::kFloat;
    at::Tensor z;
    if (isOnCpu) {
        z = attendOnCpu(queries.contiguous(), keys, values, now.scoreCap);
    } else {
        at::Tensor scores = at::bmm(queries, keys.transpose(1, 2));
        if (now.scoreCap)
            scores = engine::softCapped(scores, *now.scoreCap);
        z = at::bmm(at::softmax(scores, -1, at::kFloat).to(keys.scalar_type()), values);
    }
    return z.reshape({m_documents, m_spec.heads, m_spec.headDim});
}

std::uint64_t CachedAttention::bytesOfDocument(const model::ArchSpec& spec, std::int64_t length,
                                               at::ScalarType type)
{
    return 2ull * static_cast<std::uint64_t>(spec.layers) * static_cast<std::uint64_t>(spec.kvWidth()) *
           static_cast<std::uint64_t>(length) * c10::elementSize(type);
}

}  // namespace hs::train
