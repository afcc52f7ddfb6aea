#include "train/shared_gradient_tensors.h"

#include <algorithm>
#include <numeric>

namespace hs::train {

SharedGradient::SharedGradient(const Workers& workers, const Trainable& trainable, const at::Tensor& vector,
                               at::ScalarType type, std::int64_t bucketSize)
    : m_workers(workers), m_gradient(at::zeros_like(vector))
{
    const at::Tensor typed = vector.detach().to(type);
    m_pieces = trainable.cut(typed);
    for (Pieces& block : m_pieces)
        for (at::Tensor& piece : block) {
            const std::int64_t begin = piece.storage_offset() - typed.storage_offset();
            piece = piece.detach().requires_grad_();
            listen(piece, begin);
        }
    fillBuckets(trainable.matrixSize(), bucketSize);
}

void SharedGradient::listen(at::Tensor& leaf, std::int64_t begin)
{
    const std::size_t part = m_parts.size();
    m_parts.push_back({begin, 0});
    leaf.register_hook([this, part](const at::Tensor& gradient) { take(part, gradient); });
}

/// The backward pass comes to the first layers last. Norms and biases, which lie behind all matrices, are small
/// and travel when everything is there.
void SharedGradient::fillBuckets(std::int64_t matrixSize, std::int64_t bucketSize)
{
    std::vector<std::size_t> order(m_parts.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t part) { return m_parts[part].begin; });
    std::int64_t matrixBuckets = 0;
    for (const std::size_t index : order) {
        Part& part = m_parts[index];
        const bool isMatrix = part.begin < matrixSize;
        if (m_buckets.empty() || part.begin - m_buckets.back().begin >= bucketSize ||
            isMatrix != (m_buckets.back().begin < matrixSize)) {
            if (!m_buckets.empty())
                m_buckets.back().end = part.begin;
            m_buckets.push_back({part.begin, 0, 0});
            matrixBuckets += isMatrix;
        }
        part.bucket = static_cast<std::int64_t>(m_buckets.size()) - 1;
        ++m_buckets.back().missing;
    }
    m_buckets.back().end = m_gradient.numel();
    std::reverse(m_buckets.begin(), m_buckets.begin() + matrixBuckets);
    for (Part& part : m_parts)
        if (part.bucket < matrixBuckets)
            part.bucket = matrixBuckets - 1 - part.bucket;
}

void SharedGradient::take(std::size_t part, const at::Tensor& gradient)
{
    m_gradient.narrow(0, m_parts[part].begin, gradient.numel()).copy_(gradient.reshape(-1));
    --m_buckets[m_parts[part].bucket].missing;
    startReady(/*startsAll=*/false);
}

void SharedGradient::startReady(bool startsAll)
{
    for (; m_started < m_buckets.size(); ++m_started) {
        const Bucket& bucket = m_buckets[m_started];
        if (bucket.missing > 0 && !startsAll)
            return;
        m_waits.push_back(m_workers.startSum(m_gradient.narrow(0, bucket.begin, bucket.end - bucket.begin)));
    }
}

at::Tensor SharedGradient::summed()
{
    startReady(/*startsAll=*/true);
    for (const Workers::Wait& wait : m_waits)
        wait();
    return m_gradient;
}

}  // namespace hs::train
