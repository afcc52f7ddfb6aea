#include "engine/load/weight_upload_tensors.h"

#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>

namespace hs::engine {
namespace {

// Up to this size a tensor is copied sooner than buffers are pinned or torch's threads are woken.
constexpr std::size_t kSmallBytes = std::size_t{1} << 20;

void letWait(const c10::Stream& waiting, const c10::Stream& awaited)
{
    c10::Event reached(awaited.device_type());
    reached.record(awaited);
    reached.block(waiting);
}

}  // namespace

void WeightUpload::copy(const at::Tensor& target, const ReadRows& read)
{
    if (target.device().is_cpu()) {
        read(0, target);
        return;
    }
    if (target.nbytes() <= std::min(kSmallBytes, m_bufferBytes)) {
        const at::Tensor here = at::empty(target.sizes(), target.options().device(at::kCPU));
        read(0, here);
        target.copy_(here);
        return;
    }
    const std::int64_t rows = target.size(0);
    if (rows == 0)
        return;
    const std::size_t rowBytes = target.nbytes() / static_cast<std::size_t>(rows);
    const auto atOnce = static_cast<std::int64_t>(
        std::max<std::size_t>(m_bufferBytes / std::max<std::size_t>(rowBytes, 1), 1));
    for (std::int64_t first = 0; first < rows; first += atOnce) {
        const at::Tensor piece = target.narrow(0, first, std::min(atOnce, rows - first));
        Buffer& buffer = freeBuffer(std::max(m_bufferBytes, rowBytes));
        const at::Tensor staged = buffer.bytes.narrow(0, 0, static_cast<std::int64_t>(piece.nbytes()))
                                      .view(piece.scalar_type())
                                      .view(piece.sizes());
        read(first, staged);
        send(buffer, staged, piece);
    }
}

void WeightUpload::send(Buffer& buffer, const at::Tensor& staged, const at::Tensor& target)
{
    const c10::impl::VirtualGuardImpl device(target.device().type());
    const c10::Stream current = device.getStream(target.device());
    const c10::Stream own = device.getStreamFromGlobalPool(target.device());
    letWait(own, current);  // reused memory may still be in use there
    {
        const c10::StreamGuard onItsOwn(own);
        target.copy_(staged, /*non_blocking=*/true);
    }
    letWait(current, own);
    buffer.travelsOn = own;
}

WeightUpload::Buffer& WeightUpload::freeBuffer(std::size_t bytes)
{
    Buffer& buffer = m_buffers[m_next];
    m_next = (m_next + 1) % m_buffers.size();
    if (buffer.travelsOn)
        buffer.travelsOn->synchronize();
    if (!buffer.bytes.defined() || buffer.bytes.nbytes() < bytes)
        buffer.bytes =
            at::empty({static_cast<std::int64_t>(bytes)}, at::TensorOptions(at::kByte).pinned_memory(true));
    return buffer;
}

void WeightUpload::finish()
{
    for (const Buffer& buffer : m_buffers)
        if (buffer.travelsOn)
            buffer.travelsOn->synchronize();
}

}  // namespace hs::engine
