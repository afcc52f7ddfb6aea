#pragma once

#include "train/forward_tensors.h"

#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace hs::train {

/// Runs the same work on batch after batch. On a GPU it is recorded once for each batch shape and
/// replayed from then on, so that its many small kernels start without the CPU's help; `work` must then
/// neither wait for the device nor depend on anything but tensors. Elsewhere it just runs.
class Recorder {
public:
    using Work = std::function<at::Tensor(const BatchTensors&, const engine::DecoderFrame&)>;

    Recorder(const model::ArchSpec& spec, at::Device device, bool records, Work work);
    ~Recorder();

    /// What `work` returns; valid until the next run.
    at::Tensor run(const BatchTensors& batch);

private:
    struct Shape;

    const model::ArchSpec& m_spec;
    at::Device m_device;
    bool m_records;
    Work m_work;
    std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<Shape>> m_shapes;
};

/// While it lives, CUDA work goes to a separate stream; recording is not possible on the default one.
class OwnStream {
public:
    explicit OwnStream(at::Device device);
    ~OwnStream();

private:
    struct Guard;
    std::unique_ptr<Guard> m_guard;
};

}  // namespace hs::train
