#include "train/recorder_tensors.h"

#ifdef HS_WITH_CUDA
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

namespace hs::train {

#ifdef HS_WITH_CUDA

namespace {

// Runs before recording, in which libraries choose their algorithms and allocate their workspaces.
constexpr int kWarmUps = 2;

}  // namespace

struct Recorder::Shape {
    Shape(const BatchTensors& first, engine::DecoderFrame shared) : batch(first), frame(std::move(shared)) {}

    BatchTensors batch;
    engine::DecoderFrame frame;
    int runs = 0;
    at::Tensor result;
    at::cuda::CUDAGraph graph;
};

struct OwnStream::Guard {
    explicit Guard(at::Device device) : guard(c10::cuda::getStreamFromPool(false, device.index())) {}
    c10::cuda::CUDAStreamGuard guard;
};

OwnStream::OwnStream(at::Device device)
{
    if (device.is_cuda())
        m_guard = std::make_unique<Guard>(device);
}

at::Tensor Recorder::run(const BatchTensors& batch)
{
    std::unique_ptr<Shape>& shape = m_shapes[{batch.tokens.size(0), batch.tokens.size(1)}];
    if (!shape)
        shape = std::make_unique<Shape>(batch, engine::DecoderFrame(m_spec, batch.tokens.size(1), m_device));
    if (!m_records || shape->runs < kWarmUps) {
        ++shape->runs;
        return m_work(batch, shape->frame);
    }
    shape->batch.copyFrom(batch);
    if (shape->runs == kWarmUps) {
        ++shape->runs;
        c10::cuda::getCurrentCUDAStream().synchronize();
        // A graph has memory of its own; what the runs before it took would stay reserved beside it.
        c10::cuda::CUDACachingAllocator::emptyCache();
        shape->graph.capture_begin();
        shape->result = m_work(shape->batch, shape->frame);
        shape->graph.capture_end();
    }
    shape->graph.replay();
    return shape->result;
}

#else

struct Recorder::Shape {
    engine::DecoderFrame frame;
};

struct OwnStream::Guard {};

OwnStream::OwnStream(at::Device) {}

at::Tensor Recorder::run(const BatchTensors& batch)
{
    std::unique_ptr<Shape>& shape = m_shapes[{batch.tokens.size(0), batch.tokens.size(1)}];
    if (!shape)
        shape.reset(new Shape{engine::DecoderFrame(m_spec, batch.tokens.size(1), m_device)});
    return m_work(batch, shape->frame);
}

#endif

Recorder::Recorder(const model::ArchSpec& spec, at::Device device, bool records, Work work)
    : m_spec(spec), m_device(device), m_records(records && device.is_cuda()), m_work(std::move(work))
{
}

Recorder::~Recorder() = default;
OwnStream::~OwnStream() = default;

}  // namespace hs::train
