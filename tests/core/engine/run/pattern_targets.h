#pragma once

#include "core/engine/run/kernel_targets.h"
#include "cuda/attention_patterns.h"

#include <cstring>
#include <vector>

namespace hs {

/// Where the pass over patterns is tried. Its tolerance is for the norm of the difference of z, relative to
/// that of the expected.
struct PatternTarget : KernelTarget {
    double sum = 1e-4;  // relative
    int tile = 1;       // of 255
};

inline std::vector<PatternTarget> patternTargets()
{
    std::vector<PatternTarget> targets = {{{at::kCPU, at::kFloat, 2e-5}}};
#ifdef HS_WITH_CUDA
    if (at::hasCUDA()) {
        const at::Device gpu(at::kCUDA, 0);
        targets.push_back({{gpu, at::kFloat, 5e-5}, 1e-4, 1});
        targets.push_back({{gpu, at::kHalf, 2e-3}, 1e-2, 2});
        targets.push_back({{gpu, at::kBFloat16, 1e-2}, 1e-2, 2});
    }
#endif
    return targets;
}

struct PatternOutcome {
    at::Tensor z;                          // [query, head, head size]
    at::Tensor tiles;                      // [head, row, column] byte, on the processor
    std::vector<stats::PatternSums> sums;  // [head]
};

/// What is done to the cells of each head. [head]
using HeadEditLists = std::vector<std::vector<cuda::PatternEdit>>;

/// Runs the kernel or its twin, wherever `qkv` is. Pointers and the type of the problem are set here.
class PatternLauncher {
public:
    PatternLauncher(cuda::PatternProblem problem, at::Tensor qkv, const at::Tensor& tokens,
                    const HeadEditLists& edits = {})
        : m_problem(problem), m_qkv(std::move(qkv)), m_tokens(tokens.to(m_qkv.device()))
    {
        m_problem.qkv = m_qkv.data_ptr();
        m_problem.tokens = m_tokens.data_ptr<std::int32_t>();
        if (!edits.empty())
            takeEdits(edits);
#ifdef HS_WITH_CUDA
        if (m_qkv.is_cuda())
            m_scratch =
                at::zeros({static_cast<std::int64_t>(cuda::patternScratchBytes(m_problem))}, at::kByte)
                    .to(m_qkv.device());
#endif
    }

    PatternOutcome run() const
    {
        static_assert(sizeof(stats::PatternSums) % sizeof(double) == 0);
        const std::int64_t heads = m_problem.heads;
        const at::TensorOptions place = at::TensorOptions(m_qkv.device());
        const at::Tensor z = at::empty({m_problem.length, heads, m_problem.headDim}, m_qkv.options());
        const at::Tensor tiles =
            at::full({heads, m_problem.tileSide, m_problem.tileSide}, 77, place.dtype(at::kByte));
        const at::Tensor sums =
            at::zeros({heads, static_cast<std::int64_t>(sizeof(stats::PatternSums) / sizeof(double))},
                      place.dtype(at::kDouble));
        cuda::PatternResult result;
        result.z = z.data_ptr();
        result.tiles = tiles.data_ptr<std::uint8_t>();
        result.sums = reinterpret_cast<stats::PatternSums*>(sums.data_ptr<double>());
        launch(result);
        PatternOutcome outcome{z, tiles.to(at::kCPU), std::vector<stats::PatternSums>(m_problem.heads)};
        std::memcpy(outcome.sums.data(), sums.to(at::kCPU).data_ptr(), heads * sizeof(stats::PatternSums));
        return outcome;
    }

private:
    void takeEdits(const HeadEditLists& heads)
    {
        std::vector<cuda::PatternEdit> all;
        std::vector<int> first = {0};
        for (const auto& ofHead : heads) {
            all.insert(all.end(), ofHead.begin(), ofHead.end());
            first.push_back(static_cast<int>(all.size()));
        }
        m_edits = at::empty({static_cast<std::int64_t>(all.size() * sizeof(cuda::PatternEdit))}, at::kByte);
        std::memcpy(m_edits.data_ptr(), all.data(), m_edits.nbytes());
        m_edits = m_edits.to(m_qkv.device());
        m_firstEdits = at::tensor(first, at::kInt).to(m_qkv.device());
        m_problem.edits = reinterpret_cast<const cuda::PatternEdit*>(m_edits.data_ptr());
        m_problem.firstEdits = m_firstEdits.data_ptr<std::int32_t>();
    }

    void launch(cuda::PatternResult result) const
    {
#ifdef HS_WITH_CUDA
        if (m_qkv.is_cuda()) {
            result.scratch = static_cast<std::byte*>(m_scratch.data_ptr());
            cuda::attentionPatterns(m_problem, result, c10::cuda::getCurrentCUDAStream().stream());
            C10_CUDA_KERNEL_LAUNCH_CHECK();
            return;
        }
#endif
        for (int head = 0; head < m_problem.heads; ++head)
            cuda::attentionPatternsTwin(m_problem, result, head);
    }

    cuda::PatternProblem m_problem;
    at::Tensor m_qkv;
    at::Tensor m_tokens;
    at::Tensor m_scratch;
    at::Tensor m_edits;
    at::Tensor m_firstEdits;
};

}  // namespace hs
