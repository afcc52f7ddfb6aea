#pragma once

#include "engine/device/torch.h"

#include <array>
#include <cstddef>
#include <optional>

namespace hs::engine {

/// Brings tensors of mapped files to where the weights lie. On the way to a GPU they pass through a few
/// pinned buffers: while one is filled, by all threads and with the conversion to the weights' type,
/// those before it travel.
class WeightUpload {
public:
    explicit WeightUpload(std::size_t bufferBytes = std::size_t{32} << 20) : m_bufferBytes(bufferBytes) {}

    /// Both have as many numbers, `target` side by side. Returns once `source` has been read; work on the
    /// current stream finds the numbers in place.
    void copy(const at::Tensor& target, const at::Tensor& source);

    /// Waits until everything has arrived.
    void finish();

private:
    struct Buffer {
        at::Tensor bytes;                      // pinned
        std::optional<c10::Stream> travelsOn;  // the last that left it
    };

    void copyPiece(const at::Tensor& target, const at::Tensor& source);
    Buffer& freeBuffer();

    std::size_t m_bufferBytes;
    std::array<Buffer, 3> m_buffers;
    std::size_t m_next = 0;
};

}  // namespace hs::engine
