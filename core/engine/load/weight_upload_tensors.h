#pragma once

#include "engine/device/torch.h"

#include <array>
#include <cstddef>
#include <optional>

namespace hs::engine {

/// Copies tensors from mapped files to the weights' devices. On the way to a GPU large ones pass through a few
/// pinned buffers: while all threads fill one, converting to the weights' type, earlier ones are in
/// transit.
class WeightUpload {
public:
    explicit WeightUpload(std::size_t bufferBytes = std::size_t{32} << 20) : m_bufferBytes(bufferBytes) {}

    /// Both have as many elements, those of `target` contiguous. Returns once `source` has been read; later
    /// work on the current stream sees the copy complete.
    void copy(const at::Tensor& target, const at::Tensor& source);

    /// Waits until everything has arrived.
    void finish();

private:
    struct Buffer {
        at::Tensor bytes;                      // pinned
        std::optional<c10::Stream> travelsOn;  // the stream that last copied from it
    };

    void copyPiece(const at::Tensor& target, const at::Tensor& source);
    Buffer& freeBuffer();

    std::size_t m_bufferBytes;
    std::array<Buffer, 3> m_buffers;
    std::size_t m_next = 0;
};

}  // namespace hs::engine
