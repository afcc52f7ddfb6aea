#include "engine/run/edited_heads_tensors.h"

#include "engine/run/pattern_edits_tensors.h"

#include <algorithm>
#include <cmath>

namespace hs::engine {
namespace {

at::Tensor indices(const std::vector<std::int64_t>& values, at::Device device)
{
    return at::tensor(values, at::kLong).to(device);
}

}  // namespace

void EditedHeads::replaceIn(at::Tensor all) const
{
    all.index_copy_(1, indices(heads, all.device()), z);
}

void EditedHeads::replaceIn(LayerRecord& all, const stats::SummaryRules& rules) const
{
    const std::size_t size = rules.tileCells();
    const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[all.stats.size() * size]);
    std::copy_n(all.tiles.get(), all.stats.size() * size, tiles.get());
    for (std::size_t index = 0; index < heads.size(); ++index) {
        const auto head = static_cast<std::size_t>(heads[index]);
        all.activeCells -= std::llround(all.stats[head].density * static_cast<double>(rules.pattern.cells()));
        all.stats[head] = record.stats[index];
        std::copy_n(record.tiles.get() + index * size, size, tiles.get() + head * size);
    }
    all.activeCells += record.activeCells;
    all.tiles = tiles;
}

bool editsWeights(const Ablations& ablations, int layer)
{
    return !PatternEdits::headsIn(ablations, layer).empty();
}

EditedHeads attendEdited(const RunRequest& request, const Decoder& decoder, int layer,
                         const at::Tensor& packed, const stats::SummaryRules& rules)
{
    const model::ArchSpec& spec = request.model->spec();
    EditedHeads edited{PatternEdits::headsIn(request.ablations, layer), {}, {}};
    if (edited.isEmpty())
        return edited;
    std::vector<std::int64_t> groups;
    for (const std::int64_t head : edited.heads)
        groups.push_back(head / (spec.heads / spec.kvHeads));
    Projections own = decoder.unpack(layer, packed);
    own.queries = own.queries.index_select(0, indices(edited.heads, packed.device()));
    own.keys = own.keys.index_select(0, indices(groups, packed.device()));
    own.values = own.values.index_select(0, indices(groups, packed.device()));
    const PatternEdits edits(request.ablations, layer, edited.heads, {0, packed.size(0)});
    LayerRecorder recorder(static_cast<int>(edited.heads.size()), rules, spec.windows[layer], false);
    edited.z = attend(own, decoder.hiddenCells(layer), request.gate, [&](PatternChunk& chunk) {
        edits.apply(chunk);
        recorder.take(chunk);
    });
    edited.record = recorder.finish();
    return edited;
}

}  // namespace hs::engine
