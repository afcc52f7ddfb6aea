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

void WeightUpload::copy(const at::Tensor& target, const at::Tensor& source)
{
    if (target.device().is_cpu()) {
        target.copy_(source);  // torch's threads share the copy and the first touch of the pages
        return;
    }
    if (source.nbytes() <= std::min(kSmallBytes, m_bufferBytes)) {
        target.copy_(source.to(target.device()));
        return;
    }
    const at::Tensor to = target.view(-1);
    const at::Tensor from = source.reshape(-1);
    const auto atOnce = static_cast<std::int64_t>(m_bufferBytes / target.itemsize());
    for (std::int64_t first = 0; first < to.numel(); first += atOnce) {
        const std::int64_t count = std::min(atOnce, to.numel() - first);
        copyPiece(to.narrow(0, first, count), from.narrow(0, first, count));
    }
}

void WeightUpload::copyPiece(const at::Tensor& target, const at::Tensor& source)
{
    Buffer& buffer = freeBuffer();
    const at::Tensor staged =
        buffer.bytes.narrow(0, 0, target.numel() * static_cast<std::int64_t>(target.itemsize()))
            .view(target.scalar_type());
    staged.copy_(source);

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

WeightUpload::Buffer& WeightUpload::freeBuffer()
{
    Buffer& buffer = m_buffers[m_next];
    m_next = (m_next + 1) % m_buffers.size();
    if (buffer.travelsOn)
        buffer.travelsOn->synchronize();
    if (!buffer.bytes.defined())
        buffer.bytes = at::empty({static_cast<std::int64_t>(m_bufferBytes)},
                                 at::TensorOptions(at::kByte).pinned_memory(true));
    return buffer;
}

void WeightUpload::finish()
{
    for (const Buffer& buffer : m_buffers)
        if (buffer.travelsOn)
            buffer.travelsOn->synchronize();
}

}  // namespace hs::engine
