#include "cuda/recorded_work.h"

#include "cuda/check.h"

#include <utility>

namespace hs::cuda {
namespace {

/// While it lives, what is launched on the stream is recorded instead of run.
class Recording {
public:
    explicit Recording(Stream stream) : m_stream(stream)
    {
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    }
    ~Recording()
    {
        if (m_stream)
            cudaStreamEndCapture(m_stream, &m_graph);
        if (m_graph)
            cudaGraphDestroy(m_graph);
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    cudaGraphExec_t finish()
    {
        check(cudaStreamEndCapture(std::exchange(m_stream, nullptr), &m_graph));
        cudaGraphExec_t ready = nullptr;
        check(cudaGraphInstantiate(&ready, m_graph, 0));
        return ready;
    }

private:
    Stream m_stream;
    cudaGraph_t m_graph = nullptr;
};

}  // namespace

RecordedWork::~RecordedWork()
{
    forget();
}

void RecordedWork::forget()
{
    if (m_graph)
        cudaGraphExecDestroy(std::exchange(m_graph, nullptr));
    m_wasDone = false;
}

void RecordedWork::run(Stream stream, const std::function<void()>& work)
{
    if (!m_wasDone) {
        work();
        check(cudaGetLastError());
        m_wasDone = true;
        return;
    }
    if (!m_graph) {
        Recording recording(stream);
        work();
        m_graph = recording.finish();
    }
    check(cudaGraphLaunch(m_graph, stream));
}

}  // namespace hs::cuda
