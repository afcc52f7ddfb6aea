#include "engine/run/stream_writes_tensors.h"

namespace hs::engine {

void addWrites(const SharedWrites& writes, int layer, const at::Tensor& stream, RowRange rows)
{
    if (!writes)
        return;
    const at::Tensor runs = stream.view({-1, rows.count, stream.size(-1)});
    for (auto at = writes->rows.lower_bound({layer, 0}); at != writes->rows.end() && at->first.layer == layer;
         ++at) {
        const std::int64_t row = at->first.position - rows.first;
        if (row < 0 || row >= rows.count)
            continue;
        at::Tensor added = at::empty({static_cast<std::int64_t>(at->second.size())}, at::kFloat);
        std::copy(at->second.begin(), at->second.end(), added.data_ptr<float>());
        runs.select(1, row).add_(added.to(stream.device(), stream.scalar_type()));
    }
}

}  // namespace hs::engine
