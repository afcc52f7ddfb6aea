#include "train/cached_attention_tensors.h"

#include "base/failure.h"
#include "cuda/cached_attention.h"
#include "train/fused_launch_tensors.h"

#include <algorithm>

namespace hs::train {

CachedAttention::CachedAttention(const model::ArchSpec& spec, std::int64_t documents, std::int64_t length,
                                 at::TensorOptions options)
    : m_spec(spec)
{
    const bool isReadableType = isReadable(at::empty({0}, options));
    for (int layer = 0; layer < spec.layers; ++layer) {
        m_keys.push_back(at::empty({documents, spec.kvHeads, length, spec.headDim},
                                   isReadableType ? options : options.dtype(at::kFloat)));
        m_values.push_back(at::empty_like(m_keys.back()));
    }
}

at::Tensor CachedAttention::attend(int layer, const at::Tensor& packed, const engine::Rotation& rotation,
                                   std::int64_t position)
{
    const at::Tensor rows = packed.to(m_keys[layer].scalar_type()).contiguous();
    const at::Tensor z = at::empty({rows.size(0), m_spec.heads, m_spec.headDim}, rows.options());
    const bool isTurned = rotation.cos.defined() && rotation.cos.size(1) > 0;
    const at::Tensor cos = isTurned ? rotation.cos.contiguous() : at::Tensor();
    const at::Tensor sin = isTurned ? rotation.sin.contiguous() : at::Tensor();
    const int window = m_spec.windows[layer];
    cuda::CachedAttentionProblem problem;
    problem.documents = static_cast<int>(rows.size(0));
    problem.heads = m_spec.heads;
    problem.kvHeads = m_spec.kvHeads;
    problem.headDim = m_spec.headDim;
    problem.rotatedPairs = isTurned ? static_cast<int>(cos.size(1)) : 0;
    problem.position = static_cast<int>(position);
    problem.first = window > 0 ? std::max(0, problem.position + 1 - window) : 0;
    problem.room = static_cast<int>(m_keys[layer].size(2));
    problem.scale = static_cast<float>(m_spec.scoreScale(layer));
    problem.cap = static_cast<float>(m_spec.scoreCap.value_or(0));
    problem.precision = precisionOf(rows);
    problem.qkv = rows.data_ptr();
    if (isTurned) {
        problem.cos = cos.data_ptr<float>() + position * problem.rotatedPairs;
        problem.sin = sin.data_ptr<float>() + position * problem.rotatedPairs;
    }
    problem.keys = m_keys[layer].data_ptr();
    problem.values = m_values[layer].data_ptr();
    problem.z = z.data_ptr();
    runWhere(
        rows,
        [&](auto stream) {
            if (!cuda::canAttendCached(problem))
                fail(ErrorCode::BadRequest, "Documents of " + std::to_string(problem.room) +
                                                " tokens of this model cannot be drawn on a GPU; change "
                                                "--length or --device.");
            cuda::cachedAttention(problem, stream);
        },
        [&] {
            at::parallel_for(0, problem.documents * problem.kvHeads, 1, [&](auto begin, auto end) {
                for (int map = static_cast<int>(begin); map < end; ++map)
                    cuda::cachedAttentionTwin(problem, map / problem.kvHeads, map % problem.kvHeads);
            });
        });
    return z.to(packed.scalar_type());
}

std::uint64_t CachedAttention::bytesOfDocument(const model::ArchSpec& spec, std::int64_t length,
                                               at::ScalarType type)
{
    return 2ull * static_cast<std::uint64_t>(spec.layers) * static_cast<std::uint64_t>(spec.kvWidth()) *
           static_cast<std::uint64_t>(length) * c10::elementSize(type);
}

}  // namespace hs::train
