#include "core/engine/run/kernel_targets.h"
#include "cuda/recorded_work.h"
#include "cuda/row_norm.h"

#ifdef HS_WITH_CUDA
#include <c10/cuda/CUDAGuard.h>
#endif

#include <stdexcept>

using namespace hs;

#ifdef HS_WITH_CUDA

namespace {

/// A norm in several launches, on a stream that can be recorded.
class TriedWork {
public:
    explicit TriedWork(const KernelTarget& target)
        : input(randomOn(target, {3, 40})), m_target(target),
          m_onItsOwn(c10::cuda::getStreamFromPool(false, target.device.index()))
    {
    }

    /// What a run leaves in the output.
    at::Tensor run()
    {
        m_output.zero_();
        m_work.run(m_onItsOwn.current_stream().stream(), [&] { queue(); });
        return m_output.clone();
    }
    void forget() { m_work.forget(); }

    at::Tensor input;
    int timesQueued = 0;
    bool fails = false;

private:
    void queue()
    {
        ++timesQueued;
        norm(input, m_middle);
        if (fails)
            throw std::runtime_error("work failed");
        norm(m_middle, m_output);
    }
    void norm(const at::Tensor& x, const at::Tensor& y) const
    {
        cuda::RowNormProblem problem;
        problem.rows = x.size(0);
        problem.width = static_cast<int>(x.size(1));
        problem.eps = 0.1f;
        problem.precision = m_target.precision();
        problem.x = x.data_ptr();
        problem.y = y.data_ptr();
        cuda::rowNorm(problem, m_onItsOwn.current_stream().stream());
    }

    KernelTarget m_target;
    c10::cuda::CUDAStreamGuard m_onItsOwn;
    at::Tensor m_middle = at::zeros_like(input);
    at::Tensor m_output = at::zeros_like(input);
    cuda::RecordedWork m_work;
};

}  // namespace

TEST_CASE("work is queued once to do it and once to record it, and gives the same each time")
{
    at::manual_seed(1);
    for (const KernelTarget& target : kernelTargets()) {
        TriedWork work(target);
        const at::Tensor first = work.run();
        CHECK(first.abs().sum().item<double>() > 0);
        for (int round = 0; round < 3; ++round)
            CHECK(work.run().equal(first));
        CHECK(work.timesQueued == 2);
    }
}

TEST_CASE("recorded work reads what its memory holds now, and other memory once it was forgotten")
{
    at::manual_seed(2);
    for (const KernelTarget& target : kernelTargets()) {
        TriedWork work(target);
        const at::Tensor one = work.input;
        const at::Tensor other = randomOn(target, {3, 40});
        for (int round = 0; round < 3; ++round)
            work.run();
        const at::Tensor ofOne = work.run();

        work.input = other;
        CHECK(work.run().equal(ofOne));
        work.forget();
        const at::Tensor ofOther = work.run();
        CHECK_FALSE(ofOther.equal(ofOne));
        for (int round = 0; round < 2; ++round)
            CHECK(work.run().equal(ofOther));

        other.copy_(one);
        CHECK(work.run().equal(ofOne));
    }
}

TEST_CASE("work that failed while it was recorded can be run again")
{
    at::manual_seed(3);
    for (const KernelTarget& target : kernelTargets()) {
        TriedWork work(target);
        const at::Tensor expected = work.run();
        work.fails = true;
        CHECK_THROWS_AS(work.run(), std::runtime_error);
        work.fails = false;
        for (int round = 0; round < 2; ++round)
            CHECK(work.run().equal(expected));
    }
}

#else

TEST_CASE("recorded work gives the same each time")
{
    test::skipTest("this build has no CUDA");
}

#endif
