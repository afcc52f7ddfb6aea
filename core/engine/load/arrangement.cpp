#include "engine/load/arrangement_tensors.h"

namespace hs::engine {
namespace {

/// Regroups rows that come as [outer, inner, head size, …] into [inner, outer, head size, …].
at::Tensor swapRowGroups(const at::Tensor& tensor, std::int64_t outer, std::int64_t inner, int headDim)
{
    const std::vector<std::int64_t> shape = tensor.sizes().vec();
    std::vector<std::int64_t> grouped = {outer, inner, headDim};
    grouped.insert(grouped.end(), shape.begin() + 1, shape.end());
    return tensor.reshape(grouped).transpose(0, 1).reshape(shape);
}

}  // namespace

at::Tensor arrange(const at::Tensor& tensor, model::Arrangement arrangement, const model::ArchSpec& spec)
{
    switch (arrangement) {
    case model::Arrangement::Stacked: return tensor;
    case model::Arrangement::Transposed: return tensor.t();
    case model::Arrangement::PlusOne: return tensor + 1;
    case model::Arrangement::PerHeadQkv: break;
    }
    return swapRowGroups(tensor, spec.heads, 3, spec.headDim);
}

at::Tensor rearrange(const at::Tensor& tensor, model::Arrangement arrangement, const model::ArchSpec& spec)
{
    switch (arrangement) {
    case model::Arrangement::Stacked: return tensor.contiguous();
    case model::Arrangement::Transposed: return tensor.t().contiguous();
    case model::Arrangement::PlusOne: return tensor - 1;
    case model::Arrangement::PerHeadQkv: break;
    }
    return swapRowGroups(tensor, 3, spec.heads, spec.headDim);
}

}  // namespace hs::engine
