#pragma once

#include "engine/load/weights_tensors.h"
#include "train/workers/workers_tensors.h"

#include <functional>
#include <vector>

namespace hs::train {

/// The gradient of all weights, summed over workers while it is made: as soon as the backward pass has finished
/// a few megabytes of it, their sum is on its way, and later layers' gradients travel while those of earlier
/// ones are computed. For one step.
class SharedGradient {
public:
    using Unpack = std::function<engine::ModelWeights(const at::Tensor& vector)>;

    // In numbers; 8 MB: long enough that their number costs little, short enough that the first leave early.
    static constexpr std::int64_t kBucketSize = std::int64_t{1} << 21;

    /// `vector` has all weights, of which the first `matrixSize` are matrices; `unpack` makes a model of it, in
    /// `type`.
    SharedGradient(const Workers& workers, const at::Tensor& vector, std::int64_t matrixSize,
                   at::ScalarType type, const Unpack& unpack, std::int64_t bucketSize = kBucketSize);
    SharedGradient(const SharedGradient&) = delete;
    SharedGradient& operator=(const SharedGradient&) = delete;

    /// The model whose loss is to be differentiated, by `backward`.
    const engine::ModelWeights& weights() const { return m_weights; }

    /// Waits until the gradient is summed. Zeros come from a worker that did not differentiate anything.
    at::Tensor summed();  // [size] float

private:
    /// Weights that get their gradient at once.
    struct Part {
        std::int64_t begin = 0;
        std::int64_t bucket = 0;
    };
    /// A range of the vector that travels at once.
    struct Bucket {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::int64_t missing = 0;  // parts without a gradient
    };

    void listen(at::Tensor& leaf, std::int64_t begin);
    void fillBuckets(std::int64_t matrixSize, std::int64_t bucketSize);
    void take(std::size_t part, const at::Tensor& gradient);
    void startReady(bool startsAll);

    const Workers& m_workers;
    at::Tensor m_gradient;  // [size] float
    engine::ModelWeights m_weights;
    std::vector<Part> m_parts;
    std::vector<Bucket> m_buckets;  // in the order in which they travel, the same for all workers
    std::size_t m_started = 0;      // buckets
    std::vector<Workers::Wait> m_waits;
};

}  // namespace hs::train
