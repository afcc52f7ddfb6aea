#pragma once

#include "train/trainable_tensors.h"
#include "train/workers/workers_tensors.h"

#include <vector>

namespace hs::train {

/// The gradient of all that is trained, summed over workers while it is made: as soon as the backward pass has finished
/// a few megabytes of it, their sum is on its way, and later layers' gradients travel while those of earlier
/// ones are computed. For one step.
class SharedGradient {
public:
    // In numbers; 8 MB: long enough that their number costs little, short enough that the first leave early.
    static constexpr std::int64_t kBucketSize = std::int64_t{1} << 21;

    /// Of a loss that is computed with `vector` in another type.
    SharedGradient(const Workers& workers, const Trainable& trainable, const at::Tensor& vector,
                   at::ScalarType type, std::int64_t bucketSize = kBucketSize);
    SharedGradient(const SharedGradient&) = delete;
    SharedGradient& operator=(const SharedGradient&) = delete;

    /// The pieces of the vector, by which the loss is to be differentiated with `backward`.
    const std::vector<Pieces>& pieces() const { return m_pieces; }

    /// Waits until the gradient is summed. Zeros come from a worker that did not differentiate anything.
    at::Tensor summed();  // [size] float

private:
    /// A piece, which gets its gradient at once.
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
    at::Tensor m_gradient;         // [size] float
    std::vector<Pieces> m_pieces;  // [1 + layer]
    std::vector<Part> m_parts;
    std::vector<Bucket> m_buckets;  // in the order in which they travel, the same for all workers
    std::size_t m_started = 0;      // buckets
    std::vector<Workers::Wait> m_waits;
};

}  // namespace hs::train
