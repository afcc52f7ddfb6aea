#pragma once

#include "cuda/stream.h"

#include <functional>

struct CUgraphExec_st;

namespace hs::cuda {

/// Work on a stream that is the same every time: run directly the first time, recorded as a CUDA graph the
/// second, and replayed from then on, so that its kernels follow one another without the processor.
/// It must neither wait for the device nor depend on anything but memory that stays where it is.
class RecordedWork {
public:
    RecordedWork() = default;
    ~RecordedWork();
    RecordedWork(const RecordedWork&) = delete;
    RecordedWork& operator=(const RecordedWork&) = delete;

    /// Throws std::runtime_error.
    void run(Stream stream, const std::function<void()>& work);
    void forget();

private:
    bool m_wasDone = false;
    CUgraphExec_st* m_graph = nullptr;
};

}  // namespace hs::cuda
