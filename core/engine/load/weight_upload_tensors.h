#pragma once

#include "engine/device/torch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace hs::engine {

/// Copies tensors from mapped files to the weights' devices. On the way to a GPU large ones pass through a few
/// pinned buffers: while all threads fill one, converting to the weights' type, earlier ones are in
/// transit.
class WeightUpload {
public:
    explicit WeightUpload(std::size_t bufferBytes = std::size_t{32} << 20) : m_bufferBytes(bufferBytes) {}

    /// Fills a contiguous tensor on the CPU with rows of the weight, from `firstRow` on.
    using ReadRows = std::function<void(std::int64_t firstRow, const at::Tensor& to)>;

    /// `target` is contiguous. Returns once all rows have been read; later work on the current stream sees
    /// the copy complete.
    void copy(const at::Tensor& target, const ReadRows& read);

    /// Waits until everything has arrived.
    void finish();

private:
    struct Buffer {
        at::Tensor bytes;                      // pinned
        std::optional<c10::Stream> travelsOn;  // the stream that last copied from it
    };

    Buffer& freeBuffer(std::size_t bytes);
    void send(Buffer& buffer, const at::Tensor& staged, const at::Tensor& target);

    std::size_t m_bufferBytes;
    std::array<Buffer, 3> m_buffers;
    std::size_t m_next = 0;
};

}  // namespace hs::engine
